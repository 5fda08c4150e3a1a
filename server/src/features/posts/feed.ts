import { parseRef } from 'confab-contract/values/ids.ts';
import { type ReadableApp, type Viewer, viewerOf } from '../../access/access.ts';
import type { Read } from '../../db/db.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { numberOf } from '../../db/tallies.ts';
import { envelope, type ListQuery, type PageAnswer, refusal } from '../../kernel/page.ts';
import type { EntryRead } from '../entries/entries.ts';
import { scopeWord } from '../entries/entry-index.ts';
import { renderEntries } from '../entries/entry-view.ts';
import { listEntriesIn, withContents } from '../entries/list.ts';
import { countPosts, feedList, readableApps } from './feed.store.ts';

/** A feed lists the posts of several apps: of some of them, of those whom the caller follows, or those that are new. */

/** Which posts are listed. All of these conditions hold. */
export type FeedFilter = {
  /** The ids and uids of apps; those that the caller may not see add nothing. */
  readonly app?: readonly string[] | undefined;
  /** Whether only the posts of users whom the caller follows are listed. */
  readonly following?: boolean | undefined;
  /** Only posts with a higher id. */
  readonly after?: number | undefined;
  /** The id of the author of the posts; not together with the others. */
  readonly author_id?: number | undefined;
};

/** The most apps that a feed can name. */
const appsMax = 50;

type Feed = EntryRead & { readonly list: ListQuery };

/** A page of a feed: of one app, or of all that the caller sees. Throws `invalid_query` for too many apps. */
export async function listFeed(
  call: Feed,
  filter: FeedFilter,
  app: ReadableApp | undefined,
): Promise<PageAnswer> {
  const { list, caller } = call;
  const viewer = viewerOf(caller);
  const named = filter.app === undefined ? undefined : await namedApps(call.read, viewer, filter.app);
  const appIds = app === undefined ? named : [app.id].filter((id) => named?.includes(id) ?? true);
  if (appIds?.length === 0) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { following = false, after, author_id: authorId } = filter;
  const isPlain = !following && after === undefined;
  if (authorId !== undefined && !(isPlain && appIds === undefined))
    throw refusal('author_id', 'cannot be combined with app, following or after');
  if (isPlain && app !== undefined) return await listEntriesIn(call, 'post', { app });
  if (isPlain && appIds === undefined)
    return await listEntriesIn(call, 'post', { visible: viewer, authorId });
  return await listPostsOf(call, viewer, { following, after, appIds });
}

async function namedApps(read: Read, viewer: Viewer, names: readonly string[]): Promise<number[]> {
  if (names.length > appsMax) throw refusal('app', `must be at most ${appsMax} apps`);
  const refs = names.flatMap((name) => parseRef(name) ?? []);
  const { userId, directoryId, isLimited } = viewer;
  const apps = await read.all(readableApps(isLimited ? 'readable' : 'every'), {
    ids: refs.flatMap((ref) => ('id' in ref ? [ref.id] : [])),
    uids: refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : [])),
    userId,
    directoryId,
  });
  return apps.map(({ id }) => id);
}

async function listPostsOf(
  call: Feed,
  { isLimited, userId, directoryId }: Viewer,
  { following: isFollowed = false, after, appIds }: FeedFilter & { appIds: readonly number[] | undefined },
): Promise<PageAnswer> {
  const { read, list } = call;
  const words = searchFilters(
    list,
    appIds?.map((id) => scopeWord('post', 'app', id)),
  );
  const { hasQuestion, hasTag } = words.settings;
  const isStored = appIds !== undefined && after === undefined && !(isFollowed || hasQuestion || hasTag);
  const { rows, count } = await readList(read, feedList, {
    list,
    settings: {
      apps: appIds !== undefined ? 'given' : isLimited ? 'visible' : 'all',
      isFollowed,
      isNewer: after !== undefined,
      trashed: list.trashed,
      ...words.settings,
    },
    parameters: { appIds: appIds ?? [], newerThan: after ?? 0, userId, directoryId, ...words.parameters },
    storedCount: isStored
      ? async () =>
          numberOf((await read.get(countPosts, { appIds })) ?? { live: 0, trashed: 0 }, list.trashed)
      : undefined,
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  const entries = await withContents(read, rows);
  const items = await renderEntries(call, { kind: 'post', entries, expand: list.expand });
  return envelope(list, { items, count });
}
