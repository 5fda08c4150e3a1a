import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readRef } from 'confab-contract/values/ids.ts';
import { findUser } from '../access/user/user-access.ts';
import type { Db } from '../db/db.ts';
import { createBlobLinks } from '../features/blobs/blob-links.ts';
import { linkSecret } from '../features/downloads/link-secret.ts';
import { createErasing } from '../features/erasures/erasing.ts';
import { findErasure, renderErasure, requestErasure } from '../features/erasures/erasures.ts';
import { exportOf } from '../features/exports/exports.ts';
import { getSystemUser } from '../features/users/user-record.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import type { User } from '../kernel/principal.ts';
import { openCommandStorage } from '../setup/blobs.ts';
import { createLog } from '../setup/store.ts';
import type { BlobStorage } from '../storage/storage.ts';
import { startLoop } from '../workers/runner.ts';
import {
  addJson,
  addSettings,
  bucketSettings,
  configOf,
  type Flags,
  note,
  type OutputOptions,
  print,
  show,
  storeSettings,
  withStore,
} from './command.ts';

/** `confab user`: everything of a user, and its removal. Both also work while a server runs. */

/** How long the addresses in events work, in milliseconds; readers get fresh ones. */
const linkMs = 24 * 3_600_000;

const storageSettings = [...storeSettings, ...bucketSettings] as const;

/** Opens the store and the uploads for one command. */
async function withUser(
  flags: Flags,
  uid: string,
  work: (db: Db, user: User, storage: BlobStorage) => Promise<void>,
): Promise<void> {
  const config = configOf(flags);
  await withStore(flags, { mayMake: false }, async (db) => {
    const ref = readRef(uid);
    const user = ref === undefined ? undefined : await findUser(db.read, ref);
    if (user === undefined) throw new CommandError(`there is no user ${uid}`);
    const { storage, close } = await openCommandStorage(config, {
      log: createLog(config),
      clock: systemClock,
    });
    try {
      await work(db, user, storage);
    } finally {
      await close();
    }
  });
}

async function exportTo(
  flags: Flags,
  { uid, file }: { uid: string; file: string },
  output: OutputOptions,
): Promise<void> {
  await withUser(flags, uid, async (db, user, storage) => {
    const archive = exportOf({ db, clock: systemClock, storage }, user, {
      callerId: user.id,
      prove: undefined,
    });
    // Neither another user's file nor an earlier export is overwritten.
    await pipeline(
      Readable.from(archive, { objectMode: false }),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
    show({ user_id: user.id, file }, output, () => []);
    note(`Everything of user ${user.id} is in ${file}.`);
  });
}

async function erase(flags: Flags, uid: string, { keepsContent }: { keepsContent: boolean }): Promise<void> {
  await withUser(flags, uid, async (db, user, storage) => {
    const { id } = await db.write(async (tx) => {
      const caller = { kind: 'key' as const, user: await getSystemUser(tx) };
      const write = { tx, caller, at: systemClock.now() };
      return await requestErasure(write, user, { content: keepsContent ? 'keep' : 'remove' });
    });
    const secret = await linkSecret(db);
    // The log names pictures by their path alone: the address of the server is not known here.
    const links = createBlobLinks({ secret, publicUrl: () => '', lifeMs: linkMs, clock: systemClock });
    const erasing = createErasing({ db, clock: systemClock, storage, links });
    const done = Promise.withResolvers<void>();
    const loop = startLoop({
      name: 'erasing',
      log: createLog(configOf(flags)),
      async step() {
        if ((await findErasure(db.read, id))?.finishedAt === null) return (await erasing.step()) ?? 0;
        done.resolve();
        return undefined;
      },
    });
    await done.promise;
    await loop.stop();
    const erasure = await findErasure(db.read, id);
    if (erasure !== undefined) print(renderErasure(erasure));
  });
}

/** Adds `confab user export` and `erase`. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('Export and erase users, also while a server runs.');

  const exported = user
    .command('export')
    .description('Write everything that the server has of a user to a tar archive.')
    .argument('<uid>', 'the uid or id of the user')
    .argument('<file>', 'where to write the archive; it must not exist');
  const exportFlags = addSettings(addJson(exported), storageSettings);
  exported.action((uid: string, file: string, output: OutputOptions) =>
    exportTo(exportFlags(), { uid, file }, output),
  );

  const erased = user
    .command('erase')
    .description('Erase a user, and print the signed receipt when the erasure is complete.')
    .argument('<uid>', 'the uid or id of the user')
    .option('--keep-content', 'keep comments, posts and messages, without their author');
  const eraseFlags = addSettings(erased, storageSettings);
  erased.action((uid: string, { keepContent }: { keepContent?: boolean }) =>
    erase(eraseFlags(), uid, { keepsContent: keepContent === true }),
  );
}
