/* The words of the page itself, in the language of whoever holds it; what the game says comes in the state.
   Its one rule: no text stands in the code, except what languages call themselves. */

import { kept } from './store.js';

export const LANGUAGES = { en: 'English', es: 'Español' };
let texts = {};
let now = '';

export const language = () => now;

export function words(key, facts = {}) {
  let text = texts[key] ?? '';
  if (typeof text === 'object') text = text[facts.count === 1 ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (all, name) => facts[name] ?? all);
}

export function wanted() {
  const all = [kept('language'), ...navigator.languages.map((each) => each.slice(0, 2).toLowerCase())];
  return all.find((each) => each in LANGUAGES) ?? 'en';
}

/* Tries until it has them: a page without words is of no use, and the table may just be starting. */
export async function speak(wish) {
  for (;;) {
    const answer = await fetch(`/words/${wish}.json`).catch(() => null);
    if (answer?.ok) {
      texts = await answer.json();
      now = document.documentElement.lang = wish;
      return;
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}
