/** The thread of an app as HTML, for sites that are built on a server. */

import { ProblemError } from './errors.js';

/** The orders of `<confab-comments>`, as the server names them. */
const orders = { newest: 'id desc', oldest: 'id', liked: 'reaction_count desc' };
/** As many as `<confab-comments>` shows at first. */
const threadsDefault = 25;
const answersDefault = 3;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => String(text).replace(/[&<>"]/g, (found) => escapes[found]);

/**
 * Resolves to the threads of an app as HTML, an ordered list of articles; to nothing where there is no app yet, or none for
 * this client. It is what belongs inside of `<confab-comments>`.
 */
export async function renderThread(client, uid, options) {
  const { sort = 'newest', threads = threadsDefault, answers = answersDefault, language = 'en' } = options;
  const { removed = 'This comment has been removed.', isVisitor, signal } = options;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const query = { thread: 'roots', replies: answers, top: threads, order_by: orders[sort], count: false };
  const { data } = await client
    .listAppComments(uid, { ...query, expand: ['created_by'] }, { signal })
    .catch((error) => {
      // Nobody has opened this page yet, or it has no comments for visitors, who are told no more.
      const isNone = error instanceof ProblemError && error.status === (isVisitor ? 401 : 404);
      if (isNone) return { data: [] };
      throw error;
    });

  function item(comment, inner = '') {
    const { id, created_at: at, created_by: author, html = '' } = comment;
    const time = `<a href="#comment-${id}"><time datetime="${escaped(at)}">${escaped(date.format(new Date(at)))}</time></a>`;
    const name = `<strong><bdi>${escaped(author?.display_name ?? '')}</bdi></strong>`;
    // The HTML of a comment is safe to show: the server has cleaned it.
    const content = comment.is_trashed
      ? `<p>${escaped(removed)}</p>`
      : `<header>${name} ${time}</header><div dir="auto">${html}</div>`;
    return `<li><article id="comment-${id}">${content}</article>${inner}</li>`;
  }

  /** The answers to a comment, among those of its thread that are there. */
  function below(id, known) {
    const items = known.filter((answer) => answer.reply_to_id === id);
    return items.length === 0 ? '' : listOf(items.map((answer) => item(answer, below(answer.id, known))));
  }

  // With the credential of a moderator, the list has what waits for approval, which is for nobody else.
  const shown = (comments = []) => comments.filter((comment) => comment.is_held !== true);
  return listOf(shown(data).map((root) => item(root, below(root.id, shown(root.replies)))));
}

const listOf = (items) => (items.length === 0 ? '' : `<ol>${items.join('')}</ol>`);
