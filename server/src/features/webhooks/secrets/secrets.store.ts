import { sql } from 'kysely';
import { rowCount } from '../../../db/dialect.ts';
import { command, query, updateRow } from '../../../db/statement.ts';

/** Sets the secret of a webhook, and the previous one while both are valid. */
export const setSecret = updateRow('webhooks', ['secret', 'previous_secret', 'previous_secret_until']);

/** A webhook whose previous secret has expired, if any. */
export const endedSecret = query<{ now: number }>()((q, value) =>
  q.selectFrom('webhooks').select('id').where('previous_secret_until', '<=', value('now')).limit(sql.lit(1)),
);

/** Deletes the previous secrets that have expired. */
export const forgetEnded = command<{ now: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ previous_secret: null, previous_secret_until: null })
    .where('previous_secret_until', '<=', value('now')),
);

/** Webhooks with a secret, in the order of their ids. */
export const secretsAfter = query<{ after: number; top: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select([
      'id',
      'payload_url as payloadUrl',
      'secret',
      'previous_secret as previousSecret',
      'previous_secret_until as previousSecretUntil',
    ])
    .where('id', '>', value('after'))
    .where((where) => where.or([where('secret', 'is not', null), where('previous_secret', 'is not', null)]))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/**
 * How many secrets of webhooks and agents are sealed with each key, by the beginning that names the key. `mark` begins every sealed secret;
 * readable ones are counted together under an empty seal.
 */
export const secretCounts = query<{ mark: string; markCharacters: number; characters: number }>()(
  (q, value) => {
    const seal = (column: string) =>
      sql<string>`case when substr(${sql.ref(column)}, 1, cast(${value('markCharacters')} as integer)) = ${value('mark')}
        then substr(${sql.ref(column)}, 1, cast(${value('characters')} as integer)) else '' end`.as('seal');
    const sealsOf = (column: 'secret' | 'previous_secret') =>
      q.selectFrom('webhooks').select(seal(column)).where(column, 'is not', null);
    const ofAgents = q.selectFrom('agents').select(seal('secret')).where('secret', 'is not', null);
    return q
      .selectFrom(sealsOf('secret').unionAll(sealsOf('previous_secret')).unionAll(ofAgents).as('secrets'))
      .select(['seal', (part) => part.fn.countAll<number>().as('count')])
      .groupBy('seal')
      .orderBy('seal');
  },
);

/** Any event. */
export const anyEvent = query()((q) => q.selectFrom('events').select('id').limit(sql.lit(1)));

/** Makes the store refuse releases that do not know this migration. */
export const refuseEarlier = command<{ step: number }>()((q, value) =>
  q
    .updateTable('migrations')
    .set({ breaks_before: value('step') })
    .where('id', '=', value('step'))
    .where('breaks_before', '<', value('step')),
);
