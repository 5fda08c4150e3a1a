import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command, query, type RowOf } from '../../db/statement.ts';

const columns = [
  'message_id as messageId',
  'app_id as appId',
  'agent_id as agentId',
  'author_id as authorId',
  'context',
  'is_whole as isWhole',
  'answer_id as answerId',
  'attempts',
] as const;

/** A question as the store has it. */
export type QuestionRow = RowOf<'agent_questions', typeof columns>;

/** The first open question of each chat that nobody holds, without those to some agents. */
export const dueQuestions = query<{ now: number; full: readonly number[]; top: number }>()((q, value) =>
  q
    .selectFrom('agent_questions')
    .select(columns)
    .where('finished_at', 'is', null)
    .where('held_until', '<=', value('now'))
    .where(({ not }) => not(anyOf(sql.ref('agent_questions.agent_id'), value('full'))))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agent_questions as earlier')
            .select('earlier.message_id')
            .whereRef('earlier.app_id', '=', 'agent_questions.app_id')
            .where('earlier.finished_at', 'is', null)
            .whereRef('earlier.message_id', '<', 'agent_questions.message_id'),
        ),
      ),
    )
    .orderBy('message_id')
    .limit(rowCount(value('top'))),
);

type Held = { messageId: number; holder: string };

/** Takes a question; changes no row when another node was first. */
export const claimQuestion = command<Held & { now: number; until: number }>()((q, value) =>
  q
    .updateTable('agent_questions')
    .set({ holder: value('holder'), held_until: value('until'), attempts: sql<number>`attempts + 1` })
    .where('message_id', '=', value('messageId'))
    .where('finished_at', 'is', null)
    .where('held_until', '<=', value('now')),
);

/** Holds a question for longer; changes no row once it is another's or finished. */
export const holdQuestion = command<Held & { until: number }>()((q, value) =>
  q
    .updateTable('agent_questions')
    .set({ held_until: value('until') })
    .where('message_id', '=', value('messageId'))
    .where('holder', '=', value('holder'))
    .where('finished_at', 'is', null),
);

/** Holds some questions of a node for longer. */
export const holdQuestions = command<{ ids: readonly number[]; holder: string; until: number }>()(
  (q, value) =>
    q
      .updateTable('agent_questions')
      .set({ held_until: value('until') })
      .where(anyOf(sql.ref('agent_questions.message_id'), value('ids')))
      .where('holder', '=', value('holder'))
      .where('finished_at', 'is', null),
);

/** Records the message that answers a question. */
export const setAnswer = command<{ messageId: number; answerId: number }>()((q, value) =>
  q
    .updateTable('agent_questions')
    .set({ answer_id: value('answerId') })
    .where('message_id', '=', value('messageId')),
);

/** Ends a question. */
export const finishQuestion = command<Held & { at: number }>()((q, value) =>
  q
    .updateTable('agent_questions')
    .set({ finished_at: value('at'), holder: null, held_until: 0 })
    .where('message_id', '=', value('messageId'))
    .where('holder', '=', value('holder'))
    .where('finished_at', 'is', null),
);

/** Leaves the questions of a node that stops to the next one; the attempt does not count. */
export const releaseQuestions = command<{ holder: string }>()((q, value) =>
  q
    .updateTable('agent_questions')
    .set({ holder: null, held_until: 0, attempts: sql<number>`attempts - 1` })
    .where('holder', '=', value('holder'))
    .where('finished_at', 'is', null),
);

/** Frees every question, when no other node can hold one. */
export const freeQuestions = command()((q) =>
  q.updateTable('agent_questions').set({ holder: null, held_until: 0 }).where('finished_at', 'is', null),
);

/** Deletes some questions that were finished before a time. */
export const forgetQuestions = command<{ before: number; top: number }>()((q, value) =>
  q.deleteFrom('agent_questions').where('message_id', 'in', (sub) =>
    sub
      .selectFrom('agent_questions')
      .select('message_id')
      .where('finished_at', '<', value('before'))
      .orderBy('finished_at')
      .limit(rowCount(value('top'))),
  ),
);

/** A finished question from before a time, if there is one. */
export const finishedQuestion = query<{ before: number }>()((q, value) =>
  q
    .selectFrom('agent_questions')
    .select('message_id as messageId')
    .where('finished_at', '<', value('before'))
    .limit(sql.lit(1)),
);

/**
 * The newest messages of a chat without those in the trash or held: those up to a question, and what its agent has
 * written since, because that answers earlier questions.
 */
export const messagesUpTo = query<{ appId: number; id: number; agentId: number; top: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'created_by_id as createdById', 'content'])
    .where('app_id', '=', value('appId'))
    .where('kind', '=', 'message')
    .where((where) =>
      where.or([where('id', '<=', value('id')), where('created_by_id', '=', value('agentId'))]),
    )
    .where('trashed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);
