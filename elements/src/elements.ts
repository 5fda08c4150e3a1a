/**
 * The entry: everything that a reader needs, in one file of at most 15 KB with brotli. What a writer needs is loaded by
 * `parts.ts`. Where things are:
 *
 * - `api.ts` and `calls.ts` call the server, `session.ts` knows who is signed in, `live.ts` hears of changes, `page.ts` knows which app
 *   the page has. One of each exists for a page and server (`server.ts`), however many elements there are.
 * - `thread/` has the state of a thread, without DOM, and what reads it from the server.
 * - `extras/` shows attachments, previews of links and polls, and `seldom/` has what few readers need, such as what a permalink
 *   names far down: parts. `typing/` shows who is writing, `presence/` how many are here.
 * - `comments/` has `<confab-comments>`; `annotations/`, `count/`, `notifications/` and `reactions/` are for the other
 *   elements, which `others/` loads.
 * - `write/`, `moderate/` and `sign-in/` are parts that are loaded later. They import the entry by `shared.ts`, whose
 *   exports the build adds to those of this module.
 * - `texts/` has what elements say, `style/` how they look.
 */

import { define } from './base.ts';
import { ConfabComment } from './comments/comment.ts';
import { ConfabComments } from './comments/comments.ts';
import { provide } from './later.ts';
import { loaders, loadOthers } from './parts.ts';

provide(loaders);

define('confab-comment', ConfabComment);
define('confab-comments', ConfabComments);
for (const name of ['annotations', 'count', 'notifications', 'reactions'])
  define(
    `confab-${name}`,
    class extends HTMLElement {
      connectedCallback(): void {
        void loadOthers().then(({ connect }) => connect(this));
      }
    },
  );
