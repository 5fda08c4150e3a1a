import { createHash } from 'node:crypto';
import { notFound, Problem, problems } from 'confab-contract/problem.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import type { ReadableApp } from '../../access/access.ts';
import type { Answer } from '../../http/answers/answer.ts';
import { createVariants } from '../../http/answers/compression.ts';
import { commentFeed, commentPage, pagePolicy, type ShownComments } from '../../http/pages/comment-page.ts';
import { sharedAnswer } from '../../http/pages/once.ts';
import { isFromOwnPage } from '../../http/pages/own-page.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Http } from '../../http/server.ts';
import { visitorCacheControl } from '../../http/visitors.ts';
import { createPageForm, type FormParts } from './page-form.ts';
import { appOfPage, type CommentRange, createCommentPages, type PageParts } from './pages.ts';

// With the policy `no-referrer`, browsers send `Origin: null` with the form of the page (Fetch, "append a request `Origin`
// header"), and it could not be told from a form of another site.
const ownReferrer = { 'referrer-policy': 'same-origin' } as const;

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...ownReferrer,
} as const;

const commentsPerPage = 100;
const commentsInFeed = 50;

/** Binds `/pages/{uid}`, with the oldest comments first, and `/pages/{uid}/feed.atom`, with the newest. */
export function bindCommentPages(
  http: Http,
  { publicUrl, form, ...parts }: PageParts & { readonly publicUrl: () => string; readonly form: FormParts },
): void {
  const readPage = createCommentPages(parts);
  const pageForm = createPageForm(form);
  const appOf = (uid: string) => appOfPage(parts.read, uid);

  async function readShown(app: ReadableApp, range: CommentRange): Promise<ShownComments> {
    const page = await readPage(app, range);
    const url = `${publicUrl()}/pages/${encodeURIComponent(page.uid)}`;
    const next = page.hasMore ? `${url}?after=${page.comments.at(-1)?.id}` : undefined;
    return { ...page, url, next };
  }

  http.page('/pages/:uid', async ({ uid = '' }, raw) => {
    const query = new URL(raw.url, 'http://localhost').searchParams;
    const after = parseId(query.get('after') ?? '');
    const app = await appOf(uid);
    const page = await readShown(app, { oldest: commentsPerPage, after });
    const hasForm = pageForm.isFor(app);
    const body = commentPage(page, hasForm ? { isSent: query.has('sent') } : undefined);
    return await answered(raw, { body, type: 'text/html', policy: pagePolicy(hasForm) });
  });
  http.page(
    '/pages/:uid',
    async ({ uid = '' }, raw) => {
      const fields = new URLSearchParams(typeof raw.body === 'string' ? raw.body : '');
      const input = { name: fields.get('name') ?? '', text: fields.get('text') ?? '' };
      // Where a proxy or a browser hides the referrer, `Origin` is null, and this field alone tells, which no page can set.
      const isOwn = raw.headers['sec-fetch-site'] === 'same-origin' || isFromOwnPage(raw, publicUrl());
      try {
        if (!isOwn) throw new Problem('origin_refused', 'The form was sent by a page of another site.');
        await pageForm.take(uid, input, raw);
      } catch (error) {
        if (!(error instanceof Problem) || error.code === 'not_found') throw error;
        const app = await appOf(uid);
        if (!pageForm.isFor(app)) throw notFound('page');
        const { status } = problems[error.code];
        const page = await readShown(app, { oldest: commentsPerPage, after: undefined });
        const fault = error.errors[0]?.message ?? error.detail;
        const headers = { ...pageHeaders, 'content-security-policy': pagePolicy(true), ...error.headers };
        // What another site has written is not put into the form, where a reader could send it.
        const form = { isSent: false, ...(isOwn ? { sent: input } : {}), fault };
        return { status, headers, body: commentPage(page, form) };
      }
      const location = `${publicUrl()}/pages/${encodeURIComponent(uid)}?sent#form`;
      return { status: 303, headers: { location, 'cache-control': 'no-store' } };
    },
    'POST',
  );
  http.page('/pages/:uid/feed.atom', async ({ uid = '' }, raw) => {
    const body = commentFeed(await readShown(await appOf(uid), { newest: commentsInFeed }));
    return await answered(raw, { body, type: 'application/atom+xml' });
  });
}

async function answered(
  raw: HttpRequest,
  { body, type, policy }: { readonly body: string; readonly type: string; readonly policy?: string },
): Promise<Answer> {
  const bytes = Buffer.from(body);
  return sharedAnswer(raw, {
    headers: {
      'cache-control': visitorCacheControl,
      'content-type': `${type}; charset=utf-8`,
      etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
      vary: 'accept-encoding',
      ...(policy === undefined ? {} : { 'content-security-policy': policy, ...ownReferrer }),
    },
    whole: () => bytes,
    packed: createVariants(async () => bytes),
  });
}
