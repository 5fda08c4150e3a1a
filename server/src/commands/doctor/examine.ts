import type { Config, Reading } from '../../config/config.ts';
import type { Db } from '../../db/db.ts';
import type { Inspection } from '../../db/inspection.ts';
import { newestKnown, pendingSteps, type Step } from '../../db/migrations/steps.ts';
import { openInspection } from '../../db/open-inspection.ts';
import { appliedMigrations } from '../../db/store-address.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { CommandError } from '../../kernel/command-error.ts';
import { createLog, openStore } from '../../setup/store.ts';
import { storeFailure, storeLabelOf, storeOf } from '../command.ts';
import { checkBlobSums } from './blob-sums.ts';
import { checkBlobs, checkDisk, checkLogWhole } from './disk.ts';
import { checkFeatures, retryParked } from './features.ts';
import type { Examined, Finding } from './finding.ts';
import { checkSite } from './site.ts';
import { checkStore, checkWhole, damageOf } from './store.ts';
import { checkSurroundings } from './surroundings.ts';

/** Something that was mended, and what was done. */
export type Fixed = { readonly check: string; readonly what: string };

/** The findings and fixes of the doctor. */
export type Examination = { readonly findings: readonly Finding[]; readonly fixed: readonly Fixed[] };

/** The options of the doctor besides examining, and the parts that tests replace. */
export type DoctorOptions = {
  /** Whether to mend what can be mended by itself; or the checks whose findings are mended. */
  readonly fix?: boolean | readonly string[];
  /** Whether to try again to notify of events that were given up. */
  readonly retry?: boolean;
  readonly clock?: Clock;
  readonly nodeVersion?: string;
};

/**
 * Examines a server and its store beside it, and mends what it is asked to; what is left is found by a second look. Throws a
 * `CommandError` where there is no store.
 */
export async function examineServer(
  { config, warnings, respell }: Pick<Reading, 'config' | 'warnings' | 'respell'>,
  {
    fix = false,
    retry = false,
    clock = systemClock,
    nodeVersion = process.versions.node,
  }: DoctorOptions = {},
): Promise<Examination> {
  const examined: Examined = { config, clock, log: createLog(config), nodeVersion, warnings };
  const around = async () => [...(await checkSurroundings(examined)), ...(await checkDisk(examined))];
  const spelled = (findings: readonly Finding[]) =>
    findings.map((finding) => ({ ...finding, what: respell(finding.what), mend: respell(finding.mend) }));
  const damage = checkLogWhole(examined);
  if (damage.length > 0) return { findings: spelled([...(await around()), ...damage]), fixed: [] };
  const steps = await stepsOf(config);
  if (!Array.isArray(steps)) return { findings: spelled([...(await around()), steps]), fixed: [] };
  const store = await openInspection(storeOf(config));
  try {
    const broken = [...(await checkWhole(store)), ...checkSteps(steps)];
    if (broken.length > 0) return { findings: spelled([...(await around()), ...broken]), fixed: [] };
    const db = await openStore(config, { log: examined.log, clock });
    try {
      const look = async () => spelled([...(await around()), ...(await lookInside({ db, store }, examined))]);
      const fixed: Fixed[] = [];
      if (retry)
        fixed.push({
          check: 'parked',
          what: `${await retryParked(db, examined)} events that had been given up now have their notifications.`,
        });
      const findings = await look();
      if (fix === false) return { findings, fixed };
      const isWanted = (check: string) => fix === true || fix.includes(check);
      for (const { check, fix: mend } of findings)
        if (mend !== undefined && isWanted(check)) fixed.push({ check, what: await mend(db) });
      return { findings: await look(), fixed };
    } finally {
      await db.close();
    }
  } finally {
    await store.close();
  }
}

/** The steps that the store has taken, or a finding where it is too damaged to say. */
async function stepsOf(config: Config): Promise<Step[] | Finding> {
  const steps = await appliedMigrations(storeOf(config)).catch((error: unknown) => {
    const damage = damageOf(error);
    if (damage === undefined) throw storeFailure(error, config);
    return damage;
  });
  if (Array.isArray(steps) && steps.length === 0)
    throw new CommandError(`there is no store in ${storeLabelOf(config)}`);
  return steps;
}

async function lookInside(
  { db, store }: { db: Db; store: Inspection },
  examined: Examined,
): Promise<Finding[]> {
  return [
    ...(await checkStore(store, examined)),
    ...(await checkBlobs(examined, store)),
    ...(await checkBlobSums(examined)),
    ...(await checkFeatures(db, examined)),
    ...(await checkSite(db, examined)),
  ];
}

/** The findings about the steps of the schema. */
function checkSteps(steps: readonly Step[]): Finding[] {
  const check = 'schema';
  const newest = steps.at(-1)?.id ?? 0;
  if (newest > newestKnown)
    return [
      {
        check,
        level: 'error',
        what: `The store has step ${newest} of the schema, and this program knows ${newestKnown}.`,
        mend: 'Run the doctor of the newer release.',
      },
    ];
  const pending = pendingSteps(steps);
  if (pending.length === 0) return [];
  return [
    {
      check,
      level: 'error',
      what: `${pending.length} steps of the schema are pending, so the store was not examined.`,
      mend: 'Run "confab migrate up", or start the server.',
    },
  ];
}
