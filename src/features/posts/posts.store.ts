import { command } from '../../db/statement.ts';

/** Subscribes a user to a post; changes no row when they are subscribed already. */
export const subscribeToPost = command<{ userId: number; id: number }>()((q, value) =>
  q
    .insertInto('subscriptions')
    .values({ user_id: value('userId'), entity_type: 'post', entity_id: value('id') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ends the subscription of a user; changes no row when there is none. */
export const unsubscribeFromPost = command<{ userId: number; id: number }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', 'post')
    .where('entity_id', '=', value('id'))
    .where('user_id', '=', value('userId')),
);
