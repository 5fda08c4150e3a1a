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

/** One batch of rows after an id; returns the id of the last one, or undefined when there was none. */
type Part = (tx: Tx, page: { after: number; top: number }) => Promise<number | undefined>;

function renewNotices(after: typeof notificationTextsAfter, keep: typeof keepNotificationWords): Part {
  return async (tx, page) => {
    const rows = await tx.all(after, page);
    const given = rows
      .filter(({ args }) => isAffected(args))
      .map(({ id, template, args }) => ({ id, words: noticeWords(template, JSON.parse(args) as string[]) }));
    if (given.length > 0) await tx.run(keep, { given: JSON.stringify(given) });
    return rows.at(-1)?.id;
  };
}

/** The kinds of rows with search words in addition to entries, in the order of processing. */
const parts: readonly Part[] = [
  async (tx, page) => {
    const rows = await tx.all(appTextsAfter, page);
    for (const app of rows)
      if (app.deletedAt === null && isAffected(app.uid, app.name, app.description))
        tx.defer(appIndex, { id: app.id, words: appWords(app) });
    return rows.at(-1)?.id;
  },
  async (tx, page) => {
    const rows = await tx.all(userTextsAfter, page);
    for (const { id, ...user } of rows)
      if (isAffected(...Object.values(user))) {
        tx.defer(userIndex, { id, words: userWords(user) });
        // No search of users finds the built-in one.
        if (id > 1)
          tx.defer(publicUserIndex, {
            id,
            words: publicUserWords({ ...user, displayName: displayNameOf(user) }),
          });
      }
    return rows.at(-1)?.id;
  },
  async (tx, page) => {
    const rows = await tx.all(fileTextsAfter, page);
    for (const { id, appId, name } of rows)
      if (isAffected(name)) tx.defer(fileIndex, { id, words: fileWords(appId, name) });
    return rows.at(-1)?.id;
  },
  async (tx, page) => {
    const rows = await tx.all(directoryTextsAfter, page);
    for (const { id, name } of rows)
      if (isAffected(name)) tx.defer(directoryIndex, { id, words: searchWords(name) });
    return rows.at(-1)?.id;
  },
  async (tx, page) => {
    const rows = await tx.all(webhookTextsAfter, page);
    for (const { id, payloadUrl, deletedAt } of rows)
      if (deletedAt === null && isAffected(payloadUrl))
        tx.defer(webhookIndex, { id, words: searchWords(payloadUrl) });
    return rows.at(-1)?.id;
  },
  renewNotices(notificationTextsAfter, keepNotificationWords),
  renewNotices(hiddenNotificationTextsAfter, keepHiddenNotificationWords),
];

/** The entries after an id whose words change, and the last entry read. */
async function nextEntries(db: Db, after: number): Promise<{ ids: number[]; last: number | undefined }> {
  const sizes = await db.read.all(entrySizesAfter, { after, top: batchMax });
  let bytes = 0;
  const looked = sizes.filter((entry) => {
    const isFirst = bytes === 0;
    bytes += entry.bytes;
    return isFirst || bytes <= batchBytesMax;
  });
  if (looked.length === 0) return { ids: [], last: undefined };
  const texts = await db.read.all(entryTexts, { ids: looked.map(({ id }) => id) });
  // A comment on a post or file is also found by the word of its app.
  const affected = texts.filter(
    ({ kind, parentType, content }) =>
      (kind === 'comment' && parentType !== 'app') || isAffected(contentOf(content).plain),
  );
  return { ids: affected.map(({ id }) => id), last: looked.at(-1)?.id };
}

/** How long nodes of an earlier release may run beside this one, in milliseconds: 30 days. */
const mixedMs = 30 * 24 * 3_600_000;

/** The setting `words`; an earlier release wrote it without a version. */
type WordsState = {
  readonly version?: number;
  /** When the first renewal to this version began. */
  readonly begunAt?: number;
  /** The progress, as long as a renewal runs: a place in `parts`, or its length for the entries, and the last id. */
  readonly part?: number;
  readonly after?: number;
  /** Whether a node started meanwhile, in place of one that may have written what was renewed already. */
  readonly isAgain?: boolean;
};

function stateOf(row: { value: string } | undefined): WordsState {
  return row === undefined ? {} : (JSON.parse(row.value) as WordsState);
}

/** The state that a start makes of the one of the store; undefined where nothing is to be done. */
function stateAtStart(state: WordsState, now: number): WordsState | undefined {
  const { version = 0, begunAt = now } = state;
  if (version > wordsVersion) return undefined;
  const begun = { version: wordsVersion, begunAt, part: 0, after: 0 };
  if (version < wordsVersion) return { ...begun, begunAt: now };
  if (state.part !== undefined) return { ...state, isAgain: true };
  return now - begunAt < mixedMs ? begun : undefined;
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
  const { version, part, after = 0 } = stateOf(known);
  if (version !== wordsVersion || part === undefined) return false;
  const entries = part === parts.length ? await nextEntries(db, after) : undefined;
  await db.write(async (tx) => {
    const row = await tx.get(settingOf, { name: 'words' });
    // Another node renews as well.
    if (row?.value !== known?.value) return;
    const next =
      entries === undefined
        ? await renewRows(tx, { part, after })
        : await renewEntries(tx, { part, ...entries });
    const { isAgain, ...state } = stateOf(row);
    const done = isAgain === true ? { part: 0, after: 0 } : { part: undefined, after: undefined };
    await tx.run(updateSetting, {
      name: 'words',
      value: JSON.stringify({ ...state, ...(next === undefined ? done : { ...next, isAgain }) }),
    });
  });
  return true;
}

/** Where a renewal goes on; undefined after the last entry. */
type Place = { readonly part: number; readonly after: number };

async function renewRows(tx: Tx, { part, after }: Place): Promise<Place> {
  const last = await parts[part]?.(tx, { after, top: batchMax });
  if (last !== undefined) return { part, after: last };
  // Kinds of which there is nothing take no transaction of their own.
  return part + 1 < parts.length
    ? await renewRows(tx, { part: part + 1, after: 0 })
    : { part: part + 1, after: 0 };
}

async function renewEntries(
  tx: Tx,
  { part, ids, last }: { part: number; ids: number[]; last: number | undefined },
): Promise<Place | undefined> {
  // Read again, because a text may have been changed in between.
  for (const entry of await tx.all(entryTexts, { ids }))
    tx.defer(entryIndex, { id: entry.id, words: entryWords(entry, contentOf(entry.content)) });
  return last === undefined ? undefined : { part, after: last };
}
