import { createHash } from 'node:crypto';
import { appAccess } from '../../access/app-access.ts';
import type { Read } from '../../db/db.ts';
import type { Answer } from '../../http/answers/answer.ts';
import { createVariants } from '../../http/answers/compression.ts';
import { sharedAnswer } from '../../http/pages/once.ts';
import type { HttpRequest, PathParams } from '../../http/request.ts';
import type { Http } from '../../http/server.ts';
import { visitorCacheControl } from '../../http/visitors.ts';
import { visibleText } from '../../kernel/blank.ts';
import { timestamp } from '../../kernel/clock.ts';
import { parseId } from '../../kernel/ids.ts';
import type { ListQuery } from '../../kernel/page.ts';
import { visitor } from '../../kernel/principal.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { listEntriesIn } from '../entries/list.ts';
import { commentFeed, commentPage, pagePolicy, type Shown, type ShownComment } from './comment-page.ts';
import { pageAddress } from './page-address.ts';

/**
 * The comments of an app that is open to visitors, for readers without script, for search engines and for feed readers:
 * `/pages/{uid}`, the oldest first, and `/pages/{uid}/feed.atom`, the newest.
 */

const commentsPerPage = 100;
const commentsInFeed = 50;

/** The parts of the server that these pages need. */
type Parts = { readonly read: Read; readonly links: BlobLinks; readonly publicUrl: () => string };

/** Where a list begins and how it is sorted. */
type Range = Pick<ListQuery, 'top' | 'after'> & { readonly descending: boolean };

/** Binds the pages. */
export function bindCommentPages(http: Http, parts: Parts): void {
  http.page('/pages/:uid', async (params, raw) => {
    const after = parseId(new URL(raw.url, 'http://localhost').searchParams.get('after') ?? '');
    const range = {
      top: commentsPerPage,
      after: after === undefined ? undefined : { keys: [], id: after, position: 1 },
      descending: false,
    };
    const body = commentPage(await shown(parts, params, range));
    return await answered(raw, { body, type: 'text/html', policy: pagePolicy });
  });
  http.page('/pages/:uid/feed.atom', async (params, raw) => {
    const range = { top: commentsInFeed, after: undefined, descending: true };
    const body = commentFeed(await shown(parts, params, range));
    return await answered(raw, { body, type: 'application/atom+xml' });
  });
}

/** Reads what a page shows. Throws `not_found` where no app with this uid is open to visitors. */
async function shown(
  { read, links, publicUrl }: Parts,
  { uid = '' }: PathParams,
  { top, after, descending }: Range,
): Promise<Shown> {
  const app = await appAccess.read({ read, caller: visitor, ref: { uid }, isTrashedIncluded: false });
  const list: ListQuery = {
    q: undefined,
    tag: undefined,
    trashed: false,
    order: { field: 'id', descending },
    top,
    skip: 0,
    after,
    countOnly: false,
    count: true,
    expand: new Set(['created_by']),
  };
  const page = await listEntriesIn({ read, caller: visitor, links, list }, 'comment', { app });
  const { data, count } = JSON.parse(page.body.toString()) as { data: ShownComment[]; count: number };
  const url = `${publicUrl()}/pages/${encodeURIComponent(app.uid)}`;
  const next = page.next === undefined ? undefined : `${url}?after=${data.at(-1)?.id}`;
  return {
    title: visibleText(app.name) ?? app.uid,
    url,
    about: pageAddress(app.uid),
    comments: data,
    count,
    next,
    createdAt: timestamp(app.createdAt),
  };
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
