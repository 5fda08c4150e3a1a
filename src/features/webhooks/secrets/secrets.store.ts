import { sql } from 'kysely';
import { rowCount } from '../../../db/dialect.ts';
import { command, query, updateRow } from '../../../db/statement.ts';

/** Keeps the secret of a webhook, and the one before it while both hold. */
export const setSecret = updateRow('webhooks', ['secret', 'previous_secret', 'previous_secret_until']);

/** A webhook whose secret before holds no more, if there is any. */
export const endedSecret = query<{ now: number }>()((q, value) =>
  q.selectFrom('webhooks').select('id').where('previous_secret_until', '<=', value('now')).limit(sql.lit(1)),
);

/** Forgets the secrets that were replaced and hold no more. */
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
 * How many secrets begin in the same way, as far as it says with which key they are sealed. `mark` is what all sealed
 * ones begin with; the others count as one, whose seal is empty.
 */
export const secretCounts = query<{ mark: string; markCharacters: number; characters: number }>()(
  (q, value) => {
    const sealsOf = (column: 'secret' | 'previous_secret') =>
      q
        .selectFrom('webhooks')
        .select(
          sql<string>`case when substr(${sql.ref(column)}, 1, cast(${value('markCharacters')} as integer)) = ${value('mark')}
          then substr(${sql.ref(column)}, 1, cast(${value('characters')} as integer)) else '' end`.as('seal'),
        )
        .where(column, 'is not', null);
    return q
      .selectFrom(sealsOf('secret').unionAll(sealsOf('previous_secret')).as('secrets'))
      .select(['seal', (part) => part.fn.countAll<number>().as('count')])
      .groupBy('seal')
      .orderBy('seal');
  },
);

/** The settings whose names begin with a text of ASCII. */
export const settingsFrom = query<{ prefix: string }>()((q, value) =>
  q
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', '>=', value('prefix'))
    .where(sql`substr(name, 1, length(cast(${value('prefix')} as text)))`, '=', value('prefix'))
    .orderBy('name'),
);

/** Keeps a setting unless there is one of this name. */
export const insertSetting = command<{ name: string; value: string }>()((q, value) =>
  q
    .insertInto('settings')
    .values({ name: value('name'), value: value('value') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Removes a setting. */
export const deleteSetting = command<{ name: string }>()((q, value) =>
  q.deleteFrom('settings').where('name', '=', value('name')),
);

/** An event, if there is any. */
export const anyEvent = query()((q) => q.selectFrom('events').select('id').limit(sql.lit(1)));

/** Has programs refuse the store that know no step as late as this one. */
export const refuseEarlier = command<{ step: number }>()((q, value) =>
  q
    .updateTable('migrations')
    .set({ breaks_before: value('step') })
    .where('id', '=', value('step'))
    .where('breaks_before', '<', value('step')),
);
