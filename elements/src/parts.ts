/**
 * The parts that are loaded when they are needed. Each line here becomes a file of its own below `/elements/`; a part
 * imports the entry by `shared.ts` alone.
 */

/** Gets a new token for a session whose token has expired. */
export const loadRenewal = () => import('./sign-in/renewal.ts');

/** What `<confab-count>`, `<confab-notifications>` and `<confab-reactions>` do. */
export const loadOthers = () => import('./others/others.ts');
