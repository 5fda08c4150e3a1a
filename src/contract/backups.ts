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
      description: `What was damaged, the first ${shownFaultsMax}; empty for a whole backup.`,
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
        'Whether its manifest is there and whole. `unfinished` is one that is being made, or whose making was interrupted.',
    }),
    moment: o(
      described(
        Timestamp,
        'Every change that was answered before this time is in it. Absent, as what follows, unless it is whole.',
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
      description: 'What is done.',
    }),
    id: o(string('The id of the backup that is checked, or that was made.')),
    state: Type.Unsafe<'running' | 'done' | 'failed'>({
      type: 'string',
      enum: ['running', 'done', 'failed'],
      description: 'How far it is. A check that finds damage is `done`; what it found is with the backup.',
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
      'Whether Confab makes backups of this store: one on SQLite. PostgreSQL has tools of its own.',
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
    summary: 'Lists the backups at the place of the server, and says what runs.',
    description: 'Those at `CONFAB_BACKUP_TO`, whoever made them.',
    caller: 'key',
    on: 'server',
    effect: 'wait',
    success: { 200: Backups },
    errors: [401],
  },
  createBackup: {
    method: 'POST',
    path: '/api/backups',
    summary: 'Begins to make a backup, as the server does by itself.',
    description: `${whole} It goes to \`CONFAB_BACKUP_TO\`, and earlier backups beyond \`CONFAB_BACKUP_KEEP\` are removed afterwards. Only one is made or checked at a time: while one is being made this answers with that, and while one is being checked it is 503 \`too_busy\`. Without a place, and on PostgreSQL, it is 422.`,
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
    description: `${whole} The archive has the database, every blob, the sealed key if there is one, and at its very end the manifest: one that was cut off is not finished. Unpack it to an empty folder, and \`confab backup verify\` and \`restore\` take that folder. It does not have the shipped log. A node sends one at a time, another is 503 \`too_busy\`.`,
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
