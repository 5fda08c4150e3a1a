import Type, { type Static } from 'typebox';
import { boolean, count, described, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The most backups that one answer lists. */
export const listedBackupsMax = 100;

/** The most faults of a backup that are kept and shown. */
export const shownFaultsMax = 5;

const BackupCheck = Type.Object(
  {
    at: described(Timestamp, 'When the check ended.'),
    is_whole: boolean('Whether every file, row and blob was as it was.'),
    faults: Type.Array(Type.String(), {
      description: `The first ${shownFaultsMax} faults; empty for an intact backup.`,
    }),
  },
  { $id: 'BackupCheck', description: 'The last check of a backup through this interface.' },
);
/** The last check of a backup. */
export type BackupCheck = Static<typeof BackupCheck>;

const Backup = Type.Object(
  {
    id: Type.String({
      description: 'The id of the backup: when it began, with hyphens in place of colons.',
      examples: ['2026-11-22T20-08-35.324Z'],
    }),
    state: Type.Unsafe<'whole' | 'unfinished' | 'damaged'>({
      type: 'string',
      enum: ['whole', 'unfinished', 'damaged'],
      description:
        'Whether its manifest exists and is intact. `unfinished` is a backup that is being made or was interrupted.',
    }),
    moment: o(
      described(
        Timestamp,
        'The backup has every change that was acknowledged before this time. This and the following properties are absent unless the backup is intact.',
      ),
    ),
    position: o(count('The position in the log of events up to which it goes.')),
    bytes: o(count('How many bytes it takes without blobs, which all backups share.')),
    blobs: o(count('How many blobs it has.')),
    blob_bytes: o(count('How many bytes these take.')),
    key: o(
      Type.Unsafe<'sealed' | 'left out' | 'not needed'>({
        type: 'string',
        enum: ['sealed', 'left out', 'not needed'],
        description: 'Whether the key that seals secrets of webhooks is in it.',
      }),
    ),
    until: o(
      described(Timestamp, 'Until when a store can be restored from it and the shipped log. Absent without.'),
    ),
    check: o(described(BackupCheck, 'Its last check. Absent for one that was not checked.')),
  },
  { $id: 'Backup', description: 'A backup of the store.' },
);

const BackupJob = Type.Object(
  {
    kind: Type.Unsafe<'create' | 'verify'>({
      type: 'string',
      enum: ['create', 'verify'],
      description: 'The kind of work.',
    }),
    id: o(string('The id of the backup that is checked, or that was made.')),
    state: Type.Unsafe<'running' | 'done' | 'failed'>({
      type: 'string',
      enum: ['running', 'done', 'failed'],
      description: 'The progress. A check that finds damage is `done`; its findings are with the backup.',
    }),
    started_at: described(Timestamp, 'When it began.'),
    finished_at: o(described(Timestamp, 'When it ended. Absent while it runs.')),
    failure: o(string('Why it failed. Absent unless it did.')),
  },
  { $id: 'BackupJob', description: 'The making or checking of a backup, in the background.' },
);
/** The making or checking of a backup. */
export type BackupJob = Static<typeof BackupJob>;

const Backups = Type.Object(
  {
    is_possible: boolean(
      'Whether Confab can make backups of this store. It can on SQLite; PostgreSQL has its own tools.',
    ),
    place: o(
      string(
        'Where the backups are: a folder, or `s3://bucket/prefix`. Absent where `CONFAB_BACKUP_TO` is not set.',
      ),
    ),
    failure: o(string('Why the place cannot be read at the moment. Absent when it can.')),
    count: count('How many backups there are.'),
    data: Type.Array(Backup, { description: `The newest ${listedBackupsMax}, the newest first.` }),
    job: o(
      described(BackupJob, 'What runs, or ran last, since the server started. Absent where nothing did.'),
    ),
  },
  { $id: 'Backups', description: 'The backups at the place of the server.' },
);
/** The backups at the place of a server. */
export type Backups = Static<typeof Backups>;

const whole = 'Only for a key with the scope `all`.';

export const backupOperations = operationsOf('Server', {
  listBackups: {
    method: 'GET',
    path: '/api/backups',
    summary: 'Lists the backups at the place of the server, and the work in progress.',
    description: 'All backups at `CONFAB_BACKUP_TO`, made by the server or by a command.',
    caller: 'key',
    on: 'server',
    effect: 'wait',
    success: { 200: Backups },
    errors: [401],
  },
  createBackup: {
    method: 'POST',
    path: '/api/backups',
    summary: 'Starts to make a backup, as the server does automatically.',
    description: `${whole} It goes to \`CONFAB_BACKUP_TO\`, and earlier backups beyond \`CONFAB_BACKUP_KEEP\` are removed afterwards. Only one backup is made or checked at a time. While one is being made, the response shows that one; while one is being checked, the response is 503 \`too_busy\`. Without a place, and on PostgreSQL, the response is 422.`,
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'wait',
    success: { 202: BackupJob },
    errors: [401, 403, 422],
  },
  verifyBackup: {
    method: 'POST',
    path: '/api/backups/{backup}/verify',
    summary: 'Begins to check that a backup can be restored.',
    description: `${whole} The server restores it, with the log that goes on from it, to a temporary folder and compares every file, row count, reference and blob, as \`confab backup verify\` does. That needs room for the database. Only one backup is made or checked at a time: otherwise it is 503 \`too_busy\`.`,
    caller: 'key',
    scopes: ['all'],
    params: { backup: 'text' },
    on: 'server',
    effect: 'wait',
    success: { 202: BackupJob },
    errors: [401, 403, 404],
  },
  downloadBackup: {
    method: 'GET',
    path: '/api/backups/{backup}/archive',
    summary: 'Sends a backup as a tar archive, which unpacks to a place of backups.',
    description: `${whole} The archive has the database, every blob, the sealed key if there is one, and at its end the manifest, so an archive that was cut off counts as unfinished. Unpack it to an empty folder, which \`confab backup verify\` and \`restore\` then accept. It does not contain the shipped log. A node sends one archive at a time; a second request is 503 \`too_busy\`.`,
    caller: 'key',
    scopes: ['all'],
    params: { backup: 'text' },
    on: 'server',
    effect: 'wait',
    media: 'application/x-tar',
    success: { 200: Type.String() },
    errors: [401, 403, 404],
  },
});
