/* What lies over the page for a moment: the menu, the invitation, a code that moves a seat.
   Its one rule: every sheet can be left without doing anything. */

import { button, field, form, h } from './dom.js';
import { qr } from './dice.js';
import { hush, quiet } from './signals.js';
import { LANGUAGES, language, words } from './words.js';

const SHEETS = { menu, invite, games, create, take, pass, leave };

export function sheet(app) {
  const [title, ...kids] = SHEETS[app.sheet](app);
  return h('section', { key: app.sheet, class: 'sheet' }, h('div.row', h('h1.grow', title),
    button(() => app.open(''), { class: 'round', 'aria-label': words('close') }, '✕')), kids);
}

function menu(app) {
  const { state } = app;
  return [words('menu'),
    state && button(() => app.open('invite'), { key: 'invite', class: 'wide' }, words('invite')),
    state?.you && app.button({ say: 'pass' }, { key: 'pass', class: 'wide' }, words('pass')),
    state && h('a', { key: 'public', class: 'wide', href: `/table/${state.room.code}` }, words('public')),
    button(() => {
      hush(!quiet());
      app.draw();
    }, { key: 'sound', class: 'wide', role: 'switch', 'aria-checked': String(!quiet()) }, words('sound'), h('i', quiet() ? words('off') : words('on'))),
    h('div.row', { key: 'language', role: 'group', 'aria-label': words('language') }, Object.entries(LANGUAGES).map(([code, name]) =>
      button(() => app.speak(code), { key: code, class: 'grow', lang: code, 'aria-pressed': String(code === language()) }, name))),
    state && button(() => app.go(''), { key: 'rooms', class: 'wide' }, words('other_rooms')),
    state?.you && button(() => app.open('leave'), { key: 'leave', class: 'wide bad' }, words('leave'))];
}

function invite(app) {
  const { room } = app.state;
  return [words('invite'),
    h('div.center', qr(room.qr), h('b.code.big', room.code)),
    h('p.center.quiet', words('scan')),
    h('input', { id: 'address', readonly: true, value: room.address, 'aria-label': words('address'), onfocus: (event) => event.target.select() }),
    button(() => share(app, room), { class: 'main wide' }, navigator.share ? words('share') : words('copy'))];
}

/* On a plain local network a browser has neither share nor clipboard: then the old command, or the address, selected. */
async function share(app, { name, address }) {
  if (navigator.share) {
    await navigator.share({ title: name, url: address }).catch(() => {});
    return;
  }
  const field = document.getElementById('address');
  field.focus();
  field.select();
  let copied = false;
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(address);
      copied = true;
    } else copied = document.execCommand('copy');
  } catch { /* not allowed here */ }
  app.tell(copied ? words('copied') : words('copy_it'));
}

function games(app) {
  const { lobby } = app.state;
  return [words('choose'), ...(lobby?.games ?? []).map((game) => button(() => {
    app.sheet = '';
    app.say({ say: 'game', game: game.id });
  }, { key: game.id, class: 'card', off: app.off, 'aria-pressed': String(game.id === lobby.game) },
  h('span.name.grow', game.name, h('small', game.summary), h('small', game.seats))))];
}

function create(app) {
  const { draft } = app;
  return [words('create'), form(app.off, words('create'),
    () => app.join({ say: 'create', name: draft.room.trim(), player: draft.name.trim() }),
    field(words('your_name'), draft, 'name', { autocomplete: 'nickname' }),
    field(words('room_name'), draft, 'room', { placeholder: words('may_be_empty') }))];
}

function take(app) {
  const { draft } = app;
  return [words('have_code'), h('p', words('take_how')), form(app.off, words('take'),
    () => app.say({ say: 'take', code: draft.take.replace(/\D/g, '') }),
    field(words('code'), draft, 'take', { class: 'code', inputmode: 'numeric', maxlength: 7 }))];
}

function pass(app) {
  const left = Math.max(0, Math.ceil((app.code.until - Date.now()) / 1000));
  clearTimeout(app.counting);
  if (left > 0) app.counting = setTimeout(app.draw, 1000);
  return [words('pass'), h('p', words('pass_how')),
    left > 0 ? h('b.code.big.center', app.code.code.replace(/(...)(?=.)/g, '$1 '))
      : app.button({ say: 'pass' }, { class: 'main wide' }, words('pass_again')),
    left > 0 && h('p.center.quiet', words('seconds', { count: left }))];
}

function leave(app) {
  return [words('leave_sure'), h('p', words('leave_how')), h('div', { class: 'row' },
    button(() => app.open(''), { class: 'grow' }, words('stay')),
    button(() => {
      app.sheet = '';
      app.say({ say: 'leave' });
      app.forget();
    }, { class: 'bad grow', off: app.off }, words('leave')))];
}
