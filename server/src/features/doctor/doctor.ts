import type { DoctorRun } from 'confab-contract/doctor.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Read } from '../../db/db.ts';
import { putSetting, settingOf } from '../../db/settings.ts';
import type { Clock } from '../../kernel/clock.ts';

/**
 * The doctor examines a server and its store in the background, one run at a time over all nodes. The last run is a note
 * in the store, so that every node shows it. The node that runs it moves the end of its time while it works: one whose
 * time is over has ended with its node.
 */

/** The part of the server that runs the doctor. */
export type DoctorParts = {
  readonly doctor: {
    /** Begins a run, or returns the one of its kind that goes on; throws `too_busy` while one of the other kind does. */
    run(options: { readonly isFixing: boolean }): Promise<DoctorRun>;
  };
};

const runSetting = 'doctor_run';

/** How long a run counts as going on after the last sign of its node, in milliseconds. */
const silenceMs = 30_000;

type NotedRun = { readonly id: string; readonly until: UnixMs; readonly shown: DoctorRun };

type Parts = { readonly db: Db; readonly clock: Clock };

async function findNote(read: Read): Promise<NotedRun | undefined> {
  const row = await read.get(settingOf, { name: runSetting });
  return row === undefined ? undefined : (JSON.parse(row.value) as NotedRun);
}

async function writeNote(
  db: Db,
  decide: (last: NotedRun | undefined) => NotedRun | undefined,
): Promise<void> {
  await db.write(async (tx) => {
    const note = decide(await findNote(tx));
    if (note === undefined) return;
    await putSetting(tx, { name: runSetting, value: JSON.stringify(note) });
  });
}

/** The last run of a store as it is shown. */
export async function lastRun(read: Read, now: UnixMs): Promise<DoctorRun> {
  const note = await findNote(read);
  if (note === undefined) return { state: 'never', count: 0, findings: [], fixed: [] };
  const isLost = note.shown.state === 'running' && note.until <= now;
  if (!isLost) return note.shown;
  const finished_at = timestamp(note.until);
  return { ...note.shown, state: 'failed', finished_at, failure: 'The node that ran it has ended.' };
}

/**
 * Records the start of a run and returns it, or returns the current run of the same kind. Throws `too_busy` during a run of
 * the other kind.
 */
export async function beginRun(
  { db, clock }: Parts,
  { id, isFixing, host }: { readonly id: string; readonly isFixing: boolean; readonly host: string },
): Promise<{ readonly shown: DoctorRun; readonly isBegun: boolean }> {
  const now = clock.now();
  const begun: DoctorRun = {
    ...{ state: 'running', is_fixing: isFixing, host, started_at: timestamp(now) },
    ...{ count: 0, findings: [], fixed: [] },
  };
  let going: DoctorRun | undefined;
  await writeNote(db, (last) => {
    going = last?.shown.state === 'running' && last.until > now ? last.shown : undefined;
    return going === undefined ? { id, until: now + silenceMs, shown: begun } : undefined;
  });
  if (going === undefined) return { shown: begun, isBegun: true };
  if (going.is_fixing !== isFixing)
    throw new Problem('too_busy', 'An examination is running. Try again later.');
  return { shown: going, isBegun: false };
}

/** Notes that the node of a run is still there. */
export async function continueRun({ db, clock }: Parts, id: string): Promise<void> {
  await writeNote(db, (last) => (last?.id === id ? { ...last, until: clock.now() + silenceMs } : undefined));
}

/** Notes how a run ended, unless another one has taken its place. */
export async function endRun(
  { db, clock }: Parts,
  { id, outcome }: { readonly id: string; readonly outcome: Partial<DoctorRun> },
): Promise<void> {
  const finished_at = timestamp(clock.now());
  await writeNote(db, (last) =>
    last?.id === id ? { ...last, shown: { ...last.shown, ...outcome, finished_at } } : undefined,
  );
}
