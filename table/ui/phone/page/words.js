/* The page's own texts, in the language of the phone's user; the game's texts come with the state.
   Its one rule: no texts in the code, except the languages' own names. */

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

/* Retries until the texts are loaded: a page without them is useless, and the table might just be starting. */
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
