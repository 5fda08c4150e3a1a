import { globSync } from 'node:fs';

/** The engines of the store. Every test file runs on each of them unless it is named below. */
export const engines = ['sqlite', 'postgres'] as const;

/** One of the engines. */
export type Engine = (typeof engines)[number];

/** Files and folders (with `/` at the end) that start no server and open no store: they run once. */
export const withoutStore: readonly string[] = [
  'test/commands/config.test.ts',
  'test/conformance/key-rights.test.ts',
  'test/features/erasures/erased-tables.test.ts',
  'test/features/imports/read.test.ts',
  'test/features/imports/reading-html.test.ts',
  'test/features/imports/reading-records.test.ts',
  'test/features/imports/reading-refusals.test.ts',
  'test/features/limits/',
  'test/features/previews/derived-files.test.ts',
  'test/http/arrivals.test.ts',
  'test/http/client-address.test.ts',
  'test/features/markdown/markdown.test.ts',
  'test/http/mcp/shown-text.test.ts',
  'test/http/streams.test.ts',
  'test/kernel/',
  'test/net/',
  'test/workers/allowances.test.ts',
  'test/workers/runner.test.ts',
  'test/tooling/',
  'test/features/webhooks/scenarios-schedule.test.ts',
  'test/features/webhooks/receiver-docs.test.ts',
  'test/features/webhooks/receiver-verify.test.ts',
  'test/conformance-kit/plants.test.ts',
  'test/conformance-kit/command.test.ts',
  'test/conformance-kit/sentences.test.ts',
  'test/features/webhooks/secrets-box.test.ts',
];

/** Files that do, but run only once, on one engine, each with the reason. */
export const onOneEngine: { readonly [place: string]: { readonly engine: Engine; readonly reason: string } } =
  {
    'test/backup/': {
      engine: 'sqlite',
      reason: 'a backup copies the file of a store on SQLite; PostgreSQL has its own tools',
    },
    'test/access/backups.test.ts': {
      engine: 'sqlite',
      reason: 'Confab makes backups of a store on SQLite alone; who may ask for them is tried on both',
    },
    'test/access/console.test.ts': {
      engine: 'sqlite',
      reason: 'it is about which requests the console sends; who may send each is tried on both',
    },
    'test/browser/': {
      engine: 'sqlite',
      reason: 'they are about what a browser makes of the answers, and those are the same on both',
    },
    'test/bucket/': {
      engine: 'sqlite',
      reason: 'they are about where the bytes of blobs lie; their rows are tried on both in the folder above',
    },
    'test/client/': {
      engine: 'sqlite',
      reason: 'they are about what a client makes of the responses, and those are the same on both',
    },
    'test/conformance-kit/confab.test.ts': {
      engine: 'sqlite',
      reason: 'it is about what the kit finds in the answers, and those are the same on both',
    },
    'test/commands/process.test.ts': {
      engine: 'sqlite',
      reason: 'it is about settings, addresses and signals, which the store has no part in',
    },
    'test/http/guide-migrating.test.ts': {
      engine: 'sqlite',
      reason: 'its commands make stores of their own there; imports are tried on both in their folder',
    },
    'test/http/floors.test.ts': {
      engine: 'sqlite',
      reason: 'the floor of the benchmark is one row of SQLite',
    },
    'test/db/': { engine: 'sqlite', reason: 'they open a store of each engine beside each other' },
    'test/nodes/': { engine: 'postgres', reason: 'only there can several servers share a store' },
    'test/package/': {
      engine: 'sqlite',
      reason: 'they are about the files that are installed, which are the same on both',
    },
    'test/features/webhooks/egress-doors.test.ts': {
      engine: 'sqlite',
      reason:
        'it is about what leaves, which is decided before the store has a say; the lines of it run on both',
    },
    'test/features/webhooks/refused-addresses.test.ts': {
      engine: 'sqlite',
      reason: 'it is about addresses that nothing is sent to, which is decided before the store has a say',
    },
    'test/features/embeds/embeds-guard.test.ts': {
      engine: 'sqlite',
      reason: 'it is about pages that are read or refused; what is stored of one is tried on both',
    },
    'test/features/entries/entry-search.test.ts': {
      engine: 'sqlite',
      reason: 'it opens a store of each engine beside each other',
    },
    'test/features/imports/wrong.test.ts': {
      engine: 'sqlite',
      reason: 'it is about files that are refused before anything of them is stored',
    },
    'test/features/moderation/akismet.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the code in a guide; what the server does with its answers is tried on both',
    },
    'test/features/visitors/lying-providers.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the answers of a provider, of which nothing is stored',
    },
    'test/features/webhooks/receiver-commands.test.ts': {
      engine: 'sqlite',
      reason: 'they are about commands that open no store',
    },
    'test/features/credentials/jwt-keys.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the keys that the server reads from a provider and does not store',
    },
    'test/catalogue/framing.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes of requests, which are read before the store is asked',
    },
    'test/http/compression.test.ts': { engine: 'sqlite', reason: 'it is about the bytes of responses' },
    'test/http/docs.test.ts': { engine: 'sqlite', reason: 'it is about pages made from files' },
    'test/http/elements.test.ts': {
      engine: 'sqlite',
      reason: 'it is about files that the server hands out',
    },
    'test/http/guide-code.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the code in the guides, whose requests are tried on both elsewhere',
    },
    'test/http/kit.test.ts': { engine: 'sqlite', reason: 'it is about files that the server hands out' },
    'test/http/mcp/budget.test.ts': {
      engine: 'sqlite',
      reason: 'it is about how long the texts are that a model is shown',
    },
    'test/http/open-files.test.ts': {
      engine: 'sqlite',
      reason: 'it is about connections and uploads, whose files are counted whatever keeps the store',
    },
    'test/http/openapi.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a document that is made from the contract',
    },
    'test/http/pages.test.ts': { engine: 'sqlite', reason: 'it is about pages made from the contract' },
    'test/http/request-log.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the lines of requests in the log of the server',
    },
    'test/http/security-contact.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a file that is made from settings',
    },
    'test/realtime/frames.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes of a connection, which are read before the store is asked',
    },
    'test/realtime/headcount.test.ts': {
      engine: 'sqlite',
      reason: 'it is about open streams, of which nothing is stored; nodes tell each other in test/nodes',
    },
    'test/realtime/slow.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes that wait for a client',
    },
    'test/http/slow-clients.test.ts': {
      engine: 'sqlite',
      reason: 'it is about connections, which the server closes whatever keeps its store',
    },
    'test/workers/picture-process.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a process that reads and writes files; what is recorded of it is tried on both',
    },
    'test/simulate/': {
      engine: 'sqlite',
      reason: 'its nodes share a store in one process, whose every step follows from a seed',
    },
    'test/sqlite/': {
      engine: 'sqlite',
      reason: 'they are about the file and the folder that it keeps the store in',
    },
  };

/** Whether a file is in one of the lists above. */
export function isAt(place: string, file: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

/** Where a file runs: `once` without a store, on `both` engines, or on one of them. */
export function placeOf(file: string): 'once' | 'both' | Engine {
  if (withoutStore.some((place) => isAt(place, file))) return 'once';
  return Object.entries(onOneEngine).find(([place]) => isAt(place, file))?.[1].engine ?? 'both';
}

/** Every test file, in the order of their names. */
export function testFiles(): string[] {
  return globSync('test/**/*.test.ts').sort();
}
