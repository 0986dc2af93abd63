/* A game on a phone: the prompt, the seats, my own dice, and the controls.
   Its one rule: my hidden dice are in the page only while I peek. */

import { button, h } from './dom.js';
import { called, dice, die } from './dice.js';
import { join } from './lobby.js';
import { facts, result, seats, told } from './pieces.js';
import { shakes } from './signals.js';
import { words } from './words.js';

export function play(app) {
  const { state } = app;
  const { table, ask, you, hand } = state;
  const over = state.phase === 'over';
  return {
    main: [
      over ? result(table, you) : h(`section.prompt${ask ? '.mine' : ''}`,
        ask && h('b.tag', words('your_turn')), h('h1', ask ? ask.prompt : table.prompt), state.odds && odds(state.odds.now)),
      told(table, 3),
      facts(table),
      seats(table, you),
      state.odds && h('details.card', h('summary', words('odds')), odds(state.odds.all)),
    ],
    foot: foot(app, you, hand, ask, over),
  };
}

const odds = (lines, tag = 'p.row') => lines.map((each) => h(tag, h('span.grow', each.label),
  h('meter', { value: each.chance, 'aria-hidden': true }), h('b', each.shown)));

function foot(app, you, hand, ask, over) {
  if (!you) return join(app);
  const kinds = { roll: rolling, list: picks, bid: bidding, dice: keeping };
  const parts = [
    hand && cup(app, hand),
    over && app.state.review && you.seat != null && button('.wide', () => app.look('review', { at: you.seat }), words('review')),
    over && (you.host ? h('div.row', app.button('.grow', { say: 'lobby' }, words('lobby')),
      app.button('.main.grow', { say: 'again' }, words('again'))) : h('p.why', words('wait_host'))),
    !over && you.seat == null && h('p.why', words('watching')),
    ask && kinds[ask.kind]?.(app, ask),
  ].flat().filter(Boolean);
  return parts.length > 0 && parts;
}

