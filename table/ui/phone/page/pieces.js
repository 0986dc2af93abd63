/* Shared by phones and the public table: seats, events, results.
   Its one rule: colour alone never carries meaning; a word or a mark says the same. */

import { h } from './dom.js';
import { dice } from './dice.js';
import { words } from './words.js';

const ROBOT = 'M11 7V4.5a1.5 1.5 0 1 1 2 0V7h3a4 4 0 0 1 4 4v4a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4v-4a4 4 0 0 1 4-4z';

export function face(name, kind, n) {
  return h('span', { class: `who hue${n % 6}`, 'aria-hidden': true }, kind === 'computer'
    ? h('svg', { viewBox: '0 0 24 24' }, h('path', { d: ROBOT }), h('path.eyes', { d: 'M9 12v2m6-2v2' })) : [...name][0]?.toUpperCase() ?? '?');
}

export function readiness({ here, ready }) {
  return h('span', { class: `state${here && ready ? ' good' : ''}` }, !here ? words('away') : ready ? `✓ ${words('ready')}` : words('waits'));
}

export function seats(table, you) {
  return h('ul', { class: `seats${table.seats.length < 6 ? ' few' : ''}${table.seats.length < 4 ? ' duo' : ''}` },
    table.seats.map((seat) => h('li', {
      key: `seat${seat.seat}`, class: `seat${seat.turn ? ' turn' : ''}${seat.out ? ' out' : ''}`,
      'aria-current': seat.turn,
    },
    h('div.top', face(seat.name, seat.kind, seat.seat),
      h('span.name', seat.name, seat.seat === you?.seat && h('small.tag', words('you'))),
      h('b.figure', seat.figure)),
    (seat.dice.length > 0 || seat.kept.length > 0) && h('div.lie',
      seat.dice.length > 0 && dice(seat.dice, { key: 'dice' }),
      seat.kept.length > 0 && dice(seat.kept, { key: 'kept', kept: true })),
    (seat.note || seat.marks.length > 0 || seat.out || !seat.here) && h('p.notes',
      seat.note && h('span.note', seat.note),
      seat.marks.map((mark) => h('span.mark', mark)),
      seat.out && h('span.mark', words('out')),
      !seat.here && h('span.mark.away', words('away'))))));
}

export function told(table, most) {
  const lines = table.told.slice(-most);
  return lines.length > 0 && h('ul.told', lines.map((line) => h('li', line)));
}

export function facts(table) {
  return table.facts.length > 0 && h('dl.facts', table.facts.map((fact) =>
    h('div', h('dt', fact.label), h('dd', fact.value))));
}

export function result(table, you) {
  const mine = table.result?.lines.some((line) => line.won && line.seat === you?.seat);
  return table.result && h('section.result', h('h1', mine ? words('you_win') : table.result.sentence), mine && h('p', table.result.sentence),
    h('ol', table.result.lines.map((line) => h(line.won ? 'li.won' : 'li',
      h('span.crown', { 'aria-hidden': true }, line.won ? '★' : line.place),
      h('span.name', line.name, line.won && h('span.unseen', words('won'))),
      h('b.figure', line.figure)))));
}

/* What is new in this state, for screen readers. */
export function news(state, before) {
  if (state.phase === 'lobby') return state.lobby.why ?? '';
  const { table } = state;
  const old = before?.table?.told ?? [];
  let known = old.length; // the new list can begin with the old one's end
  while (known && `${old.slice(-known)}` !== `${table.told.slice(0, known)}`) known -= 1;
  const said = table.told.slice(known);
  if (table.result && !before?.table?.result) said.push(table.result.sentence);
  else if (table.prompt !== before?.table?.prompt || (state.ask && state.at !== before.at)) said.push(state.ask?.prompt ?? table.prompt);
  return said.join(' ');
}

/* The rules failed at a computer's turn, and the game waits until someone tries again. */
export function stuck(state, app) {
  return state.stuck && h('section.gone', { key: 'stuck' }, h('p', state.stuck),
    app && h('div.row', app.button('', { say: 'retry' }, words('retry'))));
}

export function gone(state, app) {
  return (state.gone ?? []).map((who) => h('section.gone', { key: `gone${who.seat}` },
    h('p', words('gone', { name: who.name })),
    app && h('div.row', [['wait', words('gone_wait')], ['computer', words('gone_computer')],
      ['remove', words('gone_remove', { name: who.name })]].map(([what, label]) =>
      app.button('', { say: 'gone', seat: who.seat, do: what }, label)))));
}
