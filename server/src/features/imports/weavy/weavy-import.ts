import { Readable } from 'node:stream';
import { limits } from 'confab-contract/fields.ts';
import type { WeavyFile } from 'confab-importers/weavy/weavy-records.ts';
import { findUser } from '../../../access/user/user-access.ts';
import type { Db } from '../../../db/db.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { PeopleSetting, Principal } from '../../../kernel/principal.ts';
import type { BlobLinks } from '../../blobs/blob-links.ts';
import type { Uploads } from '../../blobs/uploads.ts';
import { noteRead } from '../../conversations/imported-chats.ts';
import { renderMarkdown } from '../../markdown/markdown.ts';
import { getSystemUser } from '../../users/user-record.ts';
import { type Checked, refusalOf } from '../check-import.ts';
import { insertRun } from '../import-runs.store.ts';
import { getRun, setProgress, sumOf } from '../import-runs.ts';
import type { CreatedCounts } from '../write-slice.ts';
import { keyOf, type PlannedItem, type WeavyPlan } from './weavy-plan.ts';
import { plannedOfWeavy } from './weavy-planned.ts';
import type { WeavyMade } from './weavy-report.ts';
import { mentionedIn, withMentions } from './weavy-texts.ts';
import {
  type EarlierThing,
  earlierThings,
  recordWritten,
  type WeavyWriting,
  type Written,
} from './weavy-things.ts';
import { keysAround, type Named, type PreparedItem, writeItems } from './write-items.ts';
import { writePeople } from './write-people.ts';
import { placeFault, writePlaces } from './write-places.ts';

/**
 * Writes a planned import of a Weavy server: users, then apps with their members, then what is in them, then how far
 * members have read. Each slice is one transaction that also records what it wrote, so an import that stops in its middle,
 * because that server or this program ends, goes on when it is run again, and what it wrote can be taken back.
 *
 * It uses the functions that requests use, so that counts, search and the log are right, and notifies nobody.
 */

/** How many things one transaction writes; it delays the writes of a server on the same store by some tens of milliseconds. */
const usersPerSlice = 100;
const appsPerSlice = 20;
const itemsPerSlice = 100;
/** Where a slice of items ends, in characters of their texts, and in how many files. */
const sliceCharactersMax = 256 * 1024;
const sliceFilesMax = 20;
/** How many items are looked up at a time. */
const lookedUpAtOnce = 1000;

/** What the import writes with. */
export type WeavyParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly links: BlobLinks;
  readonly uploads: Uploads;
  readonly people: PeopleSetting;
  /** Reads the bytes of a file; undefined where the server has them no more, or they are too many. */
  readonly download: (file: WeavyFile) => Promise<Buffer | undefined>;
};

/** The options of an import: the address of the server, for display, and whether users get their email addresses. */
export type WeavyOptions = { readonly name: string; readonly keepsEmails: boolean };

const nothingMade = {
  comments: 0,
  posts: 0,
  messages: 0,
  files: 0,
  restored: 0,
  apps: 0,
  users: 0,
};

/** The options with what of the plan is here already. */
type RunOptions = WeavyOptions & { readonly checked: Checked };

/** The counts that the things of a slice add. */
function countsOf(written: readonly Written[]): typeof nothingMade {
  const counts = { ...nothingMade };
  for (const { type, was } of written) {
    if (was === 'made') counts[`${type}s`] += 1;
    else if (was === 'restored' && type !== 'app' && type !== 'user') counts.restored += 1;
  }
  return counts;
}

/** One import under way: its record in the store, and what it wrote. */
function createRun({ db, clock, links, people }: WeavyParts, plan: WeavyPlan, options: RunOptions) {
  let made = nothingMade;
  let runId: number | undefined;

  return {
    made: () => ({ ...made, runId }),

    /** Writes a slice in a transaction. The first that writes something records the import. */
    async write(work: (writing: WeavyWriting) => Promise<readonly Written[]>): Promise<void> {
      const { sum, id } = await db.write(async (tx) => {
        const at = clock.now();
        const system: Principal = { kind: 'key', user: await getSystemUser(tx) };
        const { keepsEmails } = options;
        const written = await work({ tx, at, system, source: plan.source, links, people, keepsEmails });
        if (written.length === 0) return { sum: made, id: runId };
        const run = runId ?? (await tx.insert(insertRun, rowOf(plan, options, at)));
        const row = await getRun(tx, run);
        if (row.state !== 'finished') throw new Error('the import was taken back while it ran');
        await recordWritten(
          { tx, at, system, source: plan.source, links, people, keepsEmails },
          run,
          written,
        );
        const total = sumOf(JSON.parse(row.made) as typeof nothingMade, countsOf(written));
        await setProgress(tx, row, { made: JSON.stringify(total), finishedAt: at });
        return { sum: total, id: run };
      });
      made = sum;
      runId = id;
    },
  };
}

