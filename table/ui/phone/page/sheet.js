/* Sheets over the page: the menu, the invitation, a code that moves a seat, settings.
   Its one rule: every sheet can be closed without doing anything. */

import { button, field, form, h } from './dom.js';
import { qr } from './dice.js';
import { hush, quiet } from './signals.js';
import { keep } from './store.js';
import { LANGUAGES, language, words } from './words.js';

const SHEETS = { menu, invite, games, create, rename, take, pass, operator, leave };

export function sheet(app) {
  const [title, ...kids] = SHEETS[app.sheet](app);
  return h('section.sheet', { key: app.sheet }, h('div.row', h('h1.grow', title),
    button('.round', () => app.open(''), { 'aria-label': words('close') }, '✕')), kids);
}

function menu(app) {
  const { state } = app;
  return [words('menu'),
    state && button('.wide', () => app.open('invite'), words('invite')),
    state?.you && app.button('.wide', { say: 'pass' }, words('pass')),
    state && h('a.wide', { href: `/table/${state.room.code}` }, words('public')),
    button('.wide', () => {
      app.open('');
      app.look('board');
    }, words('records')),
    button('.wide', () => {
      hush(!quiet());
      app.draw();
    }, { role: 'switch', 'aria-checked': !quiet() }, words('sound'), h('i', quiet() ? words('off') : words('on'))),
    h('div.row', { role: 'group', 'aria-label': words('language') }, Object.entries(LANGUAGES).map(([code, name]) =>
      button('.grow', () => app.speak(code), { lang: code, 'aria-pressed': code === language() }, name))),
    state && button('.wide', () => app.go(''), words('other_rooms')),
    button('.wide', () => app.open('operator'), words('operator')),
    state?.you && button('.wide.bad', () => app.open('leave'), words('leave'))];
}

function invite(app) {
  const { room } = app.state;
  return [words('invite'),
    h('div.center', qr(room.qr), h('b.code.big', room.code)),
    h('p.center.quiet', words('scan')),
    h('input', { id: 'address', readonly: true, value: room.address, 'aria-label': words('address'), onfocus: (event) => event.target.select() }),
    button('.main.wide', () => share(app, room), navigator.share ? words('share') : words('copy'))];
}

/* Without HTTPS there is no navigator.share: use the old copy command, or select the address. */
function share(app, { name, address }) {
  if (navigator.share) return navigator.share({ title: name, url: address }).catch(() => {});
  document.getElementById('address').focus();
  return app.tell(document.execCommand('copy') ? words('copied') : words('copy_it'));
}

function games(app) {
  const { lobby } = app.state;
  return [words('choose'), ...(lobby?.games ?? []).map((game) => button('.card', () => {
    app.sheet = '';
    app.say({ say: 'game', game: game.id });
  }, { off: app.off || game.broken, 'aria-pressed': game.id === lobby.game },
  h('span.name.grow', game.name, h('small', game.summary), h('small', game.seats))))];
}

function create(app) {
  const { draft } = app;
  return [words('create'), form(app.off, words('create'),
    () => app.join({ say: 'create', name: draft.room.trim(), player: draft.name.trim() }),
    field(words('your_name'), draft, 'name', { autocomplete: 'nickname' }),
    field(words('room_name'), draft, 'room', { placeholder: words('may_be_empty') }))];
}

function rename(app) {
  const { draft } = app;
  return [words('rename'), form(app.off, words('save'), () => {
    app.sheet = '';
    app.join({ say: 'rename', name: draft.name.trim() });
  }, field(words('your_name'), draft, 'name', { autocomplete: 'nickname' }))];
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
      : app.button('.main.wide', { say: 'pass' }, words('pass_again')),
    left > 0 && h('p.center.quiet', words('seconds', { count: left }))];
}

/* The page does not know the current settings, so each setting has a button for each of its two values. */
function operator(app) {
  const { draft } = app;
  const set = (name, value) => {
    app.done = words('saved');
    app.say({ say: 'settings', pin: draft.pin, name, value });
  };
  return [words('operator'), field(words('pin'), draft, 'pin', { type: 'password', inputmode: 'numeric' }),
    [['odds', words('odds')], ['create', words('new_rooms')]].map(([name, label]) => h('div.row', h('span.grow', label),
      [words('off'), words('on')].map((word, n) => button('', () => set(name, n > 0), { off: app.off, 'aria-label': `${label}: ${word}` }, word)))),
    form(app.off, words('save'), () => set('patience', draft.patience | 0), field(words('patience'), draft, 'patience', { inputmode: 'numeric' }))];
}

function leave(app) {
  return [words('leave_sure'), h('p', words('leave_how')), h('div.row', button('.grow', () => app.open(''), words('stay')),
    button('.bad.grow', () => {
      app.sheet = '';
      app.say({ say: 'leave' });
      keep(app.room, '');
    }, { off: app.off }, words('leave')))];
}
