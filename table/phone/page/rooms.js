/* The first screen: the rooms of this table, a code to type, and games at tables near by.
   Its one rule: where somebody stands is asked only at a touch, and neither kept nor sent. */

import { button, field, form, h } from './dom.js';
import { die } from './dice.js';
import { words } from './words.js';

let near = null; // the answer of /near.json

async function look(app) {
  near = { rooms: [], positions: false };
  try {
    near = await (await fetch('/near.json')).json();
    app.draw();
  } catch { /* this table knows of no others */ }
}

export function rooms(app) {
  if (!near) look(app);
  if (!app.rooms) return { main: h('p.quiet', words('connecting')) };
  const here = app.rooms.rooms;
  const others = near.rooms.filter((room) => !room.here && linked(room.address));
  const { draft } = app;
  return { main: [
    h('section.hero', { key: 'hero' },
      h('div.throw', { 'aria-hidden': 'true' }, [2, 5, 1].map((face, n) => die(face, { key: n, plain: true }))),
      h('h1', words('title')),
      app.room && h('p.say', { key: 'none' }, words('no_room', { code: app.room })),
      here.length === 0 && h('p', app.rooms.screen ? words('see_screen') : words('no_rooms'))),
    here.length > 0 && h('section', { key: 'here' }, h('h2', words('rooms')), h('ul', { class: 'rooms' },
      here.map((room) => h('li', { key: room.code }, button(() => app.go(room.code), { off: app.off, class: 'card' }, about(room)))))),
    h('section.card', { key: 'code' }, form(app.off, words('go'), () => {
      if (/^[a-z]{4}$/i.test(draft.code)) app.go(draft.code.toUpperCase());
      else app.tell(words('four_letters'));
    }, field(words('room_code'), draft, 'code', { class: 'code', maxlength: 4, autocapitalize: 'characters', spellcheck: 'false', placeholder: 'ABCD' }))),
    app.rooms.create && button(() => app.open('create'), { class: 'main wide', key: 'create' }, words('create')),
    button(() => app.open('take'), { class: 'plain', key: 'take' }, words('have_code')),
    others.length > 0 && h('section', { key: 'near' }, h('div.row', h('h2.grow', words('near')),
      near.positions && isSecureContext && navigator.geolocation && button(() => nearest(app), { class: 'small' }, words('nearest'))),
    h('ul.rooms', others.map((room) => h('li', { key: room.address }, h('a.card', { href: room.address, rel: 'noreferrer',
    }, about(room)))))),
  ] };
}

function about(room) {
  return [h('span.name.grow', room.name, h('small', [room.game, words('players', { count: room.players }),
    room.playing && words('playing'), room.far != null && words('far', { km: room.far.toFixed(1) })].filter(Boolean).join(' · '))),
  h('b.code', room.code)];
}

function linked(address) {
  try {
    return ['http:', 'https:'].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

function nearest(app) {
  navigator.geolocation.getCurrentPosition(({ coords }) => {
    const rad = Math.PI / 180;
    for (const room of near.rooms) {
      if (room.lat == null || room.lon == null) continue;
      const [a, b] = [coords.latitude * rad, room.lat * rad];
      const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(((room.lon - coords.longitude) * rad) / 2) ** 2;
      room.far = 12742 * Math.asin(Math.sqrt(half));
    }
    near.rooms.sort((a, b) => (a.far ?? Infinity) - (b.far ?? Infinity));
    app.draw();
  }, () => app.tell(words('no_position')));
}
