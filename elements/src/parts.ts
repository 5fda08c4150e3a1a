import type { Texts } from './texts/texts.ts';

/**
 * The parts that are loaded when they are needed. Each line here becomes a file of its own below `/elements/`; a part
 * imports the entry by `shared.ts` alone.
 */

/** Begins sessions that the page comes with, and renews them. */
export const loadKeeping = () => import('./sign-in/keeping.ts');
/** Shows who is signed in, and asks people to sign in. */
export const loadAccount = () => import('./my-data/account.ts');

/** Writes, answers, edits, removes, reacts, votes and reports. */
export const loadWriter = () => import('./write/write.ts');

/** What `<confab-count>`, `<confab-notifications>` and `<confab-reactions>` do. */
export const loadOthers = () => import('./others/others.ts');
/** What moderators do in place. */
export const loadModeration = () => import('./moderate/moderate.ts');

/** The texts of the languages other than English, by their codes. */
export const loadTexts: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>> = {
  ar: () => import('./texts/languages/ar.ts'),
  de: () => import('./texts/languages/de.ts'),
  es: () => import('./texts/languages/es.ts'),
  fr: () => import('./texts/languages/fr.ts'),
  he: () => import('./texts/languages/he.ts'),
  hi: () => import('./texts/languages/hi.ts'),
  it: () => import('./texts/languages/it.ts'),
  ja: () => import('./texts/languages/ja.ts'),
  ko: () => import('./texts/languages/ko.ts'),
  nl: () => import('./texts/languages/nl.ts'),
  pl: () => import('./texts/languages/pl.ts'),
  pt: () => import('./texts/languages/pt.ts'),
  tr: () => import('./texts/languages/tr.ts'),
  zh: () => import('./texts/languages/zh.ts'),
};