/** An import as it is recorded: what it has not written yet is not missing to anyone. */
function rowOf(plan: WeavyPlan, { name, keepsEmails, checked }: RunOptions, at: number) {
  return {
    kind: 'weavy',
    name,
    blobId: null,
    keepsEmails: keepsEmails ? 1 : 0,
    replies: 'thread',
    site: null,
    state: 'finished',
    planned: plannedOfWeavy(plan.report, checked),
    made: JSON.stringify(nothingMade satisfies CreatedCounts),
    createdAt: at,
    apiKeyId: null,
    startedAt: at,
    finishedAt: at,
  };
}

/** Parts of a list, each of at most `size`. */
function* slicesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** Items that one transaction writes. */
function* slicesOfItems(items: readonly PlannedItem[]): Generator<readonly PlannedItem[]> {
  let slice: PlannedItem[] = [];
  let characters = 0;
  let files = 0;
  for (const item of items) {
    slice.push(item);
    characters += item.kind === 'file' ? 0 : item.text.length;
    files += filesOf(item).length;
    if (slice.length < itemsPerSlice && characters < sliceCharactersMax && files < sliceFilesMax) continue;
    yield slice;
    slice = [];
    characters = 0;
    files = 0;
  }
  if (slice.length > 0) yield slice;
}

function filesOf(item: PlannedItem): readonly WeavyFile[] {
  return item.kind === 'file' ? [item.file] : item.attachments;
}

