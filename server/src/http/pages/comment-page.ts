import type { VisitorComment } from 'confab-contract/visitors.ts';
import { html, Markup } from './html.ts';
import { stylePath } from './page.ts';

/** The comments of an app as a page that needs no script, and as a feed. */

/** What a page or a feed shows. */
export type ShownComments = {
  /** The name of the app, or else its uid. */
  readonly title: string;
  /** The address of the page. */
  readonly url: string;
  /** The address of the web page that the comments are on; undefined where the uid of the app does not tell. */
  readonly about: string | undefined;
  readonly comments: readonly VisitorComment[];
  /** How many comments there are on all pages. */
  readonly count: number;
  /** The address of the next page, if there is one. */
  readonly next: string | undefined;
  /** When the app was made. */
  readonly createdAt: string;
};

/** A page may show pictures of anywhere, send its form to this server where it has one, and nothing else. */
export const pagePolicy = (hasForm: boolean): string =>
  `default-src 'none'; style-src 'self'; img-src https: 'self'; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`;

/** The form of a page: whether something was just sent, or what was and why it was not taken. */
export type PageForm = {
  readonly isSent: boolean;
  readonly sent?: { readonly name: string; readonly text: string };
  readonly fault?: string;
};

function formOf({ isSent, sent, fault }: PageForm): Markup {
  const notice = isSent
    ? html`<p role="status">Your comment is sent. Where a moderator has to see it first, it appears after that.</p>`
    : undefined;
  const problem = fault === undefined ? undefined : html`<p role="alert">${fault}</p>`;
  return html`<form id="form" method="post">
<h2>Write a comment</h2>
${notice}${problem}
<p><label>Your name<br><input name="name" required maxlength="60" autocomplete="nickname" value="${sent?.name ?? ''}"></label></p>
<p><label>Your comment<br><textarea name="text" required rows="6" cols="60">
${sent?.text ?? ''}</textarea></label></p>
<p><button>Comment</button></p>
</form>
`;
}

/** Text inside of a script element, which an end tag in it would end. */
function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

function authorOf({ created_by: author }: VisitorComment): string {
  return author.display_name;
}

/** What an author is, because anybody can choose the name of a guest. */
function markOf({ created_by: author }: VisitorComment): 'guest' | 'moderator' | undefined {
  if (author.is_guest === true) return 'guest';
  return author.is_moderator === true ? 'moderator' : undefined;
}

function markedAuthor(comment: VisitorComment): Markup {
  const mark = markOf(comment);
  return html`<bdi>${authorOf(comment)}</bdi>${mark === undefined ? undefined : html` <small>(${mark})</small>`}`;
}

/** The author in a feed, which has text alone. */
function authorText(comment: VisitorComment): string {
  const mark = markOf(comment);
  return mark === undefined ? authorOf(comment) : `${authorOf(comment)} (${mark})`;
}

/** The comments in the vocabulary of schema.org, for search engines. */
function described({ title, url, about, comments, count }: ShownComments) {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: title,
    url: about ?? url,
    commentCount: count,
    comment: comments.map((comment) => ({
      '@type': 'Comment',
      url: `${url}#comment-${comment.id}`,
      text: comment.plain ?? '',
      dateCreated: comment.created_at,
      ...(comment.reply_to_id === undefined
        ? {}
        : { parentItem: { '@type': 'Comment', url: `${url}#comment-${comment.reply_to_id}` } }),
      author: { '@type': 'Person', name: authorOf(comment) },
    })),
  };
}

/** A link to what a comment answers: on this page, or at the beginning of another. */
function answeredBy(id: number, { url, comments }: ShownComments): Markup {
  const target = comments.find((comment) => comment.id === id);
  return target === undefined
    ? html` to <a href="${url}?after=${id - 1}#comment-${id}">an earlier comment</a>`
    : html` to <a href="#comment-${id}">${markedAuthor(target)}</a>`;
}

function article(comment: VisitorComment, page: ShownComments): Markup {
  const { id, created_at: at, html: body = '', reply_to_id: replyTo } = comment;
  return html`<article id="comment-${id}">
<header><strong>${markedAuthor(comment)}</strong>${replyTo === undefined ? undefined : answeredBy(replyTo, page)} <a href="#comment-${id}"><time datetime="${at}">${at.slice(0, 10)}</time></a></header>
<div dir="auto" lang="">${new Markup(body)}</div>
</article>
`;
}

/** The page, with a form where guests may write on it. */
export function commentPage(page: ShownComments, form: PageForm | undefined): string {
  const { title, url, about, comments, count, next } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="canonical" href="${about ?? url}">
<link rel="alternate" type="application/atom+xml" href="${url}/feed.atom">
<link rel="stylesheet" href="${stylePath}">
<script type="application/ld+json">${scriptJson(described(page))}</script>
</head>
<body>
<main>
<h1><bdi>${about === undefined ? title : html`<a href="${about}">${title}</a>`}</bdi></h1>
<h2>${count === 1 ? '1 comment' : `${count} comments`}</h2>
${comments.map((comment) => article(comment, page))}
${next === undefined ? undefined : html`<p><a rel="next" href="${next}">More comments</a></p>`}
${form === undefined ? undefined : formOf(form)}
</main>
</body>
</html>
`.text;
}

// XML has no way to write these.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** HTML with a character in place of each box of a task, because readers of feeds leave out controls. */
function withoutBoxes(body: string): string {
  return body.replaceAll(/<input [^>]*>/g, (box) => (box.includes('checked') ? '☑' : '☐'));
}

/** The newest comments as an Atom feed (RFC 4287), with what they answer (RFC 4685). */
export function commentFeed({ title, url, about, comments, createdAt }: ShownComments): string {
  const updated = comments
    .map((each) => each.modified_at ?? each.created_at)
    .toSorted()
    .at(-1);
  const entries = comments.map(
    (comment) => html`<entry>
<id>${url}#comment-${comment.id}</id>
<title>${authorText(comment)}</title>
<author><name>${authorText(comment)}</name></author>
<published>${comment.created_at}</published>
<updated>${comment.modified_at ?? comment.created_at}</updated>
${comment.reply_to_id === undefined ? undefined : html`<thr:in-reply-to ref="${url}#comment-${comment.reply_to_id}"/>`}
<link rel="alternate" type="text/html" href="${url}#comment-${comment.id}"/>
<content type="html">${withoutBoxes(comment.html ?? '')}</content>
</entry>
`,
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0">
<id>${url}</id>
<title>${title}</title>
<updated>${updated ?? createdAt}</updated>
<link rel="self" type="application/atom+xml" href="${url}/feed.atom"/>
<link rel="alternate" type="text/html" href="${about ?? url}"/>
${entries}</feed>
`.text
    .toWellFormed()
    .replaceAll(unwritable, '');
}
