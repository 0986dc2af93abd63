/* Charts: shares, luck, faces of dice, the probability of winning.
   Its one rule: lengths are true to scale, and whatever a colour means is also said in words. */

import { h } from './dom.js';

const flat = (kind, width, high, ...kids) => h(`svg.${kind}`, { viewBox: `0 0 ${width} ${high}`, preserveAspectRatio: 'none', 'aria-hidden': true }, kids);
const rect = (kind, x, y, width, height) => h(`rect.${kind}`, { x, y, width: Math.max(0, width), height });

/* A bar: a fraction of the whole from the left, and the opponent's fraction from the right. */
export function bar({ part, of = 1, theirs = 0 }) {
  return flat('bar', 100, 1, rect('of', 0, 0, 100 * of, 1), rect('part', 0, 0, 100 * part, 1), rect('theirs', 100 - 100 * theirs, 0, 100 * theirs, 1));
}

/* A bar that starts in the middle: to the right for good luck, to the left for bad luck. */
export function luck(part) {
  const from = Math.min(part, 0.5);
  return flat('bar', 100, 1, rect('of', 0, 0, 100, 1), rect(part < 0.5 ? 'theirs' : 'part', 100 * from, 0, 100 * Math.abs(part - 0.5), 1),
    rect('fair', 49.6, 0, 0.8, 1));
}

/* Games, oldest first: filled dots are wins. */
export function dots({ won, text }) {
  return h('div', h('svg.dots', { viewBox: `0 0 300 ${10 * Math.ceil(won.length / 30)}`, 'aria-hidden': true },
    won.map((each, n) => h(each ? 'circle.won' : 'circle.lost', { cx: 5 + 10 * (n % 30), cy: 5 + 10 * Math.floor(n / 30), r: each ? 3.6 : 2.8 }))), h('small', text));
}

/* How often each face came up, with a line at one sixth and the range expected of fair dice. */
export function columns({ counts, shown, band, suspect }, drawn, said) {
  const thrown = counts.reduce((sum, count) => sum + count, 0) || 1;
  const top = Math.max(0.2, band[1], ...counts.map((count) => count / thrown)) * 1.04;
  const y = (share) => 100 - (100 * Math.min(share, top)) / top;
  return h('div.faces', { role: 'img', 'aria-label': said }, counts.map((count, n) =>
    h('div', { class: suspect === n + 1 ? 'suspect' : null }, h('b', suspect === n + 1 ? `⚠ ${shown[n]}` : shown[n]),
      flat('column', 10, 100, rect('band', -0.5, y(band[1]), 11, y(band[0]) - y(band[1])),
        rect('part', 2, y(count / thrown), 6, 100 - y(count / thrown)), rect('fair', -0.5, y(1 / 6) - 0.5, 11, 1)),
      drawn(n + 1), h('small', String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f')))));
}

/* A line per seat over all rounds, each with its own dash pattern and a legend below. */
export function standings({ values: rows, names, text }) {
  const known = rows.flat().filter((each) => each != null);
  const low = Math.min(0, ...known);
  const tall = Math.max(1, ...known) - low;
  const at = (n, value) => `${(4 + (312 * n) / Math.max(1, rows[0].length - 1)).toFixed(1)} ${(116 - (112 * (value - low)) / tall).toFixed(1)}`;
  const drawn = (row) => row.map((value, n) => (value == null ? '' : `${n && row[n - 1] != null ? 'L' : 'M'}${at(n, value)}`)).join('');
  return h('div', h('svg.standings', { viewBox: '0 0 320 120', role: 'img', 'aria-label': text },
    h('path.grid', { d: `M0 ${at(0, 0).split(' ')[1]}h320` }),
    rows.map((row, n) => h('path', { class: `seat${n % 6}`, d: drawn(row) }))),
  h('p.legend', names.map((name, n) => h('span', { key: n }, h('svg', { viewBox: '0 0 30 8', 'aria-hidden': true },
    h('path', { class: `seat${n % 6}`, d: 'M0 4h30' })), name))));
}

/* The probability of winning over the course of the game: luck is a line, a mistake is a drop with a mark below it. */
export function chances({ start, points, result, axis, text }) {
  const wide = 320;
  const high = 130;
  const at = (n, chance) => [6 + ((wide - 12) * n) / (points.length + 1), 6 + (high - 12) * (1 - chance)].map((each) => each.toFixed(1));
  let path = `M${at(0, start)}`;
  const drops = points.flatMap(([before, after, slip], n) => {
    path += `L${at(n + 1, before)}${slip ? `M${at(n + 1, after)}` : ''}`;
    return slip ? [[at(n + 1, before), at(n + 1, after)]] : [];
  });
  path += `L${at(points.length + 1, result)}`;
  const spot = (kind, n, chance) => h(`circle.${kind}`, { cx: at(n, chance)[0], cy: at(n, chance)[1], r: 5 });
  return h('div.chances', h('div.axis', { 'aria-hidden': true }, axis.map((label) => h('small', label))),
    h('svg', { viewBox: `0 0 ${wide} ${high + 10}`, role: 'img', 'aria-label': text },
      [0, 0.5, 1].map((chance) => h('path.grid', { d: `M0 ${at(0, chance)[1]}h${wide}` })),
      h('path.went', { d: path }),
      h('path.drop', { d: drops.map(([from, to]) => `M${from}L${to}`).join('') }),
      h('path.mark', { d: drops.map(([, [x]]) => `M${x - 4} ${high}h8l-4 7z`).join('') }),
      spot('begun', 0, start), spot('ended', points.length + 1, result)));
}
