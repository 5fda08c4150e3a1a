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
