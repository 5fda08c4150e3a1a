import { join } from 'node:path';
import { Problem } from 'confab-contract/problem.ts';
import type { Db, Read, Tx } from '../../../db/db.ts';
import { deleteSetting, insertSetting, settingsFrom } from '../../../db/settings.ts';
import type { Log } from '../../../kernel/log.ts';
import {
  createSecretBox,
  keyIdOf,
  type SecretBox,
  type SecretKey,
  sealCharacters,
  sealMark,
} from '../../../kernel/secret-box.ts';
import { ensureKeyFile, readKeyFile } from './key-file.ts';
import { anyEvent, refuseEarlier, secretCounts } from './secrets.store.ts';

/**
 * The keys that seal (encrypt) the secrets of webhooks. They are kept outside the store. The store has two kinds of
 * settings about them: `secrets_sealed`, which is set once secrets are sealed as they are written, and `secrets_key:ID`
 * for each key in use, a text that only that key opens. So a server that lacks a key of the store detects it at start.
 *
 * The first key is created for the first secret. Until then neither a store nor a copy of it needs a key.
 *
 * An earlier release would take a sealed secret for the secret itself. With one server, sealing begins when it starts;
 * on a store with several nodes, when the store is new or an operator confirms that no earlier release is running
 * (`confab secrets rotate`). The same commit makes the store refuse earlier releases.
 */

/** The migration that came with sealing; releases without it cannot open a secret. */
const firstStep = 11;

const sealedSetting = 'secrets_sealed';
const keyPrefix = 'secrets_key:';
const keyProof = 'confab';

/** The name of the file of keys in the data folder. */
const fileName = 'secrets.key';

/** Where a configuration keeps its keys. */
export type KeyLocation = {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly secretsKey: readonly SecretKey[] | undefined;
  readonly secretsKeyFile: string | undefined;
};

function fileOf({ dataDir, secretsKeyFile }: KeyLocation): string {
  return secretsKeyFile ?? join(dataDir, fileName);
}

/**
 * A box with the keys of a configuration, possibly none. It can create the first key in the data folder where that is
 * persistent, because it holds the store or the uploads. Throws an Error for the operator.
 */
export function openSecretBox(place: KeyLocation): SecretBox {
  if (place.secretsKey !== undefined) return createSecretBox(place.secretsKey);
  const file = fileOf(place);
  const keys = readKeyFile(file);
  if (place.secretsKeyFile !== undefined && keys === undefined)
    throw new Error(`the file of keys ${file} is not there`);
  const isFolderKept = place.databaseUrl === undefined || place.s3Bucket === undefined;
  if (place.secretsKeyFile !== undefined || !isFolderKept) return createSecretBox(keys ?? []);
  return createSecretBox(keys ?? [], {
    find: () => readKeyFile(file) ?? [],
    make: () => ensureKeyFile(file),
  });
}

/** The keys of a configuration as the text of a file of keys; undefined when there is none. */
export function keyTextOf(place: KeyLocation): string | undefined {
  const keys = place.secretsKey ?? readKeyFile(fileOf(place)) ?? [];
  return keys.length === 0 ? undefined : keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('');
}

async function notedKeys(read: Pick<Read, 'all'> | Tx): Promise<{ id: string; proof: string }[]> {
  const rows = await read.all(settingsFrom, { prefix: keyPrefix });
  return rows.map(({ name, value }) => ({ id: name.slice(keyPrefix.length), proof: value }));
}

/** Whether secrets are sealed as they are written. */
export async function isSealing(read: Pick<Read, 'all'> | Tx): Promise<boolean> {
  return (await read.all(settingsFrom, { prefix: sealedSetting })).length > 0;
}

/** Records in the store that the first key of a box is in use. */
async function noteKey(tx: Tx, box: SecretBox): Promise<void> {
  const [id] = box.keyIds;
  if (id === undefined) return;
  const name = keyPrefix + id;
  await tx.run(insertSetting, { name, value: box.seal(keyProof, name) });
}

/** The ids of the keys of the store that a box lacks. Throws where another key has the same id. */
export async function missingKeys(read: Pick<Read, 'all'> | Tx, box: SecretBox): Promise<string[]> {
  const keys = await notedKeys(read);
  for (const { id, proof } of keys) if (box.keyIds.includes(id)) box.open(proof, keyPrefix + id);
  return keys.map(({ id }) => id).filter((id) => !box.keyIds.includes(id));
}

/**
 * Whether a box can seal; creates its first key where there is none, and records in the store that the key is in use.
 * Must run in the transaction that seals with it. Throws `storage_unavailable` when other nodes seal with a key that
 * this one lacks, because they could not open what it seals.
 */
