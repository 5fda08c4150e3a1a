import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type DoctorFinding,
  type DoctorRun,
  examinationMinutesMax,
  fixableChecks,
  shownFindingsMax,
} from 'confab-contract/doctor.ts';
import { type Config, settingsFor } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { beginRun, continueRun, type DoctorParts, endRun } from '../features/doctor/doctor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { startLoop } from '../workers/runner.ts';
import { runCommand } from './processes.ts';

/** Runs the doctor for requests: the command `confab doctor`, as a process alongside the running server. */

/** How often a node records that its examination still runs, in milliseconds. */
const signMs = 10_000;

type Options = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
};

/** Makes the part that runs the doctor. */
export function startDoctor({ config, db, clock, log, started }: Options): DoctorParts['doctor'] {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  started.push({
    name: 'the doctor',
    async stop() {
      stopping.abort();
      await running;
    },
  });

  async function work(id: string, isFixing: boolean): Promise<void> {
    const sign = startLoop({
      name: 'the doctor',
      log,
      async step() {
        await continueRun({ db, clock }, id);
        return signMs;
      },
    });
    const outcome = await examine(config, { isFixing, signal: stopping.signal }).catch((error: unknown) => {
      log.error({ err: error }, 'the doctor failed');
      return failed(error instanceof Error ? error.message : String(error));
    });
    await sign.stop();
    await endRun({ db, clock }, { id, outcome });
  }

  return {
    async run({ isFixing }) {
      const id = randomUUID();
      const { shown, isBegun } = await beginRun({ db, clock }, { id, isFixing, host: hostname() });
      if (isBegun)
        running = work(id, isFixing).catch((error: unknown) =>
          log.error({ err: error }, 'the outcome of the doctor could not be noted'),
        );
      return shown;
    },
  };
}

function failed(failure: string): Partial<DoctorRun> {
  return { state: 'failed', failure };
}

/** The output of the command. */
type Printed = {
  readonly is_healthy: boolean;
  readonly findings: readonly DoctorFinding[];
  readonly fixed: DoctorRun['fixed'];
};

/** Runs the command with the settings of the server, until its deadline. */
async function examine(
  config: Config,
  { isFixing, signal }: { readonly isFixing: boolean; readonly signal: AbortSignal },
): Promise<Partial<DoctorRun>> {
  const { flags, environment } = settingsFor(config);
  const deadline = AbortSignal.timeout(examinationMinutesMax * 60_000);
  // Otherwise the reason for a failure would include lines of the log.
  const args = ['doctor', ...flags, '--log-level=silent', '--json'];
  const { stdout, failure } = await runCommand(isFixing ? [...args, '--fix', ...fixableChecks] : args, {
    env: environment,
    signal: AbortSignal.any([signal, deadline]),
  });
  if (signal.aborted) return failed('The server was stopped.');
  if (deadline.aborted) return failed(`It took longer than ${examinationMinutesMax} minutes.`);
  if (stdout === '') return failed(failure ?? 'It printed nothing.');
  const { is_healthy, findings, fixed } = JSON.parse(stdout) as Printed;
  return {
    ...{ state: 'done', is_healthy, count: findings.length, fixed: fixed.slice(0, shownFindingsMax) },
    findings: findings.slice(0, shownFindingsMax).map((finding) => ({
      ...finding,
      is_fixable: finding.is_fixable && fixableChecks.some((check) => check === finding.check),
    })),
  };
}
