/* Before a game: who plays, which game, and its options.
   Its one rule: only the host sees the host's controls. */

import { button, field, form, h } from './dom.js';
import { qr } from './dice.js';
import { face, readiness } from './pieces.js';
import { words } from './words.js';

export function lobby(app) {
  const { lobby: all, room, you } = app.state;
  const host = you?.host;
  const mine = (seat) => Boolean(you) && seat.id === you.id;
  const game = all.games.find((each) => each.id === all.game);
  const people = all.seats.filter((seat) => seat.kind !== 'computer').length;
  return {
    main: [
      h('section.card.invite', people < 2 && qr(room.qr),
        h('div.row', h('p.grow', words('room_code'), h('b.code.big', room.code)),
          button('.small', () => app.open('invite'), words('invite')))),
      h('section.card', h('div.row',
        h('h2.grow', game?.name), host && button('.small', () => app.open('games'), words('change'))),
      h('p', game?.summary), h('p.quiet', game?.seats),
      all.options.length > 0 && h('details', h('summary', words('options')),
        all.options.map((option) => choice(app, option, host)))),
      h('section', h('h2', words('who')),
        h('ul.people', all.seats.map((seat, n) => person(app, seat, n, mine(seat)))),
        all.watching.length > 0 && h('p.quiet', words('watch', { names: all.watching.join(', ') })),
        host && h('div.row', all.levels.map((level) =>
          app.button('.small.grow', { say: 'computer', level: level.level }, `+ ${words('computer', { level: level.name })}`)))),
    ],
    foot: you ? foot(app, all, you, all.seats.some(mine)) : join(app),
  };
}

/* The form is below the content, so that joining and watching share one page. */
export function join(app) {
  const { draft } = app;
  return [form(app.off, words('join'), () => app.join({ say: 'join', name: draft.name.trim() }),
    field(words('your_name'), draft, 'name', { autocomplete: 'nickname' })),
  button('.plain', () => app.open('take'), words('have_code'))];
}

function foot(app, all, you, seated) {
  const ready = app.button('', { say: 'ready', ready: !you.ready }, {
    class: you.ready ? 'wide' : 'main wide', 'aria-pressed': you.ready,
  }, you.ready ? `✓ ${words('ready')}` : words('be_ready'));
  return [
    all.why && h('p.why', all.why),
    !seated && h('p.why', words('no_seat')),
    seated && !you.host && ready,
    you.host && app.button('.main.wide', { say: 'start' }, { off: app.off || !all.start }, words('start')),
  ];
}

function choice(app, option, host) {
  const chosen = option.values.findIndex((each) => each.value === option.value);
  return h('label.option', { key: option.name }, h('span.row', h('b.grow', option.label),
    host ? h('select', {
      value: chosen, onchange: (event) => app.say({ say: 'option', name: option.name, value: option.values[event.target.value].value }),
    }, option.values.map((each, n) => h('option', { value: n, key: n }, each.shown))) : h('span', option.shown)),
  h('small', option.help));
}

function person(app, seat, n, mine) {
  const host = app.state.you?.host;
  const open = host && app.editing === seat.name;
  const last = app.state.lobby.seats.length - 1;
  const { name, place } = seat;
  const step = (by, sign, off, word) => app.button('', { say: 'move', place, to: place + by }, { off: app.off || off, 'aria-label': word }, sign);
  return h('li.card', { key: seat.id || name + seat.kind },
    h('div.row', face(name, seat.kind, n), h('span.name.grow', name,
      h('small', [mine && words('you'), seat.host && words('host'), seat.detail].filter(Boolean).join(' · '))),
    readiness(seat),
    mine && button('.round', () => {
      app.draft.name = name;
      app.open('rename');
    }, { 'aria-label': words('rename') }, '✎'),
    host && button('.round', () => {
      app.editing = open ? '' : name;
      app.draw();
    }, { 'aria-expanded': open, 'aria-label': words('edit', { name }) }, '⋯')),
    open && h('div.row.edit',
      step(-1, '↑', n === 0, words('up', { name })), step(1, '↓', n === last, words('down', { name })),
      !mine && app.button('', { say: 'drop', place }, words('drop')),
      !mine && seat.kind !== 'computer' && app.state.lobby.levels.map((level) =>
        app.button('', { say: 'replace', place, level: level.level }, words('computer', { level: level.name })))));
}
