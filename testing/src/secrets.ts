import { readKeyFile } from 'confab-server/src/features/webhooks/secrets/key-file.ts';
import { secretsInForce } from 'confab-server/src/features/webhooks/secrets/secrets.ts';
import { createSecretBox, type SecretBox } from 'confab-server/src/kernel/secret-box.ts';
import type { TestServer } from './server.ts';
import { readStore } from './stores/store-watch.ts';

/** The row of a webhook as stored. */
export type KeptWebhook = {
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_secret_until: number | null;
};

/** The stored secrets of a webhook. */
export function keptSecrets(server: Pick<TestServer, 'folder'>, webhookId: number): KeptWebhook {
  const [row] = readStore(
    server.folder,
    `select secret, previous_secret, previous_secret_until from webhooks where id = ${webhookId}`,
  );
  if (row === undefined) throw new Error(`there is no webhook ${webhookId}`);
  const until = row.previous_secret_until;
  return { ...(row as KeptWebhook), previous_secret_until: until === null ? null : Number(until) };
}

/** A box with the keys in the data folder of a server. */
export function boxOf({ folder }: Pick<TestServer, 'folder'>): SecretBox {
  return createSecretBox(readKeyFile(`${folder}/secrets.key`) ?? []);
}

/** The secret of a webhook, opened with the keys in the data folder; undefined when it has none. */
export function secretOf(server: Pick<TestServer, 'folder'>, webhookId: number): string | undefined {
  const { secret } = keptSecrets(server, webhookId);
  const kept = { webhookId, secret, previousSecret: null, previousSecretUntil: null };
  return secretsInForce(boxOf(server), kept, 0)[0];
}
