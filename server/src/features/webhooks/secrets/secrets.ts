import type { UnixMs } from 'confab-contract/values/time.ts';
import { findUser } from '../../../access/user/user-access.ts';
import { manageableWebhook } from '../../../access/webhook/webhook-access.ts';
import type { Db, Tx } from '../../../db/db.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { keyIdOf, type SecretBox } from '../../../kernel/secret-box.ts';
import { systemUserId } from '../../users/users.sql.ts';
import { recordWebhook } from '../webhook-record.ts';
import { beginSeal, isSealing } from './secret-keys.ts';
import { endedSecret, forgetEnded, secretsAfter, setSecret } from './secrets.store.ts';
import { makeWebhookSecret } from './signature.ts';

/** The secrets of webhooks as they are stored: sealed, and bound to their webhook; see `secret-keys.ts`. */

/** Webhooks that one transaction processes: a few milliseconds of the one writer. */
const webhooksPerBatch = 100;

/** The binding of a secret. The previous secret has the same one, so a secret can be moved without being opened. */
function bindingOf(webhookId: number): string {
  return `webhook ${webhookId}`;
}

/** The secrets of a webhook as they are stored. */
export type StoredSecrets = {
  readonly webhookId: number;
  readonly secret: string | null;
  readonly previousSecret: string | null;
  /** In Unix milliseconds. */
  readonly previousSecretUntil: number | null;
};

/** The secrets of a webhook that are valid at `at`, the current one first. Throws when one cannot be opened. */
export function secretsInForce(box: SecretBox, stored: StoredSecrets, at: UnixMs): string[] {
  const { secret, previousSecret, previousSecretUntil } = stored;
  const isOverlap = previousSecretUntil !== null && at < previousSecretUntil;
  return [secret, isOverlap ? previousSecret : null]
    .filter((one) => one !== null)
    .map((one) => box.open(one, bindingOf(stored.webhookId)));
}

/** Whether no key of a box opens a secret. */
function isLost(box: SecretBox, stored: string | null): boolean {
  const keyId = stored === null ? undefined : keyIdOf(stored);
  return keyId !== undefined && !box.keyIds.includes(keyId);
}

/** Whether `secret` is the current one of a webhook; never when that cannot be opened. */
export function isCurrentSecret(
  box: SecretBox,
  webhook: { readonly id: number; readonly secret: string | null },
  secret: string | null,
): boolean {
  if (webhook.secret === null || secret === null) return webhook.secret === secret;
  return !isLost(box, webhook.secret) && box.open(webhook.secret, bindingOf(webhook.id)) === secret;
}

/** A secret as the store keeps it for an owner: sealed where the store seals. Must run in the transaction that stores it. */
export async function sealFor(
  tx: Tx,
  box: SecretBox,
  { owner, secret }: { readonly owner: string; readonly secret: string },
): Promise<string> {
  const seals = (await isSealing(tx)) && (await beginSeal(tx, box));
  return seals ? box.seal(secret, owner) : secret;
}

/**
 * Stores the secret of a webhook, sealed where the store seals; must run in the transaction of the change. `previous` is
 * the replaced secret as it is stored, if it stays valid for a while.
 */
export async function storeSecret(
  tx: Tx,
  box: SecretBox,
  change: {
    readonly webhookId: number;
    readonly secret: string | null;
    readonly previous?: { readonly sealed: string; readonly until: UnixMs } | undefined;
  },
): Promise<void> {
  const { webhookId: id, secret, previous } = change;
  await tx.run(setSecret, {
    id,
    secret: secret === null ? null : await sealFor(tx, box, { owner: bindingOf(id), secret }),
    previousSecret: previous?.sealed ?? null,
    previousSecretUntil: previous?.until ?? null,
  });
}

/** Deletes the previous secrets that have expired. */
export async function forgetEndedSecrets(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  if ((await db.read.get(endedSecret, { now })) === undefined) return;
  await db.write(async (tx) => await tx.run(forgetEnded, { now }));
}

/** Progress through the webhooks with secrets: the id after which to continue, undefined at the end. */
export type Batch<T> = { readonly next: number | undefined; readonly done: T };

/**
 * Seals the secrets of at most 100 webhooks after an id: those that are readable, and with `isAnew` also those sealed
 * with another key than the first of the box. Returns how many it sealed.
 */
export async function sealBatch(
  db: Db,
  box: SecretBox,
  { after, isAnew }: { after: number; isAnew: boolean },
): Promise<Batch<number>> {
  const isDue = (stored: string | null): stored is string => {
    if (stored === null) return false;
    const keyId = keyIdOf(stored);
    return keyId === undefined || (isAnew && keyId !== box.keyIds[0]);
  };
  return await db.write(async (tx) => {
    const rows = await tx.all(secretsAfter, { after, top: webhooksPerBatch });
    if (rows.some(({ secret, previousSecret }) => isDue(secret) || isDue(previousSecret)))
      await beginSeal(tx, box);
    let done = 0;
    for (const { id, secret, previousSecret, previousSecretUntil } of rows) {
      const sealed = [secret, previousSecret].map((stored) => {
        if (!isDue(stored)) return stored;
        done += 1;
        return box.seal(box.open(stored, bindingOf(id)), bindingOf(id));
      });
      const [first = null, second = null] = sealed;
      if (first === secret && second === previousSecret) continue;
      await tx.run(setSecret, { id, secret: first, previousSecret: second, previousSecretUntil });
    }
    return { next: rows.length < webhooksPerBatch ? undefined : rows.at(-1)?.id, done };
  });
}

/** A webhook whose secret was replaced, with the generated secret. */
export type ReplacedSecret = { readonly id: number; readonly payloadUrl: string; readonly secret: string };

/**
 * Examines at most 100 webhooks after an id. Generates a secret for each whose secret no key of the box opens, and deletes
 * previous secrets that no key opens.
 */
export async function replaceLostBatch(
  { db, box, clock }: { db: Db; box: SecretBox; clock: Clock },
  after: number,
): Promise<Batch<ReplacedSecret[]>> {
  const user = await findUser(db.read, { id: systemUserId });
  if (user === undefined) throw new Error('the built-in user of the system is not there');
  return await db.write(async (tx) => {
    const rows = await tx.all(secretsAfter, { after, top: webhooksPerBatch });
    const done: ReplacedSecret[] = [];
    for (const { id, payloadUrl, secret, previousSecret } of rows) {
      if (isLost(box, secret)) {
        const secret = makeWebhookSecret();
        await storeSecret(tx, box, { webhookId: id, secret });
        const change = { action: 'webhook_updated', caller: { user }, at: clock.now() } as const;
        await recordWebhook(tx, await manageableWebhook(tx, id), change);
        done.push({ id, payloadUrl, secret });
      } else if (isLost(box, previousSecret))
        await tx.run(setSecret, { id, secret, previousSecret: null, previousSecretUntil: null });
    }
    return { next: rows.length < webhooksPerBatch ? undefined : rows.at(-1)?.id, done };
  });
}
