/* A phone at the table: draws the state that the table sent.
   Its one rule: the page knows no rules. It draws the last state and sends what was touched. */

import { button, draw, h } from './dom.js';
import { die } from './dice.js';
import { rooms } from './rooms.js';
import { lobby } from './lobby.js';
import { play } from './play.js';
import { gone, news, stuck } from './pieces.js';
import { sheet } from './sheet.js';
import { call, feel } from './signals.js';
import { connect } from './socket.js';
import { keep, kept } from './store.js';
import { language, speak, wanted, words } from './words.js';

const at = (id) => document.getElementById(id);
const dialog = at('sheet');
const inAddress = () => (location.pathname.match(/^\/([a-z]{4})$/i)?.[1] ?? '').toUpperCase();

const app = {
  room: inAddress(),
  state: null, // the last state received
  rooms: null, // all rooms, if the requested room does not exist
  sheet: '',
  draft: { name: kept('name'), room: '', code: '', take: '', pin: '', patience: '', to: '' },
  asked: {}, // a choice in progress, discarded when the ask changes
  peek: false, // my dice are visible while I press them
  shown: false, // my dice are visible until I cover them
  get off() {
    return !app.live || app.busy;
  },

  say(message) {
    if (app.off || !line.say(message)) return;
    app.busy = true;
    clearTimeout(app.waited);
    app.waited = setTimeout(() => { // no answer: allow another try
      app.busy = false;
      app.draw();
    }, 4000);
    app.draw();
  },
  /* Sends a lookup, which does not block the buttons. */
  ask: (message) => line.say(message),
  /* Opens the records, which are loaded on first use. */
  async look(page, facts) {
    await fetched();
    app.leaf?.open(page, facts);
  },
  /* A button that sends a message to the table. */
  button(kind, message, ...rest) {
    const { props, kids } = h('', ...rest);
    return button(kind, () => app.say(message), { off: app.off, ...props }, kids);
  },
  /* Each touch sends the id of the ask on the page; the table ignores the touch if the ask has changed. */
  touch(kind, say, pick, ...rest) {
    return app.button(kind, { say, pick, at: app.state.ask.at }, ...rest);
  },
  join(message) {
    keep('name', app.draft.name.trim());
    app.say(message);
  },
  go(room) {
    history.pushState(null, '', `/${room}`);
    arrive();
  },
  open(name) {
    app.sheet = name;
    app.note = app.draft.pin = '';
    app.draw();
  },
  tell(text) {
    app.note = text;
    clearTimeout(app.noted);
    app.noted = setTimeout(() => app.tell(''), 6000);
    app.aloud(text);
    app.draw();
  },
  aloud(text) {
    at('live').textContent = text;
  },
  async speak(wish) {
    await speak(wish);
    keep('language', wish);
    line.say({ say: 'language', language: wish });
    app.draw();
  },
  draw() {
    if (!app.due) app.due = requestAnimationFrame(show);
  },
};

async function fetched() {
  try {
    const { records } = await import('./records.js');
    app.leaf ??= records(app);
  } catch {
    app.tell(words('connecting'));
  }
}

async function turned({ state }) {
  if (state?.asked) await fetched();
  return app.leaf?.turned(state);
}

function entitle(leaf) {
  const { state } = app;
  const title = leaf ? leaf.title : state ? state.table?.title ?? state.room.name : words('title');
  document.title = state?.ask ? `● ${words('your_turn')} · ${title}` : title;
  return title;
}

function show() {
  app.due = 0;
  const { state } = app;
  const leaf = app.leaf?.on && app.leaf.draw();
  const { main, foot } = leaf || (!state ? rooms(app) : state.phase === 'lobby' ? lobby(app) : play(app));
  const title = entitle(leaf);
  draw(at('bar'), !app.live && h('p.connecting', words('connecting')));
  draw(at('page'),
    h('header', leaf ? button('.round.back', () => history.back(), { 'aria-label': words('back') }, '‹') : die(5, { plain: true }),
      h('div.grow', h('strong', title), h('small', leaf ? leaf.small : state?.table?.round ?? state?.room.code ?? '')),
      leaf ? button('.round', app.leaf.close, { key: 'close', 'aria-label': words('close') }, '✕')
        : button('.round', () => app.open('menu'), { key: 'menu', 'aria-label': words('menu') }, '☰')),
    h('main', { tabindex: '-1', 'data-home': foot ? null : true, key: leaf ? leaf.key : `main${state?.phase}` },
      app.moved && h('p.say', words('moved')), !leaf && state && [stuck(state, state.you && app), gone(state, state.you && app)], main),
    foot && h('footer', { tabindex: '-1', 'data-home': true }, foot));
  const note = (alert) => app.note && h('p.say', { role: alert }, app.note);
  draw(at('note'), !app.sheet && note());
  draw(dialog, app.sheet && [sheet(app), note('alert')]);
  if (app.sheet && !dialog.open) dialog.showModal();
  if (!app.sheet && dialog.open) dialog.close();
}

const hears = {
  yours({ room, token }) {
    keep(room, token);
    enter(room);
    app.sheet = '';
  },
  code({ code, seconds }) {
    app.code = { code, until: Date.now() + seconds * 1000 };
    app.sheet = 'pass';
  },
  refused: ({ why }) => app.tell(why),
  records: (message) => app.leaf?.hear(message),
  rooms(message) {
    if (app.state) app.sheet = '';
    app.rooms = message;
    app.state = null;
  },
  moved() {
    keep(app.room, '');
    app.moved = true;
    app.sheet = '';
    if (app.state) app.state = { ...app.state, you: null, hand: null, ask: null };
  },
  state: take,
};

function hear(message) {
  app.busy = false;
  if (app.done) app.tell(app.done); // a refusal replaces this text
  app.done = '';
  hears[message.is]?.(message);
  entitle(); // draw() would wait until the page is visible
  app.draw();
}

function enter(room) {
  app.room = room;
  if (inAddress() !== room) history.replaceState(null, '', `/${room}`);
}

function take(state) {
  const before = app.state;
  const { code } = state.room;
  const known = app.room === code;
  app.state = state;
  enter(code);
  if (!known && !state.you && kept(code)) line.again(); // the table's only room: tell it who we are
  if (state.you) app.moved = false;
  if (state.ask?.at !== app.asked.at) app.asked = { at: state.ask?.at };
  if (String(state.hand?.dice) !== String(before?.hand?.dice)) app.peek = app.shown = false;
  if (state.ask && before && !before.ask) call();
  const said = news(state, before);
  if (said && !app.peek && !app.shown) app.aloud(said);
}

function arrive() {
  app.room = inAddress();
  app.state = app.rooms = app.note = null;
  app.sheet = '';
  line.again();
  app.draw();
}

await speak(wanted());
const line = connect(
  () => ({ say: 'hello', room: app.room, token: (app.room && kept(app.room)) || '', language: language(), watch: false }),
  hear,
  (live) => {
    app.live = live;
    app.busy = false;
    if (!live) app.aloud(words('connecting'));
    else app.leaf?.again();
    app.draw();
  },
);
app.askToShake = feel(() => {
  const ask = app.state?.ask;
  if (ask?.kind === 'roll') app.say({ say: 'roll', at: ask.at });
}, app.draw);
dialog.addEventListener('close', () => app.open(''));
dialog.addEventListener('click', (event) => event.target === dialog && app.open(''));
addEventListener('popstate', async (event) => await turned(event) || arrive());
document.addEventListener('visibilitychange', () => {
  app.peek = app.shown = false; // hide the dice when the phone is put away
  app.draw();
});
turned(history);
app.draw();
