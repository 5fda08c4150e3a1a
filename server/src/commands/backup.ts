import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { parseTimestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { createBackup } from '../backup/create.ts';
import { type BackupEntry, lastBefore, lastFinished, listBackups } from '../backup/list.ts';
import type { Manifest } from '../backup/manifest.ts';
import type { BackupPlace } from '../backup/place.ts';
import { pruneBackups } from '../backup/prune.ts';
import type { Applied } from '../backup/replay.ts';
import { restoreBackup } from '../backup/restore.ts';
import { verifyBackup } from '../backup/verify.ts';
import { type Config, version } from '../config/config.ts';
import { keyTextOf } from '../features/webhooks/secrets/secret-keys.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import { bucketSettingsOf } from '../setup/blobs.ts';
import { openClient, withBlobs, withPlace } from '../setup/places.ts';
import { createLog } from '../setup/store.ts';
import {
  addJson,
  addSettings,
  bucketSettings,
  configWith,
  note,
  type OutputOptions,
  printTable,
  printValue,
  show,
} from './command.ts';
import { addShipCommand } from './ship.ts';

/** `confab backup`: makes, checks, restores, lists and removes backups. */

function momentLine({ id, moment, blobs }: Manifest): string {
  return `${id}: everything that was answered before ${moment.time}, up to position ${moment.position} of the log, with ${blobs.count} blobs`;
}

function logLines(applied: Applied | undefined): string[] {
  return applied?.endsAt === undefined || applied.segments === 0
    ? []
    : [`${applied.segments} segments of the log bring it to ${applied.endsAt}.`];
}

function noteKey({ key, blobs }: Manifest): void {
  if (key === 'left out')
    note(
      'The key that seals secrets of webhooks is not in the backup: keep it elsewhere, or set CONFAB_BACKUP_PASSPHRASE.',
    );
  if (blobs.missing > 0)
    note(`${blobs.missing} blobs in use have no bytes in the store, so the backup lacks them as well.`);
}

type CreateFlags = OutputOptions & { readonly keep?: number };

async function create(config: Config, flags: CreateFlags): Promise<void> {
  if (config.databaseUrl !== undefined)
    throw new CommandError(
      'the store is on PostgreSQL: back it up with pg_basebackup or pg_dump, and the blobs beside it, as docs/backups.md says',
      { exitCode: exitMisused },
    );
  const database = join(config.dataDir, 'confab.db');
  if (!existsSync(database)) throw new CommandError(`there is no store in the data folder ${config.dataDir}`);
  const { keep } = flags;
  await withPlace(config, { isWritten: true }, async (place) => {
    const startedAt = performance.now();
    const { manifest, copied } = await withBlobs(
      config,
      async (readBlob) =>
        await createBackup({
          source: { database, readBlob, keyText: keyTextOf(config) },
          place,
          clock: systemClock,
          log: createLog(config),
          version,
          passphrase: config.backupPassphrase,
        }),
    );
    const pruned = keep === undefined ? undefined : await pruneBackups(place, keep);
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(2));
    show({ ...manifest, copied, seconds, removed: pruned?.removed ?? [] }, flags, () => [
      momentLine(manifest),
      `${copied.blobs} blobs were new; it took ${seconds} s${pruned === undefined ? '' : `, and ${pruned.removed.length} earlier backups were removed`}.`,
    ]);
    noteKey(manifest);
  });
}

/** The backup that is asked for; by default the newest finished one. */
async function resolveBackupId(place: BackupPlace, id: string | undefined): Promise<string> {
  if (id === undefined) return await lastFinished(place);
  if ((await place.ids()).includes(id)) return id;
  throw new Error(`there is no backup ${id}; "confab backup list" shows all`);
}

type ChooseFlags = OutputOptions & { readonly backup?: string };

async function verify(config: Config, flags: ChooseFlags): Promise<void> {
  await withPlace(config, { isWritten: false }, async (place) => {
    const id = await resolveBackupId(place, flags.backup);
    const { manifest, applied, damage } = await verifyBackup({
      place,
      id,
      passphrase: config.backupPassphrase,
    });
    const isKeyOpened = manifest.key === 'sealed' && config.backupPassphrase !== undefined;
    show(
      {
        id,
        is_whole: damage.length === 0,
        damage,
        moment: manifest.moment,
        log: { segments: applied?.segments ?? 0, ends_at: applied?.endsAt ?? null },
        key: manifest.key,
      },
      flags,
      () =>
        damage.length > 0
          ? damage
          : [momentLine(manifest), ...logLines(applied), 'Every file, row and blob is as it was.'],
    );
    if (damage.length > 0) throw new CommandError(`the backup ${id} has ${damage.length} faults`);
    if (manifest.key === 'sealed' && !isKeyOpened)
      note('The sealed key was not opened: set CONFAB_BACKUP_PASSPHRASE to try that as well.');
  });
}

type RestoreFlags = ChooseFlags & { readonly to: string; readonly at?: UnixMs };

/** The backup to restore, and the time up to which the log is applied. A backup that is named is restored as it is. */
async function chosenFor(place: BackupPlace, { backup, at }: RestoreFlags) {
  if (backup !== undefined) return { id: await resolveBackupId(place, backup), upTo: at };
  if (at === undefined) return { id: await lastFinished(place), upTo: Number.POSITIVE_INFINITY };
  return { id: await lastBefore(place, at), upTo: at };
}