export async function beginSeal(tx: Tx, box: SecretBox): Promise<boolean> {
  if (box.keyIds.length === 0) {
    if (!box.canMakeKey) return false;
    const [id] = await missingKeys(tx, box);
    if (id !== undefined)
      throw new Problem(
        'storage_unavailable',
        `This server lacks the key ${id}, which secrets are sealed with.`,
      );
    // Created outside the transaction: if that runs twice, the key exists.
    box.makeKey();
  }
  await noteKey(tx, box);
  return true;
}

/**
 * Throws an Error for the operator when a box lacks a key of the store. A missing key that seals nothing is removed from
 * the store instead, unless other nodes may have the store open.
 */
async function refuseMissing(tx: Tx, box: SecretBox, { isShared }: { isShared: boolean }): Promise<void> {
  const missing = await missingKeys(tx, box);
  if (missing.length === 0) return;
  const used = new Set((await countSecrets(tx)).map(({ keyId }) => keyId));
  const id = missing.find((one) => isShared || used.has(one));
  if (id === undefined) {
    for (const one of missing) await tx.run(deleteSetting, { name: keyPrefix + one });
    return;
  }
  const has = box.keyIds.length === 0 ? 'has none' : `has ${box.keyIds.join(', ')}`;
  throw new Error(
    `the secrets of webhooks are sealed with the key ${id}, and this server ${has}: give it that key in CONFAB_SECRETS_KEY or CONFAB_SECRETS_KEY_FILE, or run "confab secrets replace-lost" if nobody has it any more`,
  );
}

async function beginSealing(tx: Tx): Promise<void> {
  await tx.run(insertSetting, { name: sealedSetting, value: 'yes' });
  await tx.run(refuseEarlier, { step: firstStep });
}

/**
 * The keys of a starting server, checked against the store. Starts sealing where no earlier release can be running.
 * Throws an Error for the operator when a key is missing.
 */
export async function startSecretBox(
  db: Db,
  place: KeyLocation,
  log: Log,
): Promise<{ box: SecretBox; seals: boolean }> {
  const box = openSecretBox(place);
  const canSeal = box.keyIds.length > 0 || box.canMakeKey;
  const seals = await db.write(async (tx) => {
    await refuseMissing(tx, box, { isShared: db.peers !== undefined });
    if (!canSeal) return false;
    await noteKey(tx, box);
    const isOwn = db.peers === undefined || (await tx.get(anyEvent, {})) === undefined;
    if (!isOwn && !(await isSealing(tx))) return false;
    await beginSealing(tx);
    return true;
  });
  if (!seals)
    log.warn(
      { keys: box.keyIds },
      !canSeal
        ? 'the secrets of webhooks are kept readable: set CONFAB_SECRETS_KEY to seal them'
        : 'the secrets of webhooks are kept readable: run "confab secrets rotate" when no earlier Confab runs on this store',
    );
  return { box, seals };
}

/** Turns sealing on. Throws an Error for the operator when `box` lacks a key of the store, or has none. */
export async function startSealing(db: Db, box: SecretBox): Promise<void> {
  await db.write(async (tx) => {
    await refuseMissing(tx, box, { isShared: true });
    if (!(await beginSeal(tx, box)))
      throw new Error('there is no key: set CONFAB_SECRETS_KEY or CONFAB_SECRETS_KEY_FILE');
    await beginSealing(tx);
  });
}

/** How many secrets are sealed with a key, or are readable because they are not sealed. */
export type SecretCount = { readonly keyId: string | undefined; readonly count: number };

async function countSecrets(read: Pick<Read, 'all'> | Tx): Promise<SecretCount[]> {
  const counts = await read.all(secretCounts, {
    mark: sealMark,
    markCharacters: sealMark.length,
    characters: sealCharacters,
  });
  return counts.map(({ seal, count }) => ({ keyId: keyIdOf(seal), count }));
}

/** How a store keeps its secrets: whether it seals, with which keys, and how many secrets each key seals. */
export async function describeSecrets(
  db: Db,
): Promise<{ isSealing: boolean; keyIds: string[]; counts: SecretCount[] }> {
  return {
    isSealing: await isSealing(db.read),
    keyIds: (await notedKeys(db.read)).map(({ id }) => id),
    counts: await countSecrets(db.read),
  };
}

/**
 * Removes from the store the keys that seal nothing, except the first of a box. Returns the ids of the other keys that
 * still seal secrets, because another server uses them.
 */
export async function forgetKeys(db: Db, box: SecretBox): Promise<string[]> {
  return await db.write(async (tx) => {
    const used = new Set((await countSecrets(tx)).map(({ keyId }) => keyId));
    const others = (await notedKeys(tx)).map(({ id }) => id).filter((id) => id !== box.keyIds[0]);
    for (const id of others) if (!used.has(id)) await tx.run(deleteSetting, { name: keyPrefix + id });
    return others.filter((id) => used.has(id));
  });
}
