import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { list } from '../../db/list.ts';
import { command, query, type RowOf } from '../../db/statement.ts';

const columns = [
  'agents.user_id as id',
  'agents.base_url as baseUrl',
  'agents.model',
  'agents.instructions',
  'agents.max_tokens as maxTokens',
  'agents.secret',
] as const;

/** Where the answers of an agent come from, as it is stored. */
export type AgentRow = RowOf<'agents', typeof columns>;

/** The agents among some users. */
export const agentsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('agents')
    .select(columns)
    .where(anyOf(sql.ref('agents.user_id'), value('ids'))),
);

/** Writes where the answers of an agent come from. */
export const putAgent = command<{
  id: number;
  baseUrl: string | null;
  model: string | null;
  instructions: string | null;
  maxTokens: number | null;
  secret: string | null;
}>()((q, value) =>
  q
    .insertInto('agents')
    .values({
      user_id: value('id'),
      base_url: value('baseUrl'),
      model: value('model'),
      instructions: value('instructions'),
      max_tokens: value('maxTokens'),
      secret: value('secret'),
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({
        base_url: row.ref('excluded.base_url'),
        model: row.ref('excluded.model'),
        instructions: row.ref('excluded.instructions'),
        max_tokens: row.ref('excluded.max_tokens'),
        secret: row.ref('excluded.secret'),
      })),
    ),
);

/** Forgets where the answers of an agent come from. */
export const removeAgent = command<{ id: number }>()((q, value) =>
  q.deleteFrom('agents').where('user_id', '=', value('id')),
);

/** The agents that have a secret. */
export const agentsWithSecrets = query()((q) =>
  q.selectFrom('agents').select(columns).where('secret', 'is not', null).orderBy('user_id'),
);

/** The agents of the server, without those in the trash. */
export const agentList = list<Record<never, never>>()({
  name: 'agents',
  filters: {},
  rows: (q) =>
    q
      .selectFrom('agents')
      .innerJoin('users', 'users.id', 'agents.user_id')
      .select(columns)
      .where('users.trashed_at', 'is', null),
  orders: { id: [] },
  id: sql`agents.user_id`,
});
