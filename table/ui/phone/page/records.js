/* The records: who won what, finished games step by step, dice, and how somebody played.
   Its one rule: it is fetched when somebody first looks at it, and knows no more than it is sent. */

import { button, field, h } from './dom.js';
import { called, die } from './dice.js';
import { face, facts, seats } from './pieces.js';
import { balance, bar, chances, columns, dots, luck, standings } from './charts.js';
import { language, words } from './words.js';

const PAGES = { board, players, player, games, game, replay, dice, review };
const MOST_SEEN = 40; // answers that are there at once on the way back

const look = document.createElement('link');
await new Promise((done) => {
  look.rel = 'stylesheet';
  look.onload = look.onerror = done;
  look.href = '/page/records.css';
  document.head.append(look);
});

export function records(app) {
  const seen = new Map();
  let asked = null; // what is looked at,
  let depth = 0; // how far it is back to the table,
  let announced = ''; // and what was last said aloud
  const key = ({ page, name, number, at }) => JSON.stringify([language(), page, name, number, page === 'replay' || at]);
  const found = () => seen.get(key(asked));

  function ask() {
    app.ask({ say: 'records', ...asked });
  }

  /* What was seen may be of yesterday: it is asked for again, but for the steps of a game, and on the way back. */
  function show(next, back) {
    asked = next;
    leaf.sure = '';
    const known = found();
    const enough = next.page === 'replay' ? known?.steps?.[next.at] : back && known && !known.thinking;
    if (!enough || known.why) ask();
    app.draw();
  }

  const leaf = {
    get on() {
      return Boolean(asked);
    },
    /* `instead`: the page before it is not gone back to. */
    open(page, { name = '', number = 0, at = 0, instead = false } = {}) {
      const next = { page, name, number, at };
      if (!instead || !depth) depth += 1;
      history[instead && asked ? 'replaceState' : 'pushState']({ asked: next, depth }, '');
      if (!instead) scrollTo(0, 0);
      if (page === 'review' && !number) seen.delete(key(next)); // of the game just played: by now it is another
      app.draft.pin = app.draft.to = announced = '';
      show(next);
    },
    close: () => history.go(-depth),
    /* Back or on, by the browser's own buttons; whether that was ours. */
    turned(state) {
      const was = asked;
      asked = null;
      depth = state?.depth ?? 0;
      if (state?.asked) show(state.asked, true);
      else if (was) app.draw();
      return Boolean(state?.asked || was);
    },
    again() {
      if (asked) show(asked, true);
    },
    hear(message) {
      if (message.page === 'changed') return changed(message.name);
      const where = key(message);
      const before = seen.get(where);
      if (message.steps) message.steps = merged(before?.steps, message);
      seen.delete(where);
      seen.set(where, message);
      if (seen.size > MOST_SEEN) seen.delete(seen.keys().next().value);
      if (asked && where === key(asked) && !message.thinking && announced !== where) {
        announced = where;
        app.aloud(message.why ?? message.title);
      }
      return app.draw();
    },
    draw() {
      const page = found();
      const drawn = page && !page.why && !page.thinking ? PAGES[asked.page](page, leaf, app, asked) : {};
      return {
        key: key(asked),
        title: page?.title ?? words('records'),
        small: drawn.small ?? '',
        foot: drawn.foot,
        main: [
          app.state?.ask && button('.main.wide', leaf.close, words('your_turn')),
          page?.tabs && h('nav.tabs', { 'aria-label': words('records') }, page.tabs.map((tab) => button('.small', () => leaf.open(tab.page, { instead: true }),
            { 'aria-current': tab.page === asked.page && 'page' }, tab.label))),
          !page && h('p.center.quiet', { role: 'status' }, words('reading')),
          page?.why && h('p.say', { role: 'status' }, page.why),
          page?.thinking && h('section.card', h('p', { role: 'status' }, page.thinking), bar(page.part, 1)),
          drawn.main,
        ],
      };
    },
  };

  function changed(name) {
    seen.clear();
    app.draft.pin = app.draft.to = '';
    app.tell(words('saved'));
    if (name) leaf.open('player', { name, instead: true });
    else history.back();
  }
  return leaf;
}

function merged(steps = [], { steps: more, from }) {
  const all = [...steps];
  more.forEach((step, n) => { all[from + n] = step; });
  return all;
}

const further = (page, leaf, asked) => page.more > 0 &&
  button('.wide', () => leaf.open(asked.page, { ...asked, number: page.more }), words('further'));

/* A line that leads somewhere, or only says something. */
function line(does, ...kids) {
  return does ? button('.card.line', does, kids) : h('div.card.line', kids);
}

