import type { Command } from 'commander';
import type { Db } from '../db/db.ts';
import { sealAgents } from '../features/agents/agents.ts';
import {
  describeSecrets,
  forgetKeys,
  openSecretBox,
  startSealing,
} from '../features/webhooks/secrets/secret-keys.ts';
import { type Batch, replaceLostBatch, sealBatch } from '../features/webhooks/secrets/secrets.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import {
  addJson,
  addSettings,
  configOf,
  type Flags,
  note,
  type OutputOptions,
  plainFailure,
  printTable,
  printValue,
  show,
  storeSettings,
  withStore,
} from './command.ts';

/** Commands that manage how webhook secrets are sealed. */

const keySettings = [...storeSettings, 'secretsKey', 'secretsKeyFile'] as const;

/** Runs `work` with the store and a secret box, whose errors have readable messages. */
async function withBox(flags: Flags, work: (db: Db, box: SecretBox) => Promise<void>): Promise<void> {
  const config = configOf(flags);
  await withStore(flags, { mayMake: false }, async (db) => {
    try {
      await work(db, openSecretBox(config));
    } catch (error) {
      throw plainFailure(error);
    }
  });
}

/** Processes all batches. */
async function walk<T>(
  batch: (after: number) => Promise<Batch<T>>,
  onBatch: (done: T) => void,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { next, done } = await batch(after);
    onBatch(done);
    after = next;
  }
}

async function showStatus(db: Db, box: SecretBox, { json }: OutputOptions): Promise<void> {
  const { isSealing, keyIds, counts } = await describeSecrets(db);
  const sealed = new Map(counts.map(({ keyId, count }) => [keyId, count]));
  const ids = new Set([...box.keyIds, ...keyIds, ...sealed.keys()].filter((one) => one !== undefined));
  const keys = [...ids].map((id) => ({
    id,
    state: box.keyIds[0] === id ? 'seals' : box.keyIds.includes(id) ? 'opens' : 'MISSING',
    secrets: sealed.get(id) ?? 0,
  }));
  const readable = sealed.get(undefined) ?? 0;
  if (json === true) {
    const states = keys.map((key) => ({ ...key, state: key.state.toLowerCase() }));
    printValue({ keys: states, readable_secrets: readable, is_sealing: isSealing });
    return;
  }
  printTable(
    ['key', 'state', 'secrets'],
    [
      ...keys.map(({ id, state, secrets }) => ({ key: id, state, secrets })),
      { key: 'readable', state: isSealing ? 'to be sealed' : 'not sealed yet', secrets: readable },
    ],
  );
}

async function rotate(db: Db, box: SecretBox, output: OutputOptions): Promise<void> {
  await startSealing(db, box);
  let sealedCount = 0;
  await walk(
    (after) => sealBatch(db, box, { after, isAnew: true }),
    (count) => {
      sealedCount += count;
    },
  );
  sealedCount += await sealAgents(db, box);
  const keysInUse = await forgetKeys(db, box);
  show({ key: box.keyIds[0], sealed: sealedCount, keys_in_use: keysInUse }, output, () => [
    `${sealedCount} secrets were sealed with the key ${box.keyIds[0]}.`,
  ]);
  if (keysInUse.length > 0)
    throw new CommandError(
      `secrets are still being sealed with ${keysInUse.join(', ')}: have every server start with the key ${box.keyIds[0]} first, then run this again`,
    );
  note('No other key is needed any more.');
}

async function replaceLost(db: Db, box: SecretBox, { json }: OutputOptions): Promise<void> {
  const replacements: { id: number; payload_url: string; secret: string }[] = [];
  box.makeKey();
  try {
    await walk(
      (after) => replaceLostBatch({ db, box, clock: systemClock }, after),
      (replaced) => {
        replacements.push(
          ...replaced.map(({ id, payloadUrl, secret }) => ({ id, payload_url: payloadUrl, secret })),
        );
      },
    );
  } finally {
    // Whatever was replaced is shown, because it cannot be shown again.
    if (json === true) printValue(replacements);
    else if (replacements.length > 0) printTable(['id', 'payload_url', 'secret'], replacements);
  }
  await forgetKeys(db, box);
  note(
    replacements.length === 0
      ? 'No secret was lost.'
      : `${replacements.length} webhooks have new secrets, shown this once. Give them to the receivers: what these refuse until then is sent again.`,
  );
}

/** Adds `confab secrets` to the command line. */
export function addSecretCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('Manage the keys that seal the secrets of webhooks in the store.');
  const status = secrets
    .command('status')
    .description(
      'List the keys, the state of each (seals, opens, MISSING) and the number of secrets that it seals.',
    );
  const statusFlags = addSettings(addJson(status), keySettings);
  status.action((output: OutputOptions) => withBox(statusFlags(), (db, box) => showStatus(db, box, output)));

  const rotateCommand = secrets
    .command('rotate')
    .description(
      'Seal every secret with the first key, also while servers that have this key run. On a store of an earlier release, do it once no earlier server uses the store.',
    );
  const rotateFlags = addSettings(addJson(rotateCommand), keySettings);
  rotateCommand.action((output: OutputOptions) =>
    withBox(rotateFlags(), (db, box) => rotate(db, box, output)),
  );

  const replace = secrets
    .command('replace-lost')
    .description(
      'Give a new secret to each webhook whose secret no key opens, and print id, address and secret of each. Use it when a key is lost.',
    );
  const replaceFlags = addSettings(addJson(replace), keySettings);
  replace.action((output: OutputOptions) =>
    withBox(replaceFlags(), (db, box) => replaceLost(db, box, output)),
  );
}
