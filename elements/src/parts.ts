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
/** Shows attachments, previews of links and polls. */
export const loadExtras = () => import('./extras/extras.ts');
/**
 * Shows comments that a permalink names, reads again what has changed and keeps the place of what is read, knows whether a page
 * that nobody has commented on can be opened, shows who is writing and how many are here, and refuses servers that are not
 * trusted.
 */
export const loadSeldom = () => import('./seldom/seldom.ts');
/** What `<confab-count>`, `<confab-notifications>` and `<confab-reactions>` do. */
export const loadOthers = () => import('./others/others.ts');