/* My hidden dice: visible while the hand is held down, or while the eye is open. */
function cup(app, hand) {
  const seen = app.peek || app.shown;
  const look = (what, on) => {
    if (app[what] === on) return;
    app[what] = on;
    app.aloud(app.peek || app.shown ? hand.said : '');
    app.draw();
  };
  const hide = () => look('peek', false);
  return h('div', { class: `hand${seen ? ' seen' : ''}`, key: 'hand' },
    h('button.peek', {
      type: 'button', 'aria-label': words('hold'),
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look('peek', true);
      },
      onpointerup: hide,
      onpointercancel: hide,
      onblur: hide,
      onkeydown: (event) => [' ', 'Enter'].includes(event.key) && look('peek', true),
      onkeyup: hide,
      oncontextmenu: (event) => event.preventDefault(),
    },
    dice(seen ? hand.dice : hand.dice.map(() => null), { plain: true }),
    h('span.hint', seen ? hand.words : words('hold')), seen && odds(hand.odds, 'span.row.hint')),
    button('.round', () => look('shown', !app.shown), { 'aria-pressed': app.shown, 'aria-label': words('show') },
      h('svg', { viewBox: '0 0 24 24', 'aria-hidden': true }, h('path', { d: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z' }),
      h('circle', { cx: 12, cy: 12, r: 3 }), !app.shown && h('path', { d: 'M4 20L20 4' }))));
}

function rolling(app, ask) {
  return [
    shakes() === 'ask' && button('.small', app.askToShake, words('shake_ask')),
    shakes() === 'yes' && h('p.why', words('shake')),
    app.touch('.main.wide.huge', 'roll', undefined, die(6, { plain: true }), ask.label),
  ];
}

function picks(app, { options }) {
  const many = options.length > 6; // a long row of numbers keeps its order
  const ordered = many ? options : [...options].sort((a, b) => !!b.main - !!a.main);
  const short = many && options.every((each) => each.label.length < 5);
  return options.length > 0 && h(`div.picks${short ? '.short' : ''}`, ordered.map((each) =>
    app.touch(each.main ? '.main' : '', 'pick', each.pick, { key: `pick${each.pick}` }, each.label)));
}

/* The steppers never get stuck: if the other value is not allowed, it changes to the nearest allowed one. */
function bidding(app, ask) {
  const all = ask.counts.flatMap(({ count, faces }) => faces.map((each) => ({ count, ...each })));
  if (all.length === 0) return picks(app, ask);
  const now = (app.asked.bid ??= all.find((each) => each.main) ?? all[0]);
  const values = (what) => [...new Set(all.map((each) => each[what]))].sort((a, b) => a - b);
  const step = (what, other) => (value) => {
    const fits = all.filter((each) => each[what] === value);
    app.asked.bid = fits.sort((a, b) => Math.abs(a[other] - now[other]) - Math.abs(b[other] - now[other]))[0];
    app.draw();
  };
  return [
    h('div.steppers',
      stepper(app, words('count'), values('count'), now.count, step('count', 'face'), now.count, h('b', now.count)),
      stepper(app, words('face'), values('face'), now.face, step('face', 'count'), called(now.face), die(now.face, { plain: true }))),
    app.touch('.main.wide', 'pick', now.pick, words('bid', { bid: now.label })),
    picks(app, ask),
  ];
}

function stepper(app, label, values, value, set, said, shown) {
  const n = values.indexOf(value);
  const to = (place) => !app.off && place !== n && place in values && set(values[place]);
  const keys = { ArrowUp: n + 1, ArrowRight: n + 1, ArrowDown: n - 1, ArrowLeft: n - 1, Home: 0, End: values.length - 1 };
  const step = (by, sign, word) => button('', () => to(n + by), { off: app.off || !(n + by in values), tabindex: '-1', 'aria-label': word }, sign);
  return h('div.stepper',
    step(-1, '−', words('less', { what: label })),
    h('div.value', { role: 'spinbutton', tabindex: '0', 'aria-label': label, 'aria-valuenow': value, 'aria-valuetext': said,
      'aria-valuemin': values[0], 'aria-valuemax': values.at(-1), onkeydown: (event) => {
        if (!(event.key in keys)) return;
        event.preventDefault();
        to(keys[event.key]);
      },
    }, shown),
    step(1, '+', words('more', { what: label })));
}

function keeping(app, ask) {
  const chosen = (app.asked.keep ??= []);
  const choose = (places) => {
    app.asked.keep = places;
    app.draw();
  };
  const flip = (n) => choose(chosen.includes(n) ? chosen.filter((each) => each !== n) : [...chosen, n]);
  const match = matching(ask, chosen);
  return [
    h('div.tray', { role: 'group', 'aria-label': words('tap') }, ask.dice.map((face, n) => button('', () => flip(n), {
      off: app.off, 'aria-pressed': chosen.includes(n), 'aria-label': called(face),
    }, die(face, { kept: chosen.includes(n), plain: true })))),
    h('div.hints', { role: 'group', 'aria-label': words('hints') },
      ask.sets.filter((set, n) => n === ask.sets.findIndex((other) => faces(ask, other.keep) === faces(ask, set.keep))).slice(0, 6).map((set) =>
        button('.small', () => choose(set.keep), { off: app.off, 'aria-pressed': set === match },
          dice(set.keep.map((n) => ask.dice[n]), { plain: true }), set.label))),
    app.touch('', 'pick', match?.pick, { off: app.off || !match, class: match ? 'main wide' : 'wide' },
      match?.label ?? (chosen.length ? words('no_set') : words('tap'))),
    picks(app, ask),
  ];
}

/* The set with the chosen dice, or else one with the same faces: of two equal dice, either can be touched. */
function matching(ask, chosen) {
  return ask.sets.find((set) => sorted(set.keep) === sorted(chosen)) ?? ask.sets.find((set) => faces(ask, set.keep) === faces(ask, chosen));
}

const sorted = (all) => String([...all].sort());
const faces = (ask, places) => sorted(places.map((n) => ask.dice[n]));
