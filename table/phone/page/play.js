/* A game on a phone: what is asked, who sits where, my own dice, and what can be touched.
   Its one rule: my hidden dice are in the page only while they are looked at. */

import { button, h } from './dom.js';
import { called, dice, die } from './dice.js';
import { join } from './lobby.js';
import { facts, gone, result, seats, told } from './pieces.js';
import { shakes } from './signals.js';
import { words } from './words.js';

export function play(app) {
  const { state } = app;
  const { table, ask, you, hand } = state;
  const over = state.phase === 'over';
  return {
    main: [
      app.moved && h('p.say', { key: 'moved' }, words('moved')),
      gone(state, you && app),
      over ? result(table) : h('section', { class: `prompt${ask ? ' mine' : ''}`, key: 'prompt' },
        ask && h('b.tag', words('your_turn')), h('h1', table.prompt)),
      told(table, 3),
      facts(table),
      seats(table),
      state.odds?.length > 0 && h('details.card.odds', { key: 'odds' }, h('summary', words('odds')),
        state.odds.map((each, n) => h('p.row', { key: n }, h('span.grow', each.label),
          h('meter', { value: each.chance, 'aria-hidden': 'true' }), h('b', words('percent', { percent: Math.round(each.chance * 100) }))))),
    ],
    foot: foot(app, you, hand, ask, over),
  };
}

function foot(app, you, hand, ask, over) {
  if (!you) return join(app);
  const kinds = { throw: thrown, list: listed, bid: bidding, dice: keeping };
  const parts = [
    hand?.dice.length > 0 && cup(app, hand),
    over && (you.host ? h('div.row', { key: 'over' },
      app.button({ say: 'lobby' }, { class: 'grow' }, words('lobby')),
      app.button({ say: 'again' }, { class: 'main grow' }, words('again')))
      : h('p.why', { key: 'host' }, words('wait_host'))),
    !over && you.seat == null && h('p.why', { key: 'watch' }, words('watching')),
    ask && kinds[ask.kind]?.(app, ask),
  ].flat().filter(Boolean);
  return parts.length > 0 && parts;
}

/* My hidden dice: seen while they are held, or as long as the eye is open. */
function cup(app, hand) {
  const seen = app.peek || app.shown;
  const look = (what, on) => {
    if (app[what] === on) return;
    app[what] = on;
    app.aloud(app.peek || app.shown ? hand.words : '');
    app.draw();
  };
  const keys = (event) => event.key === ' ' || event.key === 'Enter';
  return h('div', { class: `hand${seen ? ' seen' : ''}`, key: 'hand' },
    h('button', {
      type: 'button', class: 'peek', 'aria-label': words('hold'),
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look('peek', true);
      },
      onpointerup: () => look('peek', false),
      onpointercancel: () => look('peek', false),
      onkeydown: (event) => keys(event) && look('peek', true),
      onkeyup: (event) => keys(event) && look('peek', false),
      onblur: () => look('peek', false),
      oncontextmenu: (event) => event.preventDefault(),
    },
    dice(seen ? hand.dice : hand.dice.map(() => null), { plain: true }),
    h('span.hint', seen ? hand.words : words('hold'))),
    button(() => look('shown', !app.shown), {
      class: 'round', 'aria-pressed': String(app.shown), 'aria-label': words('show'),
    }, h('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z' }),
      h('circle', { cx: 12, cy: 12, r: 3 }), !app.shown && h('path', { key: 'shut', d: 'M4 20L20 4' }))));
}

function thrown(app, ask) {
  return [
    shakes() === 'ask' && button(app.askToShake, { key: 'shake', class: 'small' }, words('shake_ask')),
    shakes() === 'yes' && h('p.why', { key: 'shake' }, words('shake')),
    app.touch(ask, { say: 'throw' }, { key: 'throw', class: 'main wide huge' }, die(6, { plain: true }), ask.label),
  ];
}

