// All texts of the page, in the language that the player has chosen, or that of their browser. Another
// language is another file in texts/; `tsc` says what it lacks.

import { readOptions } from './app/options.js';
import { texts as english } from './texts/en.js';

/** @typedef {typeof english} Texts */
/** @typedef {keyof typeof LANGUAGES} Language */

/** What each language is called in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** @type {Record<Language, () => Promise<Texts>>} */
const LOAD = {
  en: async () => english,
  de: async () => (await import('./texts/de.js')).texts,
};

/** @param {string} code @returns {code is Language} */
const isKnown = (code) => code in LANGUAGES;

function chosen() {
  const wanted = [readOptions().language, ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.find(isKnown) ?? 'en';
}

/**
 * @param {Language} language
 * @returns {Promise<{language: Language, texts: Texts}>} English where another one cannot be loaded
 */
async function load(language) {
  try {
    return { language, texts: await LOAD[language]() };
  } catch {
    return { language: 'en', texts: english };
  }
}

export const { language, texts } = await load(chosen());
