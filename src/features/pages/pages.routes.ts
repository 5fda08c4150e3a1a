import { createHash } from 'node:crypto';
import type { Answer } from '../../http/answers/answer.ts';
import { createVariants } from '../../http/answers/compression.ts';
import { commentFeed, commentPage, pagePolicy, type ShownComments } from '../../http/pages/comment-page.ts';
import { sharedAnswer } from '../../http/pages/once.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Http } from '../../http/server.ts';
import { visitorCacheControl } from '../../http/visitors.ts';
import { parseId } from '../../kernel/ids.ts';
import { type CommentRange, createCommentPages, type PageParts } from './pages.ts';

const commentsPerPage = 100;
const commentsInFeed = 50;

/** Binds `/pages/{uid}`, with the oldest comments first, and `/pages/{uid}/feed.atom`, with the newest. */
export function bindCommentPages(
  http: Http,
  { publicUrl, ...parts }: PageParts & { readonly publicUrl: () => string },
): void {
  const readPage = createCommentPages(parts);

  async function shown(uid: string, range: CommentRange): Promise<ShownComments> {
    const page = await readPage(uid, range);
    const url = `${publicUrl()}/pages/${encodeURIComponent(page.uid)}`;
    const next = page.hasMore ? `${url}?after=${page.comments.at(-1)?.id}` : undefined;
    return { ...page, url, next };
  }

  http.page('/pages/:uid', async ({ uid = '' }, raw) => {
    const after = parseId(new URL(raw.url, 'http://localhost').searchParams.get('after') ?? '');
    const body = commentPage(await shown(uid, { oldest: commentsPerPage, after }));
    return await answered(raw, { body, type: 'text/html', policy: pagePolicy });
  });
  http.page('/pages/:uid/feed.atom', async ({ uid = '' }, raw) => {
    const body = commentFeed(await shown(uid, { newest: commentsInFeed }));
    return await answered(raw, { body, type: 'application/atom+xml' });
  });
}

async function answered(
  raw: HttpRequest,
  { body, type, policy }: { readonly body: string; readonly type: string; readonly policy?: string },
): Promise<Answer> {
  const bytes = Buffer.from(body);
  return await sharedAnswer(raw, {
    headers: {
      'cache-control': visitorCacheControl,
      'content-type': `${type}; charset=utf-8`,
      vary: 'accept-encoding',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    },
    tag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    whole: () => bytes,
    packed: createVariants(async () => bytes),
  });
}