function picks(app, ask, options, plain) {
  const many = options.length > 6; // a row of numbers stays in its order
  const sorted = many ? options : [...options].sort((a, b) => Boolean(b.main) - Boolean(a.main));
  const short = many && options.every((each) => each.label.length < 5);
  return options.length > 0 && h('div', { class: short ? 'picks short' : 'picks', key: 'picks' }, sorted.map((each) =>
    app.touch(ask, { say: 'pick', pick: each.pick }, { key: `pick${each.pick}`, class: each.main && !plain ? 'main' : '' }, each.label)));
}

function listed(app, ask) {
  return picks(app, ask, ask.options);
}

/* Neither stepper gets stuck: where the other's value is not allowed, that one goes to the nearest that is. */
function bidding(app, ask) {
  const all = ask.counts.flatMap(({ count, faces }) => faces.map((each) => ({ count, ...each })));
  if (all.length === 0) return picks(app, ask, ask.options);
  const now = (app.asked.bid ??= all.find((each) => each.main) ?? all[0]);
  const values = (what) => [...new Set(all.map((each) => each[what]))].sort((a, b) => a - b);
  const step = (what, other) => (value) => {
    const fits = all.filter((each) => each[what] === value);
    app.asked.bid = fits.sort((a, b) => Math.abs(a[other] - now[other]) - Math.abs(b[other] - now[other]))[0];
    app.draw();
  };
  return [
    h('div.steppers', { key: 'steppers' },
      stepper(app, words('count'), values('count'), now.count, step('count', 'face'), String(now.count), h('b', now.count)),
      stepper(app, words('face'), values('face'), now.face, step('face', 'count'), called(now.face), die(now.face, { plain: true }))),
    app.touch(ask, { say: 'pick', pick: now.pick }, { key: 'bid', class: 'main wide' }, words('bid', { bid: now.label })),
    picks(app, ask, ask.options, true),
  ];
}

function stepper(app, label, values, value, set, said, shown) {
  const n = values.indexOf(value);
  const to = (place) => !app.off && place !== n && place in values && set(values[place]);
  const keys = { ArrowUp: n + 1, ArrowRight: n + 1, ArrowDown: n - 1, ArrowLeft: n - 1, Home: 0, End: values.length - 1 };
  return h('div', { class: 'stepper' },
    button(() => to(n - 1), { off: app.off || n === 0, tabindex: '-1', 'aria-label': words('less', { what: label }) }, '−'),
    h('div.value', { role: 'spinbutton', tabindex: '0', 'aria-label': label, 'aria-valuenow': value, 'aria-valuetext': said,
      'aria-valuemin': values[0], 'aria-valuemax': values.at(-1), onkeydown: (event) => {
        if (!(event.key in keys)) return;
        event.preventDefault();
        to(keys[event.key]);
      },
    }, shown),
    button(() => to(n + 1), { off: app.off || n === values.length - 1, tabindex: '-1', 'aria-label': words('more', { what: label }) }, '+'));
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
    h('div.tray', { key: 'tray', role: 'group', 'aria-label': words('tap') }, ask.dice.map((face, n) => button(() => flip(n), {
      key: n, off: app.off, 'aria-pressed': String(chosen.includes(n)), 'aria-label': called(face),
    }, die(face, { kept: chosen.includes(n), plain: true })))),
    ask.sets.length > 1 && h('div.hints', { key: 'hints', role: 'group', 'aria-label': words('hints') },
      ask.sets.slice(0, 6).map((set) =>
        button(() => choose(set.keep), { key: set.pick, class: 'small', off: app.off, 'aria-pressed': String(set === match) }, set.label))),
    app.touch(ask, { say: 'pick', pick: match?.pick }, { key: 'keep', class: 'main wide', off: app.off || !match },
      match?.label ?? (chosen.length > 0 ? words('no_set') : words('tap'))),
    picks(app, ask, ask.options, true),
  ];
}

/* By place, or else by value: of two fives it does not matter which is touched. */
function matching(ask, chosen) {
  const places = (all) => String([...all].sort());
  const faces = (all) => places(all.map((n) => ask.dice[n]));
  return ask.sets.find((set) => places(set.keep) === places(chosen)) ?? ask.sets.find((set) => faces(set.keep) === faces(chosen));
}
