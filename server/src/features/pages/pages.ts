import { pageAddress } from 'confab-contract/values/page-address.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { VisitorComment } from 'confab-contract/visitors.ts';
import type { ReadableApp } from '../../access/access.ts';
import { appAccess } from '../../access/app-access.ts';
import type { Read } from '../../db/db.ts';
import type { ListQuery } from '../../kernel/page.ts';
import { visitor } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { listEntriesIn } from '../entries/list.ts';

/**
 * Pages show the comments of an app that is open to visitors, to readers without script, search engines and feed readers:
 * what a visitor reads with the interface, and nothing else.
 */

/** The comments that a page or a feed shows. */
export type PageComments = {
  readonly uid: string;
  /** The name of the app, or else its uid. */
  readonly title: string;
  /** The address of the web page that the comments are on; undefined where the uid of the app does not tell. */
  readonly about: string | undefined;
  readonly comments: readonly VisitorComment[];
  /** How many comments there are on all pages. */
  readonly count: number;
  /** Whether there is another page. */
  readonly hasMore: boolean;
  readonly createdAt: string;
};

/** The oldest comments after the one with an id, or the newest. */
export type CommentRange =
  | { readonly oldest: number; readonly after: number | undefined }
  | { readonly newest: number };

/** The parts of the server that reading them needs. */
export type PageParts = { readonly read: Read; readonly links: BlobLinks };

/** The app of a page. Throws `not_found` where no app with the uid is open to visitors. */
export async function appOfPage(read: Read, uid: string): Promise<ReadableApp> {
  return await appAccess.read({ read, caller: visitor, ref: { uid }, isTrashedIncluded: false });
}

/** Makes the reader of the comments of such an app. */
export function createCommentPages({ read, links }: PageParts) {
  return async (app: ReadableApp, range: CommentRange): Promise<PageComments> => {
    const list = listOf(range);
    const { body, next } = await listEntriesIn({ read, caller: visitor, links, list }, 'comment', { app });
    const { data, count } = JSON.parse(body.toString()) as { data: VisitorComment[]; count: number };
    return {
      uid: app.uid,
      title: visibleText(app.name) ?? app.uid,
      about: pageAddress(app.uid),
      comments: data,
      count,
      hasMore: next !== undefined,
      createdAt: timestamp(app.createdAt),
    };
  };
}

function listOf(range: CommentRange): ListQuery {
  const [top, after, descending] =
    'newest' in range ? [range.newest, undefined, true] : [range.oldest, range.after, false];
  return {
    q: undefined,
    tag: undefined,
    trashed: false,
    order: { field: 'id', descending },
    top,
    skip: 0,
    after: after === undefined ? undefined : { keys: [], id: after, position: 1 },
    countOnly: false,
    count: true,
    expand: new Set(['created_by']),
  };
}
