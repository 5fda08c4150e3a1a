import { globSync } from 'node:fs';

/** The engines of the store. Every test file runs on each of them unless it is named below. */
export const engines = ['sqlite', 'postgres'] as const;

/** One of the engines. */
export type Engine = (typeof engines)[number];

/** Files and folders (with `/` at the end) that start no server and open no store: they run once. */
export const withoutStore: readonly string[] = [
  'server/test/once/commands/config.test.ts',
  'server/test/once/conformance/key-rights.test.ts',
  'server/test/once/erasures/erased-tables.test.ts',
  'server/test/once/imports/read.test.ts',
  'importers/test/reading-html.test.ts',
  'importers/test/reading-records.test.ts',
  'importers/test/reading-refusals.test.ts',
  'server/test/once/limits/',
  'server/test/once/previews/derived-files.test.ts',
  'server/test/once/http/arrivals.test.ts',
  'server/test/once/http/client-address.test.ts',
  'server/test/once/markdown/markdown.test.ts',
  'server/test/once/http/mcp/shown-text.test.ts',
  'server/test/once/http/streams.test.ts',
  'contract/test/',
  'server/test/once/net/',
  'server/test/once/workers/allowances.test.ts',
  'server/test/once/workers/runner.test.ts',
  'tools/test/',
  'server/test/once/webhooks/scenarios-schedule.test.ts',
  'server/test/once/webhooks/receiver-docs.test.ts',
  'server/test/once/webhooks/receiver-verify.test.ts',
  'conformance/test/slow/plants.test.ts',
  'conformance/test/command.test.ts',
  'conformance/test/sentences.test.ts',
  'server/test/once/webhooks/secrets-box.test.ts',
];

/** Files that do, but run only once, on one engine, each with the reason. */
export const onOneEngine: { readonly [place: string]: { readonly engine: Engine; readonly reason: string } } =
  {
    'server/test/once/backup/': {
      engine: 'sqlite',
      reason: 'a backup copies the file of a store on SQLite; PostgreSQL has its own tools',
    },
    'server/test/once/access/backups.test.ts': {
      engine: 'sqlite',
      reason: 'Confab makes backups of a store on SQLite alone; who may ask for them is tried on both',
    },
    'console/test/access.test.ts': {
      engine: 'sqlite',
      reason: 'it is about which requests the console sends; who may send each is tried on both',
    },
    'server/test/once/browser/': {
      engine: 'sqlite',
      reason: 'they are about what a browser makes of the answers, and those are the same on both',
    },
    'server/test/once/bucket/': {
      engine: 'sqlite',
      reason: 'they are about where the bytes of blobs lie; their rows are tried on both in the folder above',
    },
    'clients/js/test/': {
      engine: 'sqlite',
      reason: 'they are about what a client makes of the responses, and those are the same on both',
    },
    'conformance/test/confab.test.ts': {
      engine: 'sqlite',
      reason: 'it is about what the kit finds in the answers, and those are the same on both',
    },
    'server/test/once/commands/slow/process.test.ts': {
      engine: 'sqlite',
      reason: 'it is about settings, addresses and signals, which the store has no part in',
    },
    'server/test/once/http/slow/guide-migrating.test.ts': {
      engine: 'sqlite',
      reason: 'its commands make stores of their own there; imports are tried on both in their folder',
    },
    'proof/test/floors.test.ts': {
      engine: 'sqlite',
      reason: 'the floor of the benchmark is one row of SQLite',
    },
    'server/test/once/db/': {
      engine: 'sqlite',
      reason: 'they open a store of each engine beside each other',
    },
    'server/test/postgres/nodes/': {
      engine: 'postgres',
      reason: 'only there can several servers share a store',
    },
    'server/test/once/package/': {
      engine: 'sqlite',
      reason: 'they are about the files that are installed, which are the same on both',
    },
    'server/test/once/webhooks/egress-doors.test.ts': {
      engine: 'sqlite',
      reason:
        'it is about what leaves, which is decided before the store has a say; the lines of it run on both',
    },
    'server/test/once/webhooks/slow/refused-addresses.test.ts': {
      engine: 'sqlite',
      reason: 'it is about addresses that nothing is sent to, which is decided before the store has a say',
    },
    'server/test/once/embeds/embeds-guard.test.ts': {
      engine: 'sqlite',
      reason: 'it is about pages that are read or refused; what is stored of one is tried on both',
    },
    'server/test/once/entries/entry-search.test.ts': {
      engine: 'sqlite',
      reason: 'it opens a store of each engine beside each other',
    },
    'server/test/once/imports/slow/wrong.test.ts': {
      engine: 'sqlite',
      reason: 'it is about files that are refused before anything of them is stored',
    },
    'server/test/once/moderation/akismet.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the code in a guide; what the server does with its answers is tried on both',
    },
    'server/test/once/visitors/slow/lying-providers.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the answers of a provider, of which nothing is stored',
    },
    'server/test/once/webhooks/slow/receiver-commands.test.ts': {
      engine: 'sqlite',
      reason: 'they are about commands that open no store',
    },
    'server/test/once/credentials/slow/jwt-keys.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the keys that the server reads from a provider and does not store',
    },
    'server/test/once/catalogue/framing.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes of requests, which are read before the store is asked',
    },
    'server/test/once/http/compression.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes of responses',
    },
    'server/test/once/http/docs.test.ts': { engine: 'sqlite', reason: 'it is about pages made from files' },
    'elements/test/served.test.ts': {
      engine: 'sqlite',
      reason: 'it is about files that the server hands out',
    },
    'server/test/once/http/slow/guide-code.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the code in the guides, whose requests are tried on both elsewhere',
    },
    'server/test/once/http/kit.test.ts': {
      engine: 'sqlite',
      reason: 'it is about files that the server hands out',
    },
    'server/test/once/http/mcp/budget.test.ts': {
      engine: 'sqlite',
      reason: 'it is about how long the texts are that a model is shown',
    },
    'server/test/once/http/open-files.test.ts': {
      engine: 'sqlite',
      reason: 'it is about connections and uploads, whose files are counted whatever keeps the store',
    },
    'server/test/once/http/openapi.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a document that is made from the contract',
    },
    'server/test/once/http/pages.test.ts': {
      engine: 'sqlite',
      reason: 'it is about pages made from the contract',
    },
    'server/test/once/http/request-log.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the lines of requests in the log of the server',
    },
    'server/test/once/http/security-contact.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a file that is made from settings',
    },
    'server/test/once/realtime/slow/frames.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes of a connection, which are read before the store is asked',
    },
    'server/test/once/realtime/headcount.test.ts': {
      engine: 'sqlite',
      reason:
        'it is about open streams, of which nothing is stored; nodes tell each other in server/test/postgres/nodes',
    },
    'server/test/once/realtime/slow.test.ts': {
      engine: 'sqlite',
      reason: 'it is about the bytes that wait for a client',
    },
    'server/test/once/http/slow/slow-clients.test.ts': {
      engine: 'sqlite',
      reason: 'it is about connections, which the server closes whatever keeps its store',
    },
    'server/test/once/workers/slow/picture-process.test.ts': {
      engine: 'sqlite',
      reason: 'it is about a process that reads and writes files; what is recorded of it is tried on both',
    },
    'proof/test/simulate/': {
      engine: 'sqlite',
      reason: 'its nodes share a store in one process, whose every step follows from a seed',
    },
    'server/test/once/sqlite/': {
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
  return globSync('server/test/**/*.test.ts').sort();
}
