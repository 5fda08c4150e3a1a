/** A part of the proof: a suite that runs in pieces, each with a seed of its own. */
export type Part = {
  /** What it counts, in the plural. */
  readonly unit: string;
  /** What a piece does, as a sentence of the page. */
  readonly what: string;
  /** How many there should be before a release that people trust with their data. */
  readonly aim: number;
  /** How many a piece has: a few minutes of work. */
  readonly piece: number;
  /** The script and its arguments for a piece. */
  readonly command: (count: number, seed: number) => readonly string[];
  /** Finds in its output how many there were. */
  readonly counted: RegExp;
  /** Finds in its output the lines that the ledger keeps. */
  readonly figures: RegExp;
  /** Whether it needs programs that npm does not bring; it then runs only where `--part` names it. */
  readonly needsPrograms?: true;
};

const fuzz = (engine: string, name: string): Part => ({
  unit: 'requests',
  what: `Valid requests and damaged copies of them to a server on ${name}: no 5xx, and nothing that the contract does not declare.`,
  aim: 1_000_000,
  piece: 20_000,
  command: (count, seed) => [
    'proof/fuzz.ts',
    ...['--engine', engine, '--plant', 'none', '--requests', `${count}`, '--seed', `${seed}`],
  ],
  counted: /: requests (\d+),/,
  figures: /^\w+: requests \d+.*/gm,
});

/** The parts by name, in the order in which they take turns. */
export const parts: { readonly [name: string]: Part } = {
  kills: {
    unit: 'kills',
    what: 'A server under 16 writing clients is killed at a random moment, restarted and compared: writes, uploads, members, webhooks.',
    aim: 10_000,
    piece: 25,
    command: (count, seed) => [
      'proof/crash.ts',
      '--only',
      'server',
      '--cycles',
      `${count}`,
      '--seed',
      `${seed}`,
    ],
    counted: /^kills (\d+),/m,
    figures: /^(?:kills|lost writes) .*/gm,
  },
  cuts: {
    unit: 'power cuts',
    what: 'The same writes on SQLite, with a cut of the power at a random change of the disk, every other one torn.',
    aim: 10_000,
    piece: 50,
    command: (count, seed) => [
      'proof/power.ts',
      '--only',
      'sqlite',
      '--cuts',
      `${count}`,
      '--seed',
      `${seed}`,
    ],
    counted: /^cuts (\d+),/m,
    figures: /^(?:cuts|lost writes) .*/gm,
  },
  works: {
    unit: 'power cuts and kills',
    what: 'Imports, their undoing, erasures and the copying back of the write-ahead log, each ended by a kill or a cut at a random change of the disk, and finished by the next server.',
    aim: 10_000,
    piece: 60,
    command: (count, seed) => [
      'proof/power.ts',
      '--only',
      'works',
      '--work-cuts',
      `${count}`,
      '--seed',
      `${seed}`,
    ],
    counted: /^ends (\d+),/m,
    figures: /^(?:ends|wrong) .*/gm,
  },
  'cuts-postgres': {
    unit: 'power cuts',
    what: 'The same writes on PostgreSQL, whose folder loses its power together with that of the server.',
    aim: 1000,
    piece: 25,
    command: (count, seed) => [
      'proof/power.ts',
      ...['--only', 'postgres', '--postgres-cuts', `${count}`, '--seed', `${seed}`],
    ],
    counted: /^cuts (\d+),/m,
    figures: /^(?:cuts|lost writes) .*/gm,
  },
  'cuts-backups': {
    unit: 'power cuts',
    what: 'The place of backups loses its power while segments of the log are shipped and backups are made and removed.',
    aim: 1000,
    piece: 50,
    command: (count, seed) => [
      'proof/power.ts',
      '--only',
      'backups',
      '--place-cuts',
      `${count}`,
      '--seed',
      `${seed}`,
    ],
    counted: /^seed \d+: (\d+) power cuts of the place/m,
    figures: /^ {2}\d+ times there was a backup.*/gm,
  },
  'kills-shipping': {
    unit: 'kills',
    what: 'A server that ships its log is killed, its disk is taken away, and a store is restored from the place.',
    aim: 1000,
    piece: 10,
    command: (count, seed) => [
      'proof/backup.ts',
      '--only',
      'lose',
      '--kills',
      `${count}`,
      '--seed',
      `${seed}`,
    ],
    counted: /is killed (\d+) times/,
    figures: /^ {2}lost before the kill.*/gm,
  },
  'kills-erasure': {
    unit: 'kills',
    what: 'A server is killed again and again while it erases a user; afterwards no word of the user is in any file.',
    aim: 1000,
    piece: 20,
    command: (count, seed) => [
      'proof/erase.ts',
      ...['--engine', 'sqlite', '--items', '1500', '--kills', `${count}`, '--seed', `${seed}`],
    ],
    counted: /with (\d+) kills/,
    figures: /^sqlite: .*/gm,
  },
  differential: {
    unit: 'requests',
    what: 'The same random requests to a server on SQLite and one on PostgreSQL, whose answers must be equal; with imports and rotated keys.',
    aim: 1_000_000,
    piece: 10_000,
    command: (count, seed) => [
      'proof/differential.ts',
      ...['--plant', 'none', '--requests', `${count}`, '--seed', `${seed}`],
    ],
    counted: /^requests (\d+),/m,
    figures: /^(?:requests \d+,|in \d+ s,| {2}5xx) .*/gm,
  },
  simulator: {
    unit: 'simulated hours',
    what: 'Some weeks of several nodes on a simulated clock, with crashes, stalls, clocks that jump and receivers that fail, held against what the guides promise about time.',
    aim: 100_000,
    piece: 1000,
    command: (count, seed) => [
      'proof/simulate.ts',
      ...['--hours', '1', '--length', `${count}`, '--seed', `${seed}`],
    ],
    counted: /^(\d+) simulated hours/m,
    figures: /^(?:[^:\n]+: \d+ histories|\d+ simulated hours|FAILED) .*/gm,
  },
  failovers: {
    unit: 'failovers',
    what: 'Three servers of PostgreSQL, three nodes and HAProxy, failed over in ten ways under load: nothing lost, no gap, nothing doubled.',
    aim: 100,
    piece: 10,
    // A turn has each of the ten kinds once.
    command: (count, seed) => [
      'proof/failover.ts',
      ...['--only', 'turns', '--times', `${Math.ceil(count / 10)}`, '--seed', `${seed}`],
    ],
    // Failovers are numbered as they come, so the last number counts them.
    counted: /(?:^|[\s\S]*\n)(\d+) [\w-]+: writes away/,
    figures: /^\d+ [\w-]+: writes away .*/gm,
    needsPrograms: true,
  },
  'fuzz-sqlite': fuzz('sqlite', 'SQLite'),
  'fuzz-postgres': fuzz('postgres', 'PostgreSQL'),
  faults: {
    unit: 'faults of the disk',
    what: 'Each system call of five writes and of a start fails once, or the disk is full from it on; also on a disk that is read-only. The disk is full from each eighth call on of a backup and of an import.',
    aim: 1000,
    piece: 482,
    command: () => ['proof/faults.ts'],
    counted: /^in all (\d+) points/m,
    figures: /^in all .*/gm,
  },
};