function board(page, leaf, app, asked) {
  const chosen = page.games.findIndex((each) => each.id === asked.name);
  return { main: [
    h('label.row', h('b.grow', page.label), h('select', {
      value: chosen, 'aria-label': words('which_game'),
      onchange: (event) => leaf.open('board', { name: page.games[event.target.value].id, instead: true }),
    }, page.games.map((each, n) => h('option', { value: n, key: n }, each.label)))),
    page.lines.length === 0 && h('p.quiet', page.none),
    h('ol.lines', page.lines.map((each) => h('li', { key: each.name },
      line(each.known && (() => leaf.open('player', { name: each.name })),
        h('span.row', h('b.place', each.place), h('span.name.grow', each.name), h('span.figure', each.figure)),
        bar(each.won, page.most, each.played))))),
    further(page, leaf, asked),
  ] };
}

function players(page, leaf, app, asked) {
  return { main: [
    page.lines.length === 0 && h('p.quiet', page.none),
    h('ul.lines', page.lines.map(({ name, figure }, n) => h('li', { key: name },
      line(() => leaf.open('player', { name }),
        h('span.row', face(name, '', n), h('span.name.grow', name), h('span.quiet', figure)))))),
    further(page, leaf, asked),
  ] };
}

function player(page, leaf, app, { name }) {
  const { labels } = page;
  return { small: page.days.length > 0 && page.days.join(' – '), main: [
    h('section.card', page.figure && h('p.row', h('b.grow', labels.won), h('b.figure', page.figure)),
      h('p', page.streak),
      page.recent.length > 0 && [h('p.quiet', labels.recent), dots(page.recent, page.figure)]),
    page.games.length > 0 && h('section.card', h('h2', labels.games), page.games.map((each) => [
      h('p.row', h('span.grow', each.label), h('span.figure', each.figure)),
      bar(each.won, Math.max(...page.games.map((other) => other.played)), each.played)]),
    button('.small', () => leaf.open('games', { name }), words('their_games'))),
    page.rivals.length > 0 && h('section', h('h2', labels.rivals), h('ul.lines', page.rivals.map((each) => h('li', { key: each.name },
      line(() => leaf.open('player', { name: each.name }),
        h('span.row', h('span.name.grow', each.name), h('span.quiet', each.figure)), balance(each), each.rest && h('small', each.rest)))))),
    page.moments.length > 0 && h('section', h('h2', labels.moments), h('ul.lines', page.moments.map((each, n) => h('li', { key: n },
      line(() => leaf.open('game', { number: each.number }), h('span.row', h('span.grow', each.text), h('small', each.label))))))),
    page.faces.map(thrown),
    change(leaf, app, name),
  ] };
}

/* The operator's: what cannot be taken back is asked about once more. */
function change(leaf, app, name) {
  const { draft } = app;
  const say = (word, more) => () => app.say({ say: word, pin: draft.pin, name, ...more });
  const sure = (word) => () => {
    leaf.sure = word;
    app.draw();
  };
  const to = draft.to.trim();
  const twice = (word, label, how, more) => leaf.sure === word && h('div.row', h('p.grow', how), button('.bad', say(word, more), { off: app.off }, label));
  return h('details.card', h('summary', words('change_player')), h('div.change',
    field(words('pin'), draft, 'pin', { type: 'password', inputmode: 'numeric' }),
    field(words('new_name'), draft, 'to'),
    twice('merge_player', words('merge'), words('merge_sure', { name, to }), { to }) || h('div.row',
      button('.grow', () => say('rename_player', { to: draft.to.trim() })(), { off: app.off }, words('save')),
      button('.grow', sure('merge_player'), { off: app.off }, words('merge'))),
    h('small', words('merge_how')),
    twice('forget_player', words('forget'), words('forget_how', { name })) || button('.bad', sure('forget_player'), words('forget'))));
}

function games(page, leaf, app, asked) {
  return { small: asked.name && page.label, main: [
    page.lines.length === 0 ? h('p.quiet', page.none) : h('p.quiet', words('games_in_all', { total: page.total })),
    h('ul.lines', page.lines.map((each) => h('li', { key: each.number },
      line(() => leaf.open('game', { number: each.number }),
        h('span.row', h('b.name.grow', each.game), h('small', `${each.day} · ${each.numbered}`)),
        h('span', each.players), h('b.outcome', each.result))))),
    further(page, leaf, asked),
  ] };
}

