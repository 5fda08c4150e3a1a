import { sql } from 'kysely';
import { insertRow, query } from '../../db/statement.ts';

/** The agent of a chat whose answers come from a provider: its first member who is one and can write. */
export const agentOfChat = query<{ appId: number }>()((q, value) =>
  q
    .selectFrom('members')
    .innerJoin('agents', 'agents.user_id', 'members.user_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('agents.user_id as id')
    .where('members.app_id', '=', value('appId'))
    .where('members.access', '=', 'write')
    .where('agents.base_url', 'is not', null)
    .where('users.trashed_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .orderBy('agents.user_id')
    .limit(sql.lit(1)),
);

/** How many questions a user has asked since a time, and when the first of them was. */
export const recentQuestions = query<{ authorId: number; since: number }>()((q, value) =>
  q
    .selectFrom('agent_questions')
    .select((part) => [
      part.fn.countAll<number>().as('count'),
      part.fn.min<number | null>('created_at').as('first'),
    ])
    .where('author_id', '=', value('authorId'))
    .where('created_at', '>', value('since')),
);

/** Notes a question. */
export const insertQuestion = insertRow('agent_questions', [
  'message_id',
  'app_id',
  'agent_id',
  'author_id',
  'context',
  'is_whole',
  'created_at',
]);
