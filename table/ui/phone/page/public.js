/* The public table, on a television or a laptop, readable from three metres.
   Its one rule: it has no controls and shows only public information. */

import { draw, h } from './dom.js';
import { die, qr } from './dice.js';
import { face, facts, gone, news, readiness, result, seats, stuck, told } from './pieces.js';
import { connect } from './socket.js';
import { language, speak, wanted, words } from './words.js';

const room = (location.pathname.match(/^\/table\/([a-z]{4})$/i)?.[1] ?? '').toUpperCase();
const at = (id) => document.getElementById(id);
let state = null;
let rooms = null; // all rooms, if the requested room does not exist

function show(live) {
  draw(at('bar'), !live && h('p.connecting', words('connecting')));
  const phase = state?.phase ?? 'list';
  const body = state ? (phase === 'lobby' ? lobby() : game()) : rooms && list();
  draw(at('page'), h('div', { class: `stage ${phase}`, key: phase }, body));
  document.title = state?.table?.title ?? state?.room.name ?? words('title');
}

function head(title, small) {
  return h('header', die(5, { plain: true }), h('strong.grow', title), h('span', small));
}

function game() {
  const { room: here, table } = state;
  const earlier = table.told.slice(-4);
  const last = earlier.pop();
  return [
    head(table.title, table.round),
    h('main', table.result ? result(table) : seats(table)),
    h('div.side', h('aside.corner', qr(here.qr), h('p', words('join_at'), h('b.code', here.code))), facts(table), told({ told: earlier.reverse() }, 3)),
    h('footer', stuck(state), gone(state), !table.result && h('p', { key: 'last' }, last), h('p.prompt', table.result ? words('again_soon') : table.prompt)),
  ];
}

function lobby() {
  const { lobby: all, room: { name, address, code, qr: rows } } = state;
  const chosen = all.games.find((each) => each.id === all.game);
  return [
    head(name, chosen?.name),
    h('div.poster', qr(rows), h('b.code', code), h('p', address.replace(/^\w+:\/\//, ''))),
    h('main', h('h1', words('scan')), h('p.quiet', chosen?.summary),
      h('ul', { class: all.seats.length > 5 ? 'people many' : 'people' }, all.seats.map((seat, n) => h('li.card', { key: seat.name },
        face(seat.name, seat.kind, n), h('span.name.grow', seat.name), readiness(seat))))),
    h('footer', gone(state), h('p.prompt', all.why || words('about_to_start'))),
  ];
}

function list() {
  return [head(words('title'), ''), h('main', room && h('p', words('no_room', { code: room })),
    rooms.length === 0 && h('p', words('no_rooms')),
    h('ul.rooms', rooms.map((each) => h('li', { key: each.code }, h('a.card', { href: `/table/${each.code}` },
      h('span.name.grow', each.name), h('b.code', each.code))))))];
}

function hear(message) {
  if (message.is === 'state') {
    at('live').textContent = news(message, state);
    state = message;
  } else if (message.is === 'rooms') {
    rooms = message.rooms;
    state = null;
    if (!room && rooms.length === 1) location.replace(`/table/${rooms[0].code}`);
  } else return;
  show(true);
}

await speak(wanted());
connect(() => ({ say: 'hello', room, token: '', language: language(), watch: true }), hear, show);
show(false);