function game(page, leaf) {
  const go = (name, at) => () => leaf.open(name, { number: page.game, at });
  return { small: `${page.day} · ${page.numbered}`, main: [
    h('h1', page.result),
    page.options.length > 0 && h('p.quiet', page.options.join(' · ')),
    h('ul.lines', page.order.map((n) => [page.seats[n], n]).map(([each, n]) => h('li', { key: n },
      line(each.player && (() => leaf.open('player', { name: each.player })),
        h('span.row', face(each.name, each.kind, n), h('span.name.grow', each.won && '★ ', each.name,
          each.won && h('span.unseen', words('won'))), h('b.figure', each.figure)))))),
    page.gone && h('p.say', page.gone),
    page.replay && button('.main.wide', go('replay', 0), words('replay')),
    page.reviews.map((each) => button('.wide', go('review', each.seat), { key: `review${each.seat}` }, each.label)),
    page.standings.length > 0 && h('section.card', h('h2', words('standings')),
      standings(page.standings, page.seats.map((each) => each.name), page.seats.map((each) => `${each.name}: ${each.figure}`).join(', '))),
    page.luck.length > 0 && h('section.card', h('h2', page.luck_label), page.luck.map((each) => h('div.luck', { key: each.name },
      h('p', each.text), each.part != null && luck(each.part), h('small', each.throws)))),
  ] };
}

function replay(page, leaf, app, asked) {
  const last = page.count - 1;
  const at = Math.min(Math.max(asked.at, 0), last);
  const step = page.steps[at];
  const go = (to) => {
    const next = Math.min(Math.max(to, 0), last);
    leaf.open('replay', { ...asked, at: next, instead: true });
    app.aloud(page.steps[next]?.told.join('. ') ?? '');
  };
  const move = (to, shape, label) => button('', () => go(to), { off: to < 0 || to > last || to === at, 'aria-label': label },
    h('svg', { viewBox: '0 0 24 24', 'aria-hidden': true }, h('path', { d: shape })));
  return {
    small: step?.round ?? '',
    main: [
      h('section.prompt', h('b.tag', words('step', { number: at + 1, count: page.count })),
        step ? step.told.map((told) => h('h1.told_now', told)) : h('p.quiet', words('reading')),
        at === last && h('b.outcome', page.result)),
      step && facts(step),
      step && seats(step),
    ],
    foot: [
      h('input', { type: 'range', min: 0, max: last, value: at, 'aria-label': words('which_step'),
        'aria-valuetext': words('step', { number: at + 1, count: page.count }), oninput: (event) => go(Number(event.target.value)) }),
      h('div.row.steps', move(0, 'M4 5h3v14H4zM20 5v14L8 12z', words('step_first')), move(at - 1, 'M17 5v14L6 12z', words('step_back')),
        move(at + 1, 'M7 5v14l11-7z', words('step_on')), move(last, 'M4 5v14l12-7zM17 5h3v14h-3z', words('step_last'))),
    ],
  };
}

function review(page, leaf, app, asked) {
  if (page.none) return { main: h('p.say', page.none) };
  const others = page.seats.length > 1 && h('div.row', { role: 'group', 'aria-label': words('who') }, page.seats.map((each) =>
    button('.small.grow', () => leaf.open('review', { ...asked, at: each.seat, instead: true }), { 'aria-pressed': each.seat === page.seat }, each.name)));
  const all = page.decisions.map((each, n) => ({ ...each, n }));
  const slips = all.filter((each) => each.best).sort((a, b) => b.given - a.given).slice(0, 5);
  const told = (each) => h('li', { key: each.n }, line(() => leaf.open('replay', { number: page.game, at: each.step }),
    h('span.row', h('b.grow', each.place), each.cost ? h('b.bad', `▾ ${each.cost}`) : h('span.good', `✓ ${words('as_perfect')}`)),
    h('span', each.chosen), each.best && h('span.better', words('better', { best: each.best }))));
  return { main: [
    others,
    h('p.lead', page.lead),
    h('div.figures', facts({ facts: page.figures })),
    h('section.card', h('h2', words('chance')), chances(page), h('small', words('chance_how'))),
    h('p', page.balance),
    page.notes.map((note) => h('p.quiet', note)),
    page.right ? h('p', page.right) : h('section', h('h2', words('slips')), h('ol.lines', slips.map(told))),
    h('details.card', h('summary', words('decisions')), h('ol.lines', all.map(told))),
  ] };
}

function dice(page) {
  return { main: page.none ? h('p.quiet', page.none) : [
    h('p.quiet', page.trap),
    page.groups.map((group) => group.faces.length > 0 && h('section', { key: group.label }, h('h2', group.label), group.faces.map(thrown))),
  ] };
}

function thrown(each) {
  const said = each.faces.map(({ shown }, n) => `${called(n + 1)} ${shown}`).join(', ');
  return h('section.card', { key: each.label }, h('h3', each.label),
    columns(each, (n) => die(n, { plain: true }), said),
    h('p', { class: each.level === 'unfair' || each.level === 'odd' ? 'bad' : null }, each.text),
    h('details', h('summary', words('needed')), each.needed.map((text) => h('p.quiet', text)), h('p.quiet', words('band'))));
}
