import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command } from '../../db/statement.ts';

/** Subscribes a user to an item; changes no row when they are subscribed already. */
export const insertSubscription = command<{ userId: number; type: string; id: number }>()((q, value) =>
  q
    .insertInto('subscriptions')
    .values({ user_id: value('userId'), entity_type: value('type'), entity_id: value('id') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ends the subscription of a user; changes no row when there is none. */
export const deleteSubscription = command<{ userId: number; type: string; id: number }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'))
    .where('user_id', '=', value('userId')),
);

/** Ends every subscription to some items of one type. */
export const deleteSubscriptions = command<{ type: string; ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', value('type'))
    .where(anyOf(sql.ref('entity_id'), value('ids'))),
);

/** Ends the first subscriptions to one item. */
export const deleteFirstSubscriptions = command<{ type: string; id: number; top: number }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('subscriptions')
        .select('user_id')
        .where('entity_type', '=', value('type'))
        .where('entity_id', '=', value('id'))
        .orderBy('user_id')
        .limit(rowCount(value('top'))),
    ),
);
