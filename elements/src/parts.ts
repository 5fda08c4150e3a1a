/**
 * The parts that are loaded when they are needed. Each line here becomes a file of its own below `/elements/`; a part
 * imports the entry by `shared.ts` alone.
 */

/** Gets a new token for a session whose token has expired. */
export const loadRenewal = () => import('./sign-in/renewal.ts');

/** Brings `<confab-count>` to life. */
export const loadCount = () => import('./count/count.ts');

/** Brings `<confab-notifications>` to life. */
export const loadNotifications = () => import('./notifications/notifications.ts');

/** Brings `<confab-reactions>` to life. */
export const loadReactions = () => import('./reactions/reactions.ts');
