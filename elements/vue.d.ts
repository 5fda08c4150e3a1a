// Made by `npm run generate` from the table of the elements.

import type { DefineComponent } from 'vue';
import type {
  ConfabCommentsAttributes,
  ConfabCountAttributes,
  ConfabNotificationsAttributes,
  ConfabReactionsAttributes,
  ConfabTexts,
  ConfabTokenSource,
} from './index.js';

type Own = { texts?: ConfabTexts; getToken?: ConfabTokenSource };

declare module 'vue' {
  interface GlobalComponents {
    'confab-comments': DefineComponent<ConfabCommentsAttributes & Own>;
    'confab-count': DefineComponent<ConfabCountAttributes & Own>;
    'confab-notifications': DefineComponent<ConfabNotificationsAttributes & Own>;
    'confab-reactions': DefineComponent<ConfabReactionsAttributes & Own>;
  }
}
