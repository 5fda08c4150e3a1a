import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What was run, one JSON object on each line, the oldest first. */
export const ledgerFile = 'proof/ledger/ledger.jsonl';

/** A piece of a part that was run. */
export type Entry = {
  readonly part: string;
  /** How many there were, such as kills. After a failure it may be fewer than the piece has. */
  readonly count: number;
  readonly seed: number;
  /** The commit of the checkout, and the tree of its folder `server/src`: a rebase gives a commit another name, not the tree. */
  readonly commit: string;
  readonly sources: string;
  /** Whether every file was as in the commit, except in `proof/ledger/`. */
  readonly is_clean: boolean;
  /** When it began (ISO 8601, UTC), and how long it took in seconds. */
  readonly at: string;
  readonly seconds: number;
  readonly result: 'passed' | 'failed';
  /** Lines of its output. */
  readonly figures: readonly string[];
  /** The command that repeats it. */
  readonly command: string;
  /** What was found out about a failure, written by hand. */
  readonly note?: string;
};

/** Everything that was run; nothing where there is no ledger. */
export function readLedger(): Entry[] {
  if (!existsSync(ledgerFile)) return [];
  const lines = readFileSync(ledgerFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
}

/** Adds a piece to the ledger. */
export function note(entry: Entry): void {
  mkdirSync(dirname(ledgerFile), { recursive: true });
  appendFileSync(ledgerFile, `${JSON.stringify(entry)}\n`);
}

/** What some pieces come to together. */
export function totalsOf(pieces: readonly Entry[]) {
  return {
    count: pieces.reduce((sum, { count }) => sum + count, 0),
    pieces: pieces.length,
    failed: pieces.filter(({ result }) => result === 'failed').length,
    hours: pieces.reduce((sum, { seconds }) => sum + seconds, 0) / 3600,
  };
}

/** The seeds of some pieces, such as "1 to 3", or the only one. */
export function seedsOf(pieces: readonly Entry[]): string {
  const seeds = pieces.map(({ seed }) => seed);
  const [first, last] = [Math.min(...seeds), Math.max(...seeds)];
  return first === last ? `${first}` : `${first} to ${last}`;
}
