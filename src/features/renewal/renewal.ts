import type { Db, Tx } from '../../db/db.ts';
import {
  appIndex,
  directoryIndex,
  entryIndex,
  fileIndex,
  userIndex,
  webhookIndex,
} from '../../db/search-index.ts';
import { deleteSetting, settingOf, updateSetting } from '../../db/settings.ts';
import { sortKey } from '../../kernel/fold.ts';
import { searchWords } from '../../kernel/search.ts';
import { appKeys, appWords } from '../apps/app-index.ts';
import { entryWords } from '../entries/entry-index.ts';
import { contentOf } from '../entries/entry-json.ts';
import { fileWords } from '../files/file-words.ts';
import { noticeWords } from '../notifications/notice.ts';
import { userKeys, userWords } from '../users/user-change.ts';
import {
  appsWithoutKeys,
  appTextsAfter,
  directoriesWithoutKeys,
  directoryTextsAfter,
  entrySizesAfter,
  entryTexts,
  filesWithoutKeys,
  fileTextsAfter,
  keepAppKeys,
  keepDirectoryKeys,
  keepFileKeys,
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
 * search words are renewed once: the setting `words` stores the progress and is deleted at the end.
 */

/** How many rows a batch has. */
const batchMax = 500;
/** After how many bytes of entries a batch ends. */
const batchBytesMax = 1024 * 1024;

/** Adds keys to some names that lack them; returns whether there may be more. */
export async function renewKeys(db: Db): Promise<boolean> {
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

// Characters that are split into other words than in 0.1.0: symbols, letters that only full case folding maps, and
// characters that 0.1.0 read as marks.
const isCutAnew = /[\p{S}\p{ExtPict}\p{VS}ßẞ\u1C80-\u1C88]|\u20E3/u;

/** Whether a row with these texts gets other words. */
function isAffected(...texts: (string | null | undefined)[]): boolean {
  return texts.some((text) => text !== null && text !== undefined && isCutAnew.test(text));
}

/** One batch of rows after an id; returns the id of the last one, or undefined when there was none. */
type Part = (tx: Tx, page: { after: number; top: number }) => Promise<number | undefined>;

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
      if (isAffected(...Object.values(user))) tx.defer(userIndex, { id, words: userWords(user) });
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
  async (tx, page) => {
    const rows = await tx.all(notificationTextsAfter, page);
    const affected = rows.filter(({ args }) => isAffected(args));
    const given = affected.map(({ id, template, args }) => ({
      id,
      words: noticeWords(template, JSON.parse(args) as string[]),
    }));
    if (given.length > 0) await tx.run(keepNotificationWords, { given: JSON.stringify(given) });
    return rows.at(-1)?.id;
  },
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

/** Recreates the words of a batch; returns whether there may be more. */
export async function renewWords(db: Db): Promise<boolean> {
  const state = await db.read.get(settingOf, { name: 'words' });
  if (state === undefined) return false;
  const { part, after } = JSON.parse(state.value) as { part: number; after: number };
  const entries = part === parts.length ? await nextEntries(db, after) : undefined;
  await db.write(async (tx) => {
    const last = entries === undefined ? await parts[part]?.(tx, { after, top: batchMax }) : entries.last;
    // Read again, because a text may have been changed in between.
    const texts = entries === undefined ? [] : await tx.all(entryTexts, { ids: entries.ids });
    for (const entry of texts)
      tx.defer(entryIndex, { id: entry.id, words: entryWords(entry, contentOf(entry.content)) });
    if (last !== undefined)
      await tx.run(updateSetting, { name: 'words', value: JSON.stringify({ part, after: last }) });
    else if (entries === undefined)
      await tx.run(updateSetting, { name: 'words', value: JSON.stringify({ part: part + 1, after: 0 }) });
    else await tx.run(deleteSetting, { name: 'words' });
  });
  return true;
}
