import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';

/** On what something was measured or tried. What git does not know is null. */
export type RunFacts = {
  /** The commit of the checkout (40 hexadecimal digits). */
  readonly commit: string | null;
  /** The tree of its folder `server/src`: a rebase gives a commit another name, not the tree. */
  readonly sources: string | null;
  /** Whether every file was as in the commit, except those that the run writes. */
  readonly is_clean: boolean | null;
  /** When it began (ISO 8601, UTC), and how long it took in seconds. */
  readonly at: string;
  readonly seconds: number;
  readonly machine: {
    /** The model of the processor, as the operating system tells it. */
    readonly processor: string;
    readonly cores: number;
    readonly node: string;
    /** The operating system, and the first two numbers of its release. */
    readonly system: string;
  };
  /** How many programs ran or waited to run on average in the minute before, at the beginning and at the end. */
  readonly load: { readonly before: number; readonly after: number };
};

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** How many programs ran or waited to run on average in the last minute. */
export function minuteLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/**
 * Notes the beginning of a run; the function that it returns gives the facts at the end. `written` are paths that the run
 * writes; `before` is the load before it, that of this moment when absent.
 */
export function beginRun(written: readonly string[], before = minuteLoad()): () => RunFacts {
  const startedAt = performance.now();
  const begun = {
    commit: git('rev-parse', 'HEAD'),
    sources: git('rev-parse', 'HEAD:server/src'),
    is_clean: isClean(written),
    at: new Date().toISOString(),
  };
  return () => ({
    ...begun,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      node: process.version,
      // The rest of the name is of one machine.
      system: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? release()}`,
    },
    load: { before, after: minuteLoad() },
  });
}

function isClean(written: readonly string[]): boolean | null {
  const changes = git('status', '--porcelain', '--', '.', ...written.map((file) => `:!${file}`));
  return changes === null ? null : changes === '';
}
