/* The records: pages made of blocks that include all their texts, and replays of finished games.
   Its one rule: it is loaded on first use, and knows only what it receives. */

import { button, field, h } from './dom.js';
import { called, die } from './dice.js';
import { face, facts, seats } from './pieces.js';
import { bar, chances, columns, dots, luck, standings } from './charts.js';
import { language, words } from './words.js';

const MOST_SEEN = 40; // pages cached for going back

const look = document.createElement('link');
await new Promise((done) => {
  look.rel = 'stylesheet';
  look.onload = look.onerror = done;
  look.href = '/page/records.css';
  document.head.append(look);
});

export function records(app) {
  const seen = new Map();
  let asked = null; // the page shown
  let depth = 0; // how many history entries lead back to the table
  let announced = ''; // the page last announced
  const key = ({ page, name, number, at }) => JSON.stringify([language(), page, name, number, page === 'replay' || at]);
  const found = () => seen.get(key(asked));

  function ask() {
    app.ask({ say: 'records', ...asked });
  }

  /* A cached page might be outdated, so it is requested again, unless the user goes back to it or it is a step of a replay. */
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
    /* `instead` replaces the current history entry. */
    open(page, { name = '', number = 0, at = 0, instead = false } = {}) {
      const next = { page, name, number, at };
      if (!instead || !depth) depth += 1;
      history[instead && asked ? 'replaceState' : 'pushState']({ asked: next, depth }, '');
      if (!instead) scrollTo(0, 0);
      if (page === 'review' && !number) seen.delete(key(next)); // the cached one might be of an earlier game
      app.draft.pin = app.draft.to = announced = '';
      show(next);
    },
    to: (link, instead) => link && (() => leaf.open(link.page, { ...link, instead })),
    close: () => history.go(-depth),
    /* Handles the browser's back and forward buttons. Returns whether the entry was ours. */
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
      const drawn = page?.steps ? replay(page, leaf, app, asked) : { small: page?.detail, main: page?.blocks && blocks(page.blocks, leaf) };
      return {
        key: key(asked),
        title: page?.title ?? words('records'),
        small: drawn.small ?? '',
        foot: drawn.foot,
        main: [
          app.state?.ask && button('.main.wide', leaf.close, words('your_turn')),
          page?.tabs && h('nav.tabs', { 'aria-label': words('records') }, page.tabs.map(([label, link]) => button('.small', leaf.to(link, true),
            { 'aria-current': link.page === asked.page && 'page' }, label))),
          !page && h('p.center.quiet', { role: 'status' }, words('reading')),
          page?.why && h('p.say', { role: 'status' }, page.why),
          page?.thinking && h('section.card', h('p', { role: 'status' }, page.thinking), bar({ part: page.part })),
          drawn.main,
          page?.blocks && asked.page === 'player' && change(leaf, app, asked.name),
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

function blocks(all, leaf) {
  return all.map((block, n) => BLOCKS[block.is]({ key: n, ...block }, leaf));
}

const TONES = { lead: '.lead', quiet: '.quiet', bad: '.bad', good: '.good' };
const text = (block) => h(`p${TONES[block.tone] ?? ''}`, block.text);

function section({ title, blocks: inner, folded, key }, leaf) {
  return folded ? h('details.card', { key }, h('summary', title), blocks(inner, leaf))
    : h('section', { key }, h('h2', title), blocks(inner, leaf));
}

const figure = ({ tone, mark, detail }) => (tone === 'bad' ? 'b.bad' : tone === 'good' && !mark ? 'small.good' : detail ? 'small' : 'b.figure');

/* A row is a link, or plain text. */
function rows(block, leaf) {
  if (block.tiles) return h('div.figures', facts({ facts: block.rows.map(({ label, figures }) => ({ label, value: figures[0] })) }));
  return h(`${block.rows[0].mark > 0 ? 'ol' : 'ul'}.lines`, block.rows.map((row, n) => {
    const said = [
      h('span.row', row.face ? face(row.label, row.face, n) : row.mark && h('b.place', row.mark),
        h(`${row.detail ? 'b' : 'span'}.name.grow`, row.face && row.mark && `${row.mark} `, row.label, row.tone === 'good' && row.mark && h('span.unseen', words('won'))),
        h(figure(row), row.figures?.join(' · '))),
      row.detail && h('span', row.detail), row.note && h('small', row.note), row.bar && bar(row.bar)];
    return h('li', { key: n }, row.link ? button('.card.line', leaf.to(row.link), said) : h('div.card.line', said));
  }));
}

function table({ heads, lines }) {
  return h('table.card', h('thead', h('tr', heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', lines.map(([label, ...figures]) => h('tr', h('th', { scope: 'row' }, label), figures.map((figure) => h('td', figure))))));
}

const go = ({ label, link, main, key }, leaf) => button(main ? '.main.wide' : '.wide', leaf.to(link), { key }, label);

function choice({ label, links, at }, leaf) {
  return h('label.row', h('b.grow', label), h('select', {
    value: at, onchange: (event) => leaf.to(links[event.target.value][1], true)(),
  }, links.map(([name], n) => h('option', { value: n, key: n }, name))));
}

const series = (block) => h('div.card', standings(block));
const lucky = (block) => h('div.card.luck', h('p', block.text), block.part != null && luck(block.part), h('small', block.detail));
const chance = (block) => h('div.card', chances(block));

function faces(block, leaf) {
  const said = block.shown.map((shown, n) => `${called(n + 1)} ${shown}`).join(', ');
  return h('section.card', { key: block.label }, h('h3', block.label),
    columns(block, (n) => die(n, { plain: true }), said),
    h('p', { class: block.level === 'unfair' || block.level === 'odd' ? 'bad' : null }, block.text),
    block.needed && h('details', h('summary', words('needed')), block.needed.map((each) => h('p.quiet', each))));
}

const BLOCKS = { text, rows, table, dots, faces, series, luck: lucky, chances: chance, go, switch: choice, section };

/* For the operator. Irreversible changes need a confirmation. */
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
