import type { UnixMs } from 'confab-contract/values/time.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { removeDeleted } from '../apps/app-purge.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { isHeld } from '../blobs/hold.ts';
import { removeBlobs } from '../blobs/sweep.ts';
import { getSystemUser } from '../users/user-record.ts';
import {
  type ErasureRow,
  erasureById,
  erasureInPart,
  erasureInTurn,
  erasuresInPart,
  finishErasure,
  firstRunning,
  forgetNames,
  nextDue,
  putOff,
  setProgress,
} from './erasures.store.ts';
import { addCounts, type Counts, type ErasingStep, firstPart, receiptOf } from './erasures.ts';
import type { LastIds } from './newest-ids.store.ts';
import { idsBeforeUser, noteLastIds } from './newest-ids.ts';
import { expiredBlobsOf } from './owned-rows.store.ts';
import { lastIdOf, needlesOf, type Part, parts, type Walk } from './parts.ts';
import type { Person } from './person-json.ts';
import { receiptSigner } from './receipt-signature.ts';

/**
 * The loop of erasures. It does the parts of one erasure in their order, step by step. Each step is a transaction
 * that first makes sure that the erasure is where this process knows it to be, so several nodes and the command line may
 * work on one erasure without counting anything twice. An erasure that fails steps aside for longer each time, and the
 * others go on (decision 0146).
 */

/** How many blobs one step removes. */
const blobsPerStep = 50;
/** How long to wait while something reads the files of the store or a backup holds the bytes, in milliseconds. */
const busyMs = 1000;
/** How long an erasure steps aside after it failed, in milliseconds; it doubles with each further failure. */
const putOffMs = 1000;
/** The longest of these times: short enough that the log has an error in each quarter of an hour, for alerts. */
const putOffMsMax = 600_000;
/** The longest rest while an erasure is put off, in milliseconds: other processes request erasures without a word to this one. */
const restMsMax = 60_000;

/** The outcome of a step: the milliseconds until the next one, or undefined when there is nothing to erase. */
type Outcome = number | undefined;

/** Whether a part goes on, and where. */
type Progress = { readonly counts: Counts; readonly position: number | null; readonly isDone: boolean };

/** Does one step of the erasure whose turn it is. */
export type Erasing = {
  /** Returns the milliseconds until the next step, or undefined when nothing is left to do. */
  step(): Promise<Outcome>;
};

/** Creates the loop's work. */
export function createErasing({
  db,
  clock,
  storage,
  links,
}: {
  db: Db;
  clock: Clock;
  storage: BlobStorage;
  links: BlobLinks;
}): Erasing {
  /** How far a walk has looked without finding anything, which is not stored. */
  let current: { readonly id: number; readonly part: string; readonly position: number } | undefined;

  /** The ids below which nothing is about the user of an erasure. */
  let before: { readonly id: number; readonly ids: LastIds | undefined } | undefined;
  /** The erasures for which the files of the store are being cleaned. */
  let cleaning: readonly ErasureRow[] = [];

  async function step(): Promise<Outcome> {
    const now = clock.now();
    const row = await db.read.get(erasureInTurn, {
      ...{ first: firstPart, last: lastPart },
      ...{ now, latest: now + putOffMsMax },
    });
    if (row === undefined) return await rest(now);
    try {
      return await partOf(row);
    } catch (error) {
      // A store that takes no writes refuses this as well, so an erasure is not put off for what is not its fault.
      await stepAside(row);
      throw error;
    }
  }

  /** Looks after what erasures need while none has a turn. */
  async function rest(now: UnixMs): Promise<Outcome> {
    await noteLastIds(db);
    if ((await db.read.get(firstRunning, {})) === undefined) return undefined;
    const due = await db.read.get(nextDue, { now });
    return Math.min(Math.max((due?.at ?? 0) - now, busyMs), restMsMax);
  }

  async function stepAside({ id, failures }: ErasureRow): Promise<void> {
    const delayMs = Math.min(putOffMs * 2 ** failures, putOffMsMax);
    await db.write((tx) => tx.run(putOff, { id, failures: failures + 1, dueAt: clock.now() + delayMs }));
  }

  /** One step of the part in which an erasure is. */
  async function partOf(row: ErasureRow): Promise<Outcome> {
    const part = parts.find(({ name }) => name === row.part);
    if (part !== undefined) await stepOf(row, part);
    else if (row.part === firstPart || row.part === 'orphans')
      await afterwards(
        row,
        !(await removeDeleted({ db, clock, isHeldBack: async (tx) => !(await isStill(tx, row)) })),
      );
    else if (row.part === 'bytes') return await stepOfBytes(row);
    else if (row.part === lastPart) return await forgetTraces();
    else throw new Error(`an erasure has the unknown part ${row.part}`);
    return 0;
  }

  /** One step of a part whose work is rows. */
  async function stepOf(row: ErasureRow, part: Part): Promise<void> {
    const person = personOf(row);
    const floor = 'run' in part ? 0 : await floorOf(row, part);
    const below = 'run' in part ? 0 : await nextFound(row, part, { person, floor });
    if (below === undefined) return;
    await db.write(async (tx) => {
      if (!(await isStill(tx, row))) return;
      const context = { ...(await contextOf(tx, row, clock.now())), links };
      const progress =
        'run' in part ? await run(tx, part, context) : await change(tx, part, { below, floor, context });
      await advance(tx, row, progress);
    });
    current = undefined;
  }

  /** The upper end of the next ids of a walk that hold something; undefined when this step has found nothing. */
  async function nextFound(
    row: ErasureRow,
    part: Walk,
    { person, floor }: { readonly person: Person; readonly floor: number },
  ): Promise<number | undefined> {
    const isKnown = current?.id === row.id && current.part === part.name;
    const upto = isKnown && current ? current.position : (row.position ?? Number.MAX_SAFE_INTEGER);
    const below = Math.max(floor, (await lastIdOf(db.read, part, upto)) + 1);
    const from = Math.max(floor, below - part.span);
    if (from === below) return below;
    const next = await part.newest(db.read, { ...personParameters(person), from, below });
    if (next !== undefined || from === floor) return below;
    current = { id: row.id, part: part.name, position: from };
    return undefined;
  }

  /** The id at which a walk ends, because the user was not there before. */
  async function floorOf({ id, userId }: ErasureRow, { since }: Walk): Promise<number> {
    if (since === undefined) return 0;
    if (before?.id !== id) before = { id, ids: await idsBeforeUser(db.read, userId) };
    return before.ids?.[since] ?? 0;
  }

  /** Notes that a part which is no transaction of its own has done a step, and whether it is done. */
  async function afterwards(row: ErasureRow, isDone: boolean): Promise<void> {
    if (!isDone) return;
    await db.write(async (tx) => {
      if (await isStill(tx, row)) await advance(tx, row, { counts: {}, position: null, isDone });
    });
  }

  /** Removes the bytes of some of the person's blobs, once no backup holds them. Nothing can claim them any longer. */
  async function stepOfBytes(row: ErasureRow): Promise<Outcome> {
    const blobs = await db.read.all(expiredBlobsOf, {
      userId: row.userId,
      at: clock.now(),
      top: blobsPerStep,
    });
    if (blobs.length > 0 && (await isHeld(db.read, clock))) return busyMs;
    await removeBlobs({ db, storage }, blobs);
    await afterwards(row, blobs.length < blobsPerStep);
    return 0;
  }

  /** Cleans the files of the store, and finishes all erasures that had nothing else left when the cleaning began. */
  async function forgetTraces(): Promise<Outcome> {
    if (cleaning.length === 0) {
      cleaning = await db.read.all(erasuresInPart, { part: lastPart });
      // Names are traces, too: they have to be gone before the files are cleaned.
      await db.write(async (tx) => {
        for (const { id } of cleaning) await tx.run(forgetNames, { id, names: '[]' });
      });
    }
    const state = await db.forgetDeleted();
    if (state !== 'done') return state === 'busy' ? busyMs : 0;
    const sign = await receiptSigner(db);
    await db.write(async (tx) => {
      for (const row of cleaning) {
        if (!(await isStill(tx, row))) continue;
        const finishedAt = clock.now();
        const receipt = sign(receiptOf({ ...row, finishedAt }));
        await tx.run(finishErasure, { id: row.id, finishedAt, receipt });
      }
    });
    cleaning = [];
    return 0;
  }

  return { step };
}

