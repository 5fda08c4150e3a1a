import type { Parts } from './later.ts';

/**
 * The files of the parts that are loaded when they are needed, which `later.ts` describes. Each line here becomes a file of its
 * own below `/elements/`; a part imports the entry by `shared.ts` alone.
 */

/** What loads each part. */
export const loaders: Parts = {
  keeping: () => import('./sign-in/keeping.ts'),
  account: () => import('./my-data/account.ts'),
  writer: () => import('./write/write.ts'),
  extras: () => import('./extras/extras.ts'),
  seldom: () => import('./seldom/seldom.ts'),
};

/** What `<confab-annotations>`, `<confab-count>`, `<confab-notifications>` and `<confab-reactions>` do. */
export const loadOthers = () => import('./others/others.ts');
