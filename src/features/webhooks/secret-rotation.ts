import type { SecretRotation } from '../../contract/webhooks.ts';
import type { Db } from '../../db/db.ts';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { isPresentSecret, keepSecret } from './secrets.ts';
import { makeWebhookSecret, readSecret } from './signature.ts';
import { getWebhook, recordWebhook } from './webhook-record.ts';

/** How long the secret before holds when nobody says, in seconds. */
const overlapSecondsDefault = 86_400;

/** Replaces secrets of webhooks; see the operation of the same name. */
export type SecretRotations = ReturnType<typeof createSecretRotations>;

/** Makes the rotation of secrets. */
export function createSecretRotations({ db, clock, box }: { db: Db; clock: Clock; box: SecretBox }) {
  return {
    async rotateWebhookSecret(principal: Principal, id: number, input: Input<SecretRotation>): Promise<Json> {
      const made = makeWebhookSecret();
      const prepared = input
        .read({ secret: readSecret })
        .map(({ secret, overlap_seconds: overlapSeconds }) => ({
          sent: secret,
          overlapMs: (overlapSeconds ?? overlapSecondsDefault) * 1000,
        }));
      return await db.write(async (tx) => {
        const webhook = await getWebhook(tx, id);
        const { sent, overlapMs } = prepared.valid();
        if (sent !== undefined && isPresentSecret(box, webhook, sent))
          throw invalidField('/secret', 'unchanged', 'must be another than the present one');
        const at = clock.now();
        const previous =
          webhook.secret === null || overlapMs === 0
            ? undefined
            : { kept: webhook.secret, until: at + overlapMs };
        await keepSecret(tx, box, { webhookId: id, secret: sent ?? made, previous });
        await recordWebhook(tx, webhook, { action: 'webhook_updated', actor: principal.user, at });
        const shown = [
          sent === undefined ? `"secret":${jsonString(made)}` : '',
          previous === undefined ? '' : `"previous_secret_until":"${timestamp(previous.until)}"`,
        ];
        return json(`{${shown.filter((part) => part !== '').join(',')}}`);
      });
    },
  };
}
