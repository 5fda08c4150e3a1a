import type { Db, Tx } from '../../db/db.ts';
import {
  appIndex,
  directoryIndex,
  entryIndex,
  fileIndex,
  publicUserIndex,
  userIndex,
  webhookIndex,
} from '../../db/search-index.ts';
import { insertSetting, settingOf, updateSetting } from '../../db/settings.ts';
import type { Query } from '../../db/statement.ts';
import type { Clock } from '../../kernel/clock.ts';
import { searchWords, wordsVersion } from '../../kernel/search.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import { appKeys, appWords } from '../apps/app-index.ts';
import { entryWords } from '../entries/entry-index.ts';
import { contentOf } from '../entries/entry-json.ts';
import { fileWords } from '../files/file-words.ts';
import { noticeWords } from '../notifications/notice.ts';
import { displayNameOf, publicUserWords, userKeys, userWords } from '../users/user-change.ts';
import {
  appsWithoutKeys,
  appTextsAfter,
  directoriesWithoutKeys,
  directoryTextsAfter,
  entrySizesAfter,
  entryTexts,
  filesWithoutKeys,
  fileTextsAfter,
  hiddenNotificationTextsAfter,
  keepAppKeys,
  keepDirectoryKeys,
  keepFileKeys,
  keepHiddenNotificationWords,
  keepNotificationWords,
  keepUserKeys,
  notificationTextsAfter,
  usersWithoutKeys,
  userTextsAfter,
  webhookTextsAfter,
} from './renewal.store.ts';

/**
 * Renewal derives sort keys and search words for rows that an earlier release wrote without them. It runs batch by
 * batch while the server handles requests.
 *
 * Each start searches for names without keys, because a node of the previous release writes names without them. The
 * setting `words` holds which words the store has (`wordsVersion`), and how far their renewal is while one runs. A node of
 * the previous release may go on and write words of its own, which nothing marks, so for some weeks each start renews all
 * words again.
 */

/**
 * What is renewed at each start, in this order. Each function processes a batch and returns whether there may be more; all
 * may run on several nodes at once.
 */
export function renewals({ db, clock }: { db: Db; clock: Clock }): readonly (() => Promise<boolean>)[] {
  return [() => renewKeys(db), () => beginWords({ db, clock }), () => renewWords(db)];
}

/** How many rows a batch has. */
const batchMax = 500;
/** After how many bytes of entries a batch ends. */
const batchBytesMax = 1024 * 1024;

/** Adds keys to some names that lack them; returns whether there may be more. */
async function renewKeys(db: Db): Promise<boolean> {
  const page = { top: batchMax };
  const lacking = [
    await db.read.all(appsWithoutKeys, page),
    await db.read.all(usersWithoutKeys, page),
    await db.read.all(directoriesWithoutKeys, page),
    await db.read.all(filesWithoutKeys, page),
  ];
  if (lacking.every((rows) => rows.length === 0)) return false;
  await db.write(async (tx) => {
    // Read again, because a name may have been changed in between.
    const apps = (await tx.all(appsWithoutKeys, page)).map((app) => ({ id: app.id, ...appKeys(app) }));
    await tx.run(keepAppKeys, { given: JSON.stringify(apps) });
    const users = (await tx.all(usersWithoutKeys, page)).map(({ id, name, displayName }) => ({
      id,
      ...userKeys({ name, displayName }),
    }));
    await tx.run(keepUserKeys, { given: JSON.stringify(users) });
    const directories = (await tx.all(directoriesWithoutKeys, page)).map(keyed);
    await tx.run(keepDirectoryKeys, { given: JSON.stringify(directories) });
    const files = (await tx.all(filesWithoutKeys, page)).map(keyed);
    await tx.run(keepFileKeys, { given: JSON.stringify(files) });
  });
  return true;
}

function keyed({ id, name }: { id: number; name: string }) {
  return { id, nameKey: sortKey(name) };
}