async function restore(config: Config, flags: RestoreFlags): Promise<void> {
  await withPlace(config, { isWritten: false }, async (place) => {
    const { id, upTo } = await chosenFor(place, flags);
    const access = bucketSettingsOf(config);
    const bucket = access === undefined ? undefined : await openClient(access, config);
    try {
      const { manifest, applied, hasKey } = await restoreBackup({
        place,
        id,
        upTo,
        to: flags.to,
        passphrase: config.backupPassphrase,
        bucket,
      });
      const { moment } = manifest;
      const log = { segments: applied?.segments ?? 0, ends_at: applied?.endsAt ?? null };
      show({ id, to: resolve(flags.to), moment, log, has_key: hasKey }, flags, () => [
        momentLine(manifest),
        ...logLines(applied),
        `Set CONFAB_DATA_DIR to ${resolve(flags.to)} and start the server.`,
      ]);
      if (!hasKey && manifest.key !== 'not needed')
        note(
          `The key that seals secrets of webhooks was not restored: ${manifest.key === 'sealed' ? 'set CONFAB_BACKUP_PASSPHRASE and restore again' : `copy it to ${join(resolve(flags.to), 'secrets.key')}`}.`,
        );
    } finally {
      bucket?.close();
    }
  });
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new InvalidArgumentError('It is a whole number, 1 to 99999.');
  return Number(text);
}

function moment(text: string): UnixMs {
  const at = parseTimestamp(text);
  if (at === undefined)
    throw new InvalidArgumentError('It is a time of RFC 3339, such as 2026-11-22T20:08:35Z.');
  return at;
}

function printEntries(entries: readonly BackupEntry[], { json }: OutputOptions): void {
  if (json === true) printValue(entries);
  else
    printTable(
      ['id', 'state', 'position', 'bytes', 'blobs', 'key', 'until'],
      entries.map(({ moment, bytes = '', blobs = '', key = '', until = '', ...entry }) => ({
        ...entry,
        ...{ position: moment?.position ?? '', bytes, blobs, key, until },
      })),
    );
}

const placeWords =
  'a folder, or s3://bucket/prefix with the access of CONFAB_S3_…; CONFAB_BACKUP_TO by default';

/** Adds `confab backup` to the command line. */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('Make, check and restore backups of a store on SQLite, also while its server runs.');
  const verb = (name: string, description: string) =>
    addJson(backup.command(name).description(description).argument('[place]', placeWords));

  const createCommand = verb(
    'create',
    'Make a backup: database, blobs that the place lacks, and the sealed key.',
  ).option(
    '--keep <number>',
    'afterwards keep this many finished backups and remove earlier ones',
    wholeNumber,
  );
  const createSettings = addSettings(createCommand, [
    'dataDir',
    'databaseUrl',
    ...bucketSettings,
    'secretsKey',
    'secretsKeyFile',
    'backupPassphrase',
  ]);
  createCommand.action((place: string | undefined, flags: CreateFlags) =>
    create(configWith(place, createSettings()), flags),
  );

  const verifyCommand = verb(
    'verify',
    'Restore a backup to a temporary folder and compare every file, row count, reference and blob. Exits with 1 when something is damaged.',
  ).option('--backup <id>', 'by default the newest finished one');
  const verifySettings = addSettings(verifyCommand, [...bucketSettings, 'backupPassphrase']);
  verifyCommand.action((place: string | undefined, flags: ChooseFlags) =>
    verify(configWith(place, verifySettings()), flags),
  );

  const restoreCommand = verb('restore', 'Check a backup and make a data folder of it.')
    .requiredOption('--to <folder>', 'the data folder to make; blobs go to CONFAB_S3_BUCKET if that is set')
    .option(
      '--backup <id>',
      'by default the newest finished one; a backup named here is restored without the log',
    )
    .option(
      '--at <time>',
      'the moment to restore, such as 2026-11-22T20:08:35Z; by default the newest',
      moment,
    );
  const restoreSettings = addSettings(restoreCommand, [...bucketSettings, 'backupPassphrase']);
  restoreCommand.action((place: string | undefined, flags: RestoreFlags) =>
    restore(configWith(place, restoreSettings()), flags),
  );

  const listCommand = verb(
    'list',
    'List the backups: id, position of the log, bytes, blobs, key, and until when the shipped log goes on from each.',
  );
  const listSettings = addSettings(listCommand, bucketSettings);
  listCommand.action((name: string | undefined, flags: OutputOptions) =>
    withPlace(configWith(name, listSettings()), { isWritten: false }, async (place) =>
      printEntries(await listBackups(place), flags),
    ),
  );

  addShipCommand(backup);

  const pruneCommand = verb(
    'prune',
    'Remove earlier backups, unfinished ones, and the blobs that only they have.',
  ).requiredOption('--keep <number>', 'how many finished backups stay', wholeNumber);
  const pruneSettings = addSettings(pruneCommand, bucketSettings);
  pruneCommand.action((name: string | undefined, flags: OutputOptions & { keep: number }) =>
    withPlace(configWith(name, pruneSettings()), { isWritten: true }, async (place) =>
      show(await pruneBackups(place, flags.keep), flags, ({ removed, kept, removedBlobs }) => [
        `${removed.length} backups and ${removedBlobs} blobs were removed; ${kept.length} backups are left.`,
      ]),
    ),
  );
}
