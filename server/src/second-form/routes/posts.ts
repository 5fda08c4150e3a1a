import { secondFormPostOperations } from 'confab-contract/second-form/posts.ts';
import { handler } from '../../binding/handler.ts';
import type { Links } from '../../features/entries/entries.ts';
import { listFeed } from '../../features/posts/feed.ts';
import type { PageAnswer } from '../../kernel/page.ts';

// `after` is no cursor here, so no answer has a link with one.
const withoutLink = ({ body }: PageAnswer): PageAnswer => ({ body, next: undefined });

/** The posts of the apps that the caller can see. */
export const listPostsInSecondForm = handler(
  secondFormPostOperations.listPostsInSecondForm,
  async ({ read, caller, list, query }, { links }: Links) =>
    withoutLink(await listFeed({ read, caller, list, links }, query, undefined)),
);

/** The posts of an app. */
export const listAppPostsInSecondForm = handler(
  secondFormPostOperations.listAppPostsInSecondForm,
  async ({ read, caller, list, query, on }, { links }: Links) =>
    withoutLink(await listFeed({ read, caller, list, links }, query, on)),
);
