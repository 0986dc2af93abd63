/* The first screen: this table's rooms, a code to enter, and games at nearby tables.
   Its one rule: the position is requested only after a touch, and neither stored nor sent. */

import { button, field, form, h } from './dom.js';
import { die } from './dice.js';
import { language, words } from './words.js';

let near = null; // the response of /near.json
let named = ''; // the language of the game names in that response

async function look(app) {
  near = { rooms: [], positions: false };
  named = language();
  try {
    near = await (await fetch(`/near.json?language=${named}`)).json();
    app.draw();
  } catch { /* no other tables known */ }
}

export function rooms(app) {
  if (!near || named !== language()) look(app);
  if (!app.rooms) return {};
  const here = app.rooms.rooms;
  const others = near.rooms.filter((room) => !room.here && /^https?:/.test(room.address));
  const { draft } = app;
  return { main: [
    h('section.hero',
      h('div.rolls', { 'aria-hidden': true }, [2, 5, 1].map((face) => die(face, { plain: true }))),
      h('h1', words('title')),
      app.room && h('p.say', words('no_room', { code: app.room })),
      here.length === 0 && h('p', app.rooms.screen ? words('see_screen') : words('no_rooms'))),
    here.length > 0 && h('section', { key: 'here' }, h('h2', words('rooms')), h('ul.rooms',
      here.map((room) => h('li', { key: room.code }, button('.card', () => app.go(room.code), { off: app.off }, about(room)))))),
    h('section.card', form(app.off, words('go'), () => {
      if (/^[a-z]{4}$/i.test(draft.code)) app.go(draft.code.toUpperCase());
      else app.tell(words('four_letters'));
    }, field(words('room_code'), draft, 'code', { class: 'code', maxlength: 4, autocapitalize: 'characters', spellcheck: 'false', placeholder: 'ABCD' }))),
    app.rooms.create && button('.main.wide', () => app.open('create'), words('create')),
    h('a.wide', { href: '/table' }, words('public')),
    button('.wide', () => app.look('board'), words('records')),
    others.length > 0 && h('section', { key: 'near' }, h('div.row', h('h2.grow', words('near')),
      near.positions && isSecureContext && navigator.geolocation && button('.small', () => nearest(app), words('nearest'))),
    h('ul.rooms', others.map((room) => h('li', { key: room.address }, h('a.card', { href: room.address }, about(room)))))),
  ] };
}

const kilometres = (far) => far.toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function about(room) {
  return [h('span.name.grow', room.name, h('small', [room.game, words('players', { count: room.players }),
    room.playing && words('playing'), room.far != null && words('far', { km: kilometres(room.far) })].filter(Boolean).join(' · '))),
  h('b.code', room.code)];
}

function nearest(app) {
  navigator.geolocation.getCurrentPosition(({ coords }) => {
    const { latitude, longitude } = coords;
    const narrow = Math.cos((latitude * Math.PI) / 180); // treats the earth as flat
    for (const room of near.rooms) {
      if (room.lat != null) room.far = 111.2 * Math.hypot(room.lat - latitude, (room.lon - longitude) * narrow);
    }
    near.rooms.sort((a, b) => (a.far ?? 1e9) - (b.far ?? 1e9));
    app.draw();
  }, () => app.tell(words('no_position')));
}
