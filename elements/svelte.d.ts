// Made by `npm run generate` from the table of the elements.

import type { HTMLAttributes } from 'svelte/elements';
import type {
  ConfabCommentsAttributes,
  ConfabCommentsElement,
  ConfabCountAttributes,
  ConfabCountElement,
  ConfabNotificationsAttributes,
  ConfabNotificationsElement,
  ConfabReactionsAttributes,
  ConfabReactionsElement,
  ConfabTexts,
  ConfabTokenSource,
} from './index.js';

type Own = { texts?: ConfabTexts; getToken?: ConfabTokenSource };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'confab-comments': ConfabCommentsAttributes & Own & HTMLAttributes<ConfabCommentsElement>;
    'confab-count': ConfabCountAttributes & Own & HTMLAttributes<ConfabCountElement>;
    'confab-notifications': ConfabNotificationsAttributes & Own & HTMLAttributes<ConfabNotificationsElement>;
    'confab-reactions': ConfabReactionsAttributes & Own & HTMLAttributes<ConfabReactionsElement>;
  }
}
