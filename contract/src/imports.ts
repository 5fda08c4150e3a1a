import Type, { type Static } from 'typebox';
import { getting } from './common-operations.ts';
import { boolean, count, described, Id, listOf, string, Timestamp } from './fields.ts';
import {
  type ImportedKind,
  type ImportKind,
  importKinds,
  type LeftOutReason,
  leftOutReasons,
  pulledKinds,
  type RepliesAs,
  repliesAs,
} from './import-words.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** Where an import is. */
export const importStates = [
  'reading',
  'ready',
  'running',
  'finished',
  'failed',
  'stopped',
  'expired',
  'undoing',
  'undone',
] as const;
/** One of them. */
export type ImportState = (typeof importStates)[number];

const Kind = Type.Unsafe<ImportKind>({ type: 'string', enum: [...importKinds] });

const AnyKind = Type.Unsafe<ImportedKind>({ type: 'string', enum: [...importKinds, ...pulledKinds] });

const Replies = Type.Unsafe<RepliesAs>({ type: 'string', enum: [...repliesAs] });

/** The counts of what only an import of a whole server has; `what` is half a sentence about each. */
const ofServers = (what: string) => ({
  posts: o(count(`Posts that ${what}. Absent for an import of comments.`)),
  messages: o(count(`Messages that ${what}. Absent for an import of comments.`)),
  files: o(count(`Files that ${what}. Absent for an import of comments.`)),
});