/** The import of Weavy servers. */
export function createWeavyImport(parts: WeavyParts) {
  const { db, uploads, download } = parts;
  /** Authors by their ids here. */
  const authors = new Map<number, Principal>();

  /** Holds a plan against the store before anything is written. */
  async function check({ places, items, source }: WeavyPlan): Promise<Checked> {
    const system: Principal = { kind: 'key', user: await getSystemUser(db.read) };
    const faults: string[] = [];
    for (const place of places) {
      const fault = await placeFault({ tx: db.read, system, source }, place);
      if (fault !== undefined) faults.push(fault);
    }
    let thereBefore = 0;
    let restorable = 0;
    for (const slice of slicesOf(items, lookedUpAtOnce)) {
      const keys = slice.map(({ kind, id }) => keyOf(kind, id));
      for (const { isUndone } of (await earlierThings(db.read, source, keys)).values())
        if (isUndone) restorable += 1;
        else thereBefore += 1;
    }
    return { faults, thereBefore, restorable };
  }

  /** What items name, with the users who wrote them and reacted. */
  async function namedBy(source: string, items: readonly PlannedItem[]): Promise<Named> {
    const userIds = items.flatMap((item) => [item.authorId, ...usersOf(item)]);
    const keys = items.flatMap((item) => [
      keyOf(item.kind, item.id),
      keyOf('app', item.appId),
      ...keysAround(item),
    ]);
    const things = await earlierThings(db.read, source, [...keys, ...userIds.map((id) => keyOf('user', id))]);
    for (const id of new Set(userIds)) {
      const here = things.get(keyOf('user', id));
      if (here === undefined || authors.has(here.id)) continue;
      const user = await findUser(db.read, { id: here.id });
      if (user !== undefined) authors.set(here.id, { kind: 'key', user });
    }
    return { things, userOf: (id) => authorOf(things, id) };
  }

  function authorOf(things: ReadonlyMap<string, EarlierThing>, id: string): Principal {
    const author = authors.get(things.get(keyOf('user', id))?.id ?? 0);
    if (author === undefined) throw new Error(`the user ${id} was not written`);
    return author;
  }

  /** Reads the bytes of an item and renders its text, unless it is here already. */
  async function prepare(item: PlannedItem, { things, userOf }: Named, lost: { files: number }) {
    const blobIds: number[] = [];
    const before = things.get(keyOf(item.kind, item.id));
    if (before !== undefined) return { item, blobIds, text: '', rendered: undefined };
    for (const file of filesOf(item)) {
      const bytes = await download(file);
      if (bytes === undefined || bytes.length > limits.uploadBytesMax) {
        lost.files += 1;
        continue;
      }
      const upload = { name: file.name, bytes: Readable.from([bytes]), bytesMax: bytes.length, digest: null };
      blobIds.push((await uploads.keep(userOf(item.authorId), upload)).id);
    }
    const own = item.kind === 'file' ? '' : item.text;
    const text = withMentions(own, (id) => things.get(keyOf('user', id))?.id);
    return { item, blobIds, text, rendered: text === '' ? undefined : renderMarkdown(text) };
  }

  async function writeMarks(run: ReturnType<typeof createRun>, plan: WeavyPlan): Promise<void> {
    const newest = newestMarked(plan);
    for (const slice of slicesOf(plan.places, appsPerSlice))
      await run.write(async ({ tx, source }) => {
        const keys = slice.flatMap((place) => [
          keyOf('app', place.id),
          ...place.members.map(({ userId }) => keyOf('user', userId)),
          ...place.members.flatMap((member) => newest(place.id, member.markedId) ?? []),
        ]);
        const things = await earlierThings(tx, source, keys);
        for (const { id, members } of slice)
          for (const { userId, markedId, markedAt } of members) {
            const app = things.get(keyOf('app', id));
            const user = things.get(keyOf('user', userId));
            const message = things.get(newest(id, markedId) ?? '');
            if (app === undefined || user === undefined || message === undefined) continue;
            await noteRead(tx, { appId: app.id, userId: user.id, id: message.id, at: markedAt ?? 0 });
          }
        return [];
      });
  }

  return {
    /**
     * Writes what is in the plan and not here yet. Throws an Error and writes nothing if an app with one of the uids is of
     * another type or in the trash; what else it throws comes between slices.
     */
    async write(plan: WeavyPlan, options: WeavyOptions): Promise<WeavyMade> {
      const checked = await check(plan);
      const refusal = refusalOf(checked);
      if (refusal !== undefined) throw new Error(refusal);
      const run = createRun(parts, plan, { ...options, checked });
      const lost = { files: 0 };
      let skipped = 0;
      try {
        for (const slice of slicesOf(plan.people, usersPerSlice))
          await run.write((writing) => writePeople(writing, slice));
        for (const slice of slicesOf(plan.places, appsPerSlice))
          await run.write((writing) => writePlaces(writing, slice));
        for (const slice of slicesOfItems(plan.items)) {
          const named = await namedBy(plan.source, slice);
          const isHere = (item: PlannedItem) => {
            const before = named.things.get(keyOf(item.kind, item.id));
            return before !== undefined && !before.isUndone;
          };
          if (slice.every(isHere)) continue;
          const prepared: PreparedItem[] = [];
          for (const item of slice) prepared.push(await prepare(item, named, lost));
          await run.write(async (writing) => {
            const { written, skipped: left } = await writeItems(writing, named, prepared);
            skipped += left;
            return written;
          });
        }
        await writeMarks(run, plan);
      } catch (error) {
        throw stopped(error, run.made().runId);
      }
      return { ...run.made(), skipped, withoutBytes: lost.files };
    },
  };
}

/** An error in the middle of an import, with what to do about it. */
function stopped(error: unknown, runId: number | undefined): unknown {
  if (!(error instanceof Error) || runId === undefined) return error;
  const words = `the import stopped: ${error.message}. What it wrote is import ${runId}: run the command again to go on, or take it back with POST /api/imports/${runId}/undo`;
  return Object.assign(new Error(words), { cause: error });
}

/** The users whom an item names besides its author. */
function usersOf(item: PlannedItem): string[] {
  if (item.kind === 'file') return [];
  const { reactions, options, text } = item;
  return [
    ...reactions.map(({ userId }) => userId),
    ...options.flatMap(({ voterIds }) => voterIds),
    ...mentionedIn(text),
  ];
}

/** Finds the newest planned message of an app up to the one that a member has read, which can be gone. */
function newestMarked({ items }: WeavyPlan) {
  const ids = Map.groupBy(
    items.filter(({ kind }) => kind === 'message').map(({ appId, id }) => ({ appId, id: Number(id) })),
    ({ appId }) => appId,
  );
  return (appId: string, markedId: string | undefined): string | undefined => {
    const last = Number(markedId ?? Number.NaN);
    const read = ids.get(appId)?.filter(({ id }) => id <= last) ?? [];
    return read.length === 0 ? undefined : keyOf('message', String(Math.max(...read.map(({ id }) => id))));
  };
}