// Letters and digits of ASCII have had the same words in every release.
const mayDiffer = /[^\0-\x7F]|[$+<=>^`|~]/;

/** Whether a row with these texts may get other words than an earlier release gave it. */
function isAffected(...texts: (string | null | undefined)[]): boolean {
  return texts.some((text) => text !== null && text !== undefined && mayDiffer.test(text));
}

/**
 * A batch of rows after an id, of which those that were changed since a moment get words; fewer than `top` are the last of
 * their kind.
 */
type Part = (tx: Tx, batch: { after: number; top: number; since: number }) => Promise<readonly Row[]>;
type Row = { readonly id: number; readonly changedAt: number };

function partOf<R extends Row>(
  rowsAfter: Query<{ after: number; top: number }, R>,
  renew: (tx: Tx, row: R) => void,
): Part {
  return async (tx, { since, ...page }) => {
    const rows = await tx.all(rowsAfter, page);
    for (const row of rows) if (row.changedAt >= since) renew(tx, row);
    return rows;
  };
}

function partOfNotices(rowsAfter: typeof notificationTextsAfter, keep: typeof keepNotificationWords): Part {
  return async (tx, { since, ...page }) => {
    const rows = await tx.all(rowsAfter, page);
    const rewrites = rows
      .filter(({ args, changedAt }) => changedAt >= since && isAffected(args))
      .map(({ id, template, args }) => ({ id, words: noticeWords(template, JSON.parse(args) as string[]) }));
    if (rewrites.length > 0) await tx.run(keep, { given: JSON.stringify(rewrites) });
    return rows;
  };
}

function renewUser(tx: Tx, id: number, user: Parameters<typeof userWords>[0]): void {
  tx.defer(userIndex, { id, words: userWords(user) });
  // No search of users finds the built-in one.
  if (id > 1)
    tx.defer(publicUserIndex, { id, words: publicUserWords({ ...user, displayName: displayNameOf(user) }) });
}

/** The kinds of rows with search words in addition to entries, in the order of processing. */
const parts: readonly Part[] = [
  partOf(appTextsAfter, (tx, app) => {
    if (app.deletedAt === null && isAffected(app.uid, app.name, app.description))
      tx.defer(appIndex, { id: app.id, words: appWords(app) });
  }),
  async (tx, { since, ...page }) => {
    const rows = await tx.all(userTextsAfter, page);
    const changed = rows.filter(({ changedAt }) => changedAt >= since);
    for (const { id, changedAt: _, ...user } of changed)
      if (isAffected(...Object.values(user))) renewUser(tx, id, user);
    // What a name looks like is derived as well, and an earlier release kept it for visitors alone.
    const keys = changed.map((user) => ({
      id: user.id,
      ...userKeys({ name: user.name, displayName: displayNameOf(user) }),
    }));
    if (keys.length > 0) await tx.run(keepUserKeys, { given: JSON.stringify(keys) });
    return rows;
  },
  partOf(fileTextsAfter, (tx, { id, appId, name }) => {
    if (isAffected(name)) tx.defer(fileIndex, { id, words: fileWords(appId, name) });
  }),
  partOf(directoryTextsAfter, (tx, { id, name }) => {
    if (isAffected(name)) tx.defer(directoryIndex, { id, words: searchWords(name) });
  }),
  partOf(webhookTextsAfter, (tx, { id, payloadUrl, deletedAt }) => {
    if (deletedAt === null && isAffected(payloadUrl))
      tx.defer(webhookIndex, { id, words: searchWords(payloadUrl) });
  }),
  partOfNotices(notificationTextsAfter, keepNotificationWords),
  partOfNotices(hiddenNotificationTextsAfter, keepHiddenNotificationWords),
];

/** The entries after an id whose words change, of those changed since a moment, and the last entry read. */
async function nextEntries(
  db: Db,
  { after, since }: { after: number; since: number },
): Promise<{ ids: number[]; last: number | undefined }> {
  const sizes = await db.read.all(entrySizesAfter, { after, top: batchMax });
  let bytes = 0;
  const batch = sizes.filter((entry) => {
    const isFirst = bytes === 0;
    if (entry.changedAt >= since) bytes += entry.bytes;
    return isFirst || bytes <= batchBytesMax;
  });
  if (batch.length === 0) return { ids: [], last: undefined };
  const ids = batch.filter(({ changedAt }) => changedAt >= since).map(({ id }) => id);
  const texts = ids.length === 0 ? [] : await db.read.all(entryTexts, { ids });
  // A comment on a post or file is also found by the word of its app.
  const affected = texts.filter(
    ({ kind, parentType, content }) =>
      (kind === 'comment' && parentType !== 'app') || isAffected(contentOf(content).plain),
  );
  return { ids: affected.map(({ id }) => id), last: batch.at(-1)?.id };
}

/** How long nodes of an earlier release may run beside this one, in milliseconds: 30 days. */
const mixedMs = 30 * 24 * 3_600_000;
/** By how much the clock of such a node may be behind, in milliseconds. */
const behindMs = 3_600_000;

/** The setting `words`; an earlier release wrote it without a version. */
type WordsState = {
  readonly version?: number;
  /** When the first renewal to this version began. */
  readonly begunAt?: number;
  /** The progress, as long as a renewal runs: a place in `parts`, or its length for the entries, and the last id. */
  readonly part?: number;
  readonly after?: number;
  /** Only what was changed since then is renewed. */
  readonly since?: number;
  /** Whether a node started meanwhile, in place of one that may have written what was renewed already. */
  readonly isAgain?: boolean;
};

function stateOf(row: { value: string } | undefined): WordsState {
  return row === undefined ? {} : (JSON.parse(row.value) as WordsState);
}

function again(since: number) {
  return { part: 0, after: 0, since };
}

/** The state that a start makes of the one of the store; undefined where nothing is to be done. */
function stateAtStart(state: WordsState, now: number): WordsState | undefined {
  const { version = 0, begunAt = now } = state;
  if (version > wordsVersion) return undefined;
  if (version < wordsVersion) return { version: wordsVersion, begunAt: now, ...again(0) };
  if (state.part !== undefined) return { ...state, isAgain: true };
  return now - begunAt < mixedMs ? { version, begunAt, ...again(begunAt - behindMs) } : undefined;
}

/** Begins to renew the words of the store, where a node of an earlier release may have written some; once at each start. */
async function beginWords({ db, clock }: { db: Db; clock: Clock }): Promise<false> {
  const now = clock.now();
  const known = stateAtStart(stateOf(await db.read.get(settingOf, { name: 'words' })), now);
  if (known === undefined) return false;
  await db.write(async (tx) => {
    const row = await tx.get(settingOf, { name: 'words' });
    const next = stateAtStart(stateOf(row), now);
    if (next === undefined) return;
    const setting = { name: 'words', value: JSON.stringify(next) };
    if (row === undefined) await tx.run(insertSetting, setting);
    else await tx.run(updateSetting, setting);
  });
  return false;
}

/** Renews the words of a batch; returns whether there may be more. */
async function renewWords(db: Db): Promise<boolean> {
  const known = await db.read.get(settingOf, { name: 'words' });
  const { version, begunAt = 0, part, after = 0, since = 0 } = stateOf(known);
  if (version !== wordsVersion || part === undefined) return false;
  const entries = part === parts.length ? await nextEntries(db, { after, since }) : undefined;
  await db.write(async (tx) => {
    const row = await tx.get(settingOf, { name: 'words' });
    // Another node renews as well.
    if (row?.value !== known?.value) return;
    const { isAgain } = stateOf(row);
    const next =
      entries === undefined
        ? await renewRows(tx, { part, after, since })
        : await renewEntries(tx, { part, since, ...entries });
    const then =
      next === undefined ? (isAgain === true ? again(begunAt - behindMs) : {}) : { ...next, isAgain };
    await tx.run(updateSetting, { name: 'words', value: JSON.stringify({ version, begunAt, ...then }) });
  });
  return true;
}

/** Where a renewal goes on; undefined after the last entry. */
type Place = { readonly part: number; readonly after: number; readonly since: number };

async function renewRows(tx: Tx, { part, after, since }: Place): Promise<Place> {
  let place = { part, after, since };
  // Small kinds share a batch.
  for (let top = batchMax; top > 0; ) {
    const renew = parts[place.part];
    if (renew === undefined) return place;
    const rows = await renew(tx, { after: place.after, top, since });
    const last = rows.at(-1);
    place =
      rows.length < top || last === undefined
        ? { part: place.part + 1, after: 0, since }
        : { part: place.part, after: last.id, since };
    top -= rows.length;
  }
  return place;
}

async function renewEntries(
  tx: Tx,
  { part, since, ids, last }: { part: number; since: number; ids: number[]; last: number | undefined },
): Promise<Place | undefined> {
  // Read again, because a text may have been changed in between.
  for (const entry of await tx.all(entryTexts, { ids }))
    tx.defer(entryIndex, { id: entry.id, words: entryWords(entry, contentOf(entry.content)) });
  return last === undefined ? undefined : { part, after: last, since };
}