const ImportPlanned = Type.Object(
  {
    source: Type.String({
      description:
        'Where the comments are from: the kind, for WordPress with `:` and the address of the site.',
      examples: ['disqus'],
    }),
    found: count(
      'How many comments the file has. For an import of a server, its comments, posts, messages and files.',
    ),
    comments: count('How many comments an import brings in.'),
    ...ofServers('an import brings in'),
    there_before: count('How many of those an earlier import has brought in already.'),
    restorable: count(
      'How many of those are in the trash because an import was undone. Running this import restores them.',
    ),
    left_out: Type.Array(
      Type.Object({
        reason: Type.Unsafe<LeftOutReason>({
          type: 'string',
          enum: Object.keys(leftOutReasons),
          description: `Why: ${Object.entries(leftOutReasons)
            .map(([reason, words]) => `\`${reason}\`: ${words}`)
            .join('; ')}.`,
        }),
        count: count('How many comments.'),
      }),
      {
        description:
          'The comments that are left out, by reason; with what is brought in they add up to `found`.',
      },
    ),
    moved_replies: count('Replies that move up in their thread, because what they reply to is left out.'),
    pages: count('How many pages the file has.'),
    pages_with_comments: count('How many of them have comments to import.'),
    apps: count('How many apps those pages need.'),
    restricted_apps: count(
      'How many of the apps are open only to their members, because their page is not public.',
    ),
    users: count('How many users the comments need.'),
    notes: Type.Array(Type.String(), {
      description:
        'Messages about faults of the file that were repaired, and about comments that cannot be read.',
    }),
  },
  {
    $id: 'ImportPlanned',
    description: 'The report of the dry run: what would be imported, and what would be left out.',
  },
);

const ImportMade = Type.Object(
  {
    comments: count('Comments that were created.'),
    ...ofServers('were created'),
    restored: count(
      'Comments that were restored from the trash, because undoing an import had put them there.',
    ),
    apps: count('Apps that were created.'),
    users: count('Users that were created.'),
  },
  { $id: 'ImportMade', description: 'The items that an import creates.' },
);

const ImportUndone = Type.Object(
  {
    comments: count('Comments that were put in the trash.'),
    ...ofServers('were put in the trash'),
    apps: count('Apps that were put in the trash.'),
    users: count('Users who were put in the trash.'),
  },
  { $id: 'ImportUndone', description: 'The items that undoing an import puts in the trash.' },
);

export const Import = Type.Object(
  {
    id: described(Id, 'The id of the import.'),
    kind: described(AnyKind, 'What the file is an export of, or the system that was read while it ran.'),
    name: string('The name of the file, or the address of the server that was read.'),
    keeps_emails: boolean('Whether users get the email addresses of the file.'),
    replies: described(
      Replies,
      'What a reply becomes: a reply in a thread (`thread`), or a comment that begins with a line of what it replies to (`quote`).',
    ),
    site: o(string('The address of the site that paths in the file belong to. Absent when none was given.')),
    state: Type.Unsafe<ImportState>({
      type: 'string',
      enum: [...importStates],
      description:
        'The state: the file is being read (`reading`), the dry run is done (`ready`), comments are being written (`running`), all are written (`finished`), the file cannot be imported or an error ended the import (`failed`), a user stopped it (`stopped`), it was not run within a day, so its file is gone (`expired`), it is being undone (`undoing`), or it was undone (`undone`).',
    }),
    error: o(string('Why it failed, in a sentence. Absent unless it has failed.')),
    planned: o(described(ImportPlanned, 'What the dry run says. Absent until the file has been read.')),
    made: described(ImportMade, 'What the import has made until now.'),
    undone: o(
      described(
        ImportUndone,
        'The items that the undo has put in the trash so far. Absent before it is requested.',
      ),
    ),
    created_at: described(Timestamp, 'When it was created.'),
    started_at: o(described(Timestamp, 'When it was run. Absent before that.')),
    finished_at: o(described(Timestamp, 'When it finished, failed or was stopped. Absent before that.')),
    undone_at: o(described(Timestamp, 'When everything was taken back. Absent before that.')),
  },
  { $id: 'Import', description: 'An import of the comments of another system, with its progress.' },
);
/** An import as others see it. */
export type Import = Static<typeof Import>;

const ImportList = listOf(Import, 'ImportList');

const ImportCreate = Type.Object(
  {
    kind: described(Kind, 'What the file is an export of.'),
    blob_id: described(
      Id,
      'The id of the upload with the export, which may be packed with gzip and has at most 1 GiB unpacked. `POST /api/blobs/import` takes larger files than other uploads.',
    ),
    keeps_emails: o(
      boolean(
        'Whether users get the email addresses of the file, which every reader of a comment can then see. `false` when absent.',
      ),
    ),
    replies: o(
      described(
        Replies,
        'What a reply becomes: a reply in a thread (`thread`), or a comment that begins with a line of what it replies to (`quote`). `thread` when absent.',
      ),
    ),
    site: o(
      Type.String({
        maxLength: 2048,
        description:
          'The address of the site, for an export that names pages by their path alone. Comments of such pages are left out when it is absent.',
        examples: ['https://garden.example'],
      }),
    ),
  },
  { $id: 'ImportCreate', description: 'The import to try.' },
);

/** What operations that start or end the work of an import have in common. */
const controlled = {
  method: 'POST',
  caller: 'key',
  scopes: ['apps', 'users'],
  effect: 'change',
  errors: [401, 404, 422],
} as const;

export const importOperations = operationsOf('Imports', {
  createImport: {
    method: 'POST',
    path: '/api/imports',
    summary: 'Tries an import of the comments of another system, and writes none.',
    description:
      'Upload the export with `POST /api/blobs/import` first. The response is immediate; the file is read in the background, and `GET /api/imports/{id}` has the report in `planned` once the state is `ready`. An import that nobody runs within a day expires with its file.',
    caller: 'key',
    scopes: ['apps', 'users'],
    on: 'server',
    effect: 'change',
    body: ImportCreate,
    success: { 201: Import },
    errors: [400, 401, 422],
    example: { kind: 'disqus', blob_id: 7 },
  },
  listImports: {
    method: 'GET',
    path: '/api/imports',
    summary: 'Lists imports, including those of the command `confab import`.',
    description: 'Imports have neither words, tags nor a trash, so a query for one of these finds none.',
    caller: 'key',
    on: 'server',
    effect: 'list',
    list: {
      orderBy: ['id', 'created_at'],
      defaultOrder: { field: 'id', descending: true },
      expand: [],
    },
    success: { 200: ImportList },
    errors: [401],
  },
  getImport: {
    ...getting(Import),
    path: '/api/imports/{id}',
    summary: 'Gets an import with its report and its progress.',
    caller: 'key',
    on: 'server',
  },
  runImport: {
    ...controlled,
    path: '/api/imports/{id}/run',
    summary: 'Runs an import whose dry run is done.',
    description:
      'The response is immediate, and the comments are written in the background. No webhook is called and no user is notified. Comments of an earlier import are not written again; those of an import that was undone are restored from the trash. Repeating the request changes nothing.',
    on: 'server',
    success: { 202: Import },
  },
  stopImport: {
    ...controlled,
    path: '/api/imports/{id}/stop',
    summary: 'Stops an import that is being read, waits to be run, or runs.',
    description:
      'Nothing is written after the response. Comments that were written before stay; `POST /api/imports/{id}/undo` puts them in the trash. A stopped import cannot be run again; upload the file again instead, which writes nothing twice. An import that has ended stays as it is, so repeating the request changes nothing.',
    on: 'server',
    success: { 200: Import },
  },
  undoImport: {
    ...controlled,
    path: '/api/imports/{id}/undo',
    summary: 'Undoes an import: puts the items that it created in the trash.',
    description:
      'The response is immediate, and the work is done in the background: first the comments that the import created, then its apps that have nothing else, and its users who did nothing else. No webhook is called and no user is notified. Comments that other users wrote there since stay. Repeating the request changes nothing.',
    on: 'server',
    scopes: ['apps', 'users', 'moderate'],
    success: { 202: Import },
  },
});
