import { query } from '../../db/statement.ts';
import { webhookColumns } from './webhook.sql.ts';

/** One webhook with its secrets as they are kept; a deleted one is not found. */
export const webhookById = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(webhookColumns)
    .select([
      'webhooks.secret',
      'webhooks.previous_secret as previousSecret',
      'webhooks.previous_secret_until as previousSecretUntil',
    ])
    .where('id', '=', value('id'))
    .where('deleted_at', 'is', null),
);
