/* Before a game: who is in, what is going to be played, and by which options.
   Its one rule: only the host is offered what only the host may do. */

import { button, field, form, h } from './dom.js';
import { qr } from './dice.js';
import { face, gone, readiness } from './pieces.js';
import { words } from './words.js';

export function lobby(app) {
  const { lobby: all, room, you } = app.state;
  const host = you?.host;
  const game = all.games.find((each) => each.id === all.game);
  const people = all.seats.filter((seat) => seat.kind !== 'computer').length;
  return {
    main: [
      app.moved && h('p.say', { key: 'moved' }, words('moved')),
      gone(app.state, you && app),
      h('section.card.invite', { key: 'invite' },
        people < 2 && qr(room.qr),
        h('div.row', h('p.grow', words('room_code'), h('b.code.big', room.code)),
          button(() => app.open('invite'), { class: 'small' }, words('invite')))),
      h('section.card', { key: 'game' }, h('div', { class: 'row' },
        h('h2.grow', game?.name), host && button(() => app.open('games'), { class: 'small', off: app.off }, words('change'))),
      h('p', game?.summary), h('p.quiet', game?.seats),
      all.options.length > 0 && h('details', h('summary', words('options')),
        all.options.map((option) => choice(app, option, host)))),
      h('section', { key: 'seats' }, h('h2', words('who')),
        h('ul.people', all.seats.map((seat, n) => person(app, seat, n, host))),
        all.watching.length > 0 && h('p.quiet', words('watch', { names: all.watching.join(', ') })),
        host && h('div.row', { key: 'computers' }, all.levels.map((level) =>
          app.button({ say: 'computer', level: level.level }, { key: level.level, class: 'small grow' }, `+ ${words('computer', { level: level.name })}`)))),
    ],
    foot: you ? foot(app, all, you) : join(app),
  };
}

/* The form stands below whatever is to be seen, so that joining and watching are one page. */
export function join(app) {
  const { draft } = app;
  return [form(app.off, words('join'), () => app.join({ say: 'join', name: draft.name.trim() }),
    field(words('your_name'), draft, 'name', { autocomplete: 'nickname', enterkeyhint: 'go' })),
  button(() => app.open('take'), { class: 'plain', key: 'take' }, words('have_code'))];
}

function foot(app, all, you) {
  const ready = app.button({ say: 'ready', ready: !you.ready }, {
    key: 'ready', class: you.ready ? 'wide' : 'main wide', 'aria-pressed': String(you.ready),
  }, you.ready ? `✓ ${words('ready')}` : words('be_ready'));
  return [
    all.why && h('p.why', { key: 'why' }, all.why),
    you.seat == null && h('p.why', { key: 'seat' }, words('no_seat')),
    you.seat != null && (!you.host || !you.ready) && ready,
    you.host && app.button({ say: 'start' }, {
      key: 'start', off: app.off || !all.start, class: you.ready || all.start ? 'main wide' : 'wide',
    }, words('start')),
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

function person(app, seat, n, host) {
  const open = host && app.editing === seat.place;
  const last = app.state.lobby.seats.length - 1;
  const { place } = seat;
  const step = (to) => () => {
    app.editing = to;
    app.say({ say: 'move', place, to });
  };
  return h('li', { key: `${seat.name}${seat.kind}`, class: 'card' },
    h('div.row', face(seat.name, seat.kind, n), h('span.name.grow', seat.name,
      h('small', [seat.you && words('you'), seat.host && words('host'), seat.detail].filter(Boolean).join(' · '))),
    readiness(seat),
    host && button(() => {
      app.editing = open ? null : place;
      app.draw();
    }, { class: 'round', 'aria-expanded': String(open), 'aria-label': words('edit', { name: seat.name }) }, '⋯')),
    open && h('div', { class: 'row edit' },
      button(step(place - 1), { off: app.off || n === 0, 'aria-label': words('up', { name: seat.name }) }, '↑'),
      button(step(place + 1), { off: app.off || n === last, 'aria-label': words('down', { name: seat.name }) }, '↓'),
      !seat.you && app.button({ say: 'drop', place }, { key: 'drop', class: 'grow' }, words('drop')),
      !seat.you && seat.kind !== 'computer' && app.state.lobby.levels.map((level) =>
        app.button({ say: 'replace', place, level: level.level }, { key: level.level, class: 'grow' }, words('computer', { level: level.name })))));
}
