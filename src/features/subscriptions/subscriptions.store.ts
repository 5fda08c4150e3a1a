import { command } from '../../db/statement.ts';

/** Subscribes a user to something; changes no row when they are subscribed already. */
export const insertSubscription = command<{ userId: number; type: string; id: number }>()((q, value) =>
  q
    .insertInto('subscriptions')
    .values({ user_id: value('userId'), entity_type: value('type'), entity_id: value('id') })
    .onConflict((conflict) => conflict.doNothing()),
);
