import type { Comment } from '../thread/comment.ts';

/**
 * The one place where text becomes HTML: the canonical HTML of the server, which has cleaned it. Pages that demand Trusted
 * Types permit the policy `confab` (and `lit-html` for the templates of this script).
 */

type Policy = { createHTML(text: string): unknown };
type Factory = { createPolicy(name: string, rules: { createHTML: (text: string) => string }): Policy };

let policy: Policy | undefined;
const made = new WeakMap<Comment, unknown>();

/** The HTML of a comment for `innerHTML`, the same object each time. */
export function serverHtml(comment: Comment): unknown {
  if (!made.has(comment)) made.set(comment, trusted(comment.html ?? ''));
  return made.get(comment);
}

function trusted(text: string): unknown {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  policy ??= factory?.createPolicy('confab', { createHTML: (html) => html }) ?? {
    createHTML: (html) => html,
  };
  return policy.createHTML(text);
}
