/* Drawings of dice and of the room's QR code.
   Its one rule: every drawing has a label, and an unknown die has no value. */

import { h } from './dom.js';
import { words } from './words.js';

const PIPS = ['', '50 46', '28 24 72 68', '26 22 50 46 74 70', '28 24 72 24 28 68 72 68', '27 23 73 23 50 46 27 69 73 69',
  '29 21 71 21 29 46 71 46 29 71 71 71'].map((spots) => spots.replace(/(\d+ \d+) ?/g, 'M$1h.01')); // round line caps turn these into dots

export function called(face) {
  return [words('die_hidden'), words('die_1'), words('die_2'), words('die_3'), words('die_4'), words('die_5'),
    words('die_6')][face ?? 0] ?? String(face);
}

/* The value is part of the key, so a changed value is a new node with the landing animation. */
export function die(face, { key, kept, plain } = {}) {
  const known = Boolean(PIPS[face]);
  const said = kept ? words('die_kept', { die: called(face) }) : called(face);
  return h('svg', {
    key: `${key}:${face}`, class: `die${known ? '' : ' unknown'}${kept ? ' kept' : ''}`, viewBox: '0 0 100 104',
    role: 'img', 'aria-label': said, 'aria-hidden': plain,
  },
  h('rect.edge', { x: 3, y: 10, width: 94, height: 92, rx: 24 }),
  h('rect.face', { x: 3, y: 2, width: 94, height: 90, rx: 24 }),
  known ? h('path.pip', { d: PIPS[face] })
    : h('text', { x: 50, y: 66, 'text-anchor': 'middle' }, face ?? '?'),
  kept && h('g.tick', h('circle', { cx: 50, cy: 88, r: 15 }), h('path', { d: 'M42 88l6 6 10-11' })));
}

export function dice(faces, props = {}) {
  return h('span.dice', { key: props.key },
    faces.map((face, n) => die(face, { ...props, key: n })));
}

/* All dark squares in one path, always on white, because phones scan nothing else reliably. */
export function qr(rows) {
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index }) =>
    `M${index} ${y}h${run.length}v1h-${run.length}z`)).join('');
  return h('svg.qr', { viewBox: `0 0 ${rows.length} ${rows.length}`, role: 'img', 'aria-label': words('qr') }, h('path', { d: path }));
}