function personOf({ userId, names, content, heirId }: ErasureRow): Person {
  return { userId, names: JSON.parse(names) as string[], keepsTexts: content === 'keep', heirId };
}

function personParameters(person: Person) {
  return { userId: person.userId, needles: needlesOf(person) };
}

/** Whether an erasure is where `row` says, as the transaction sees it. */
async function isStill(tx: Read, { id, part, position }: ErasureRow): Promise<boolean> {
  const now = await tx.get(erasureById, { id });
  return now !== undefined && now.finishedAt === null && now.part === part && now.position === position;
}

async function contextOf(tx: Tx, row: ErasureRow, at: UnixMs): Promise<Omit<ErasingStep, 'links'>> {
  const user = (await findUser(tx, { id: row.requestedById })) ?? (await getSystemUser(tx));
  const caller = { user, ...(row.apiKeyId === null ? {} : { apiKeyId: row.apiKeyId }) };
  return { person: personOf(row), caller, at };
}

async function run(tx: Tx, part: Exclude<Part, Walk>, context: ErasingStep): Promise<Progress> {
  const { counts, hasMore } = await part.run(tx, context);
  return { counts, position: null, isDone: !hasMore };
}

async function change(
  tx: Tx,
  part: Walk,
  { below, floor, context }: { below: number; floor: number; context: ErasingStep },
): Promise<Progress> {
  const from = Math.max(floor, below - part.span);
  const ids = { ...personParameters(context.person), from, below, top: part.top };
  const { rows, counts } = await part.change(tx, ids, context);
  const last = rows.at(-1);
  if (rows.length < part.top || last === undefined) return { counts, position: from, isDone: from === floor };
  // Of rows with the same id some may be left; those that were found are gone.
  return { counts, position: part.isById === false ? last.id + 1 : last.id, isDone: false };
}

/** The part that cleans the files of the store. */
const lastPart = 'traces';

/**
 * The parts in their order. What others deleted before is gone when the counting begins. What the erasure deletes keeps
 * what hangs on it until all of that is counted, and loses it before what refers to that is counted.
 */
const order = [
  firstPart,
  ...parts.flatMap(({ name }) => (name === 'files' ? [name, 'orphans'] : [name])),
  'bytes',
  lastPart,
];
const counting = order.slice(1, order.indexOf('orphans'));

/**
 * Whether an erasure is counting content. What deleted items leave behind must wait: whether it was counted would depend on
 * what comes first.
 */
export async function isCounting(read: Read): Promise<boolean> {
  return (await read.get(erasureInPart, { parts: counting })) !== undefined;
}

async function advance(tx: Tx, row: ErasureRow, { counts, position, isDone }: Progress): Promise<void> {
  const next = order[order.indexOf(row.part) + 1];
  if (next === undefined) throw new Error(`nothing follows the part ${row.part} of an erasure`);
  const place = isDone ? { part: next, position: null } : { part: row.part, position };
  await tx.run(setProgress, { id: row.id, ...place, counts: addCounts(row, counts), failures: 0 });
}
