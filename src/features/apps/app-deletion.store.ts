import { rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

type App = { id: number };
type Batch = { id: number; top: number };

/** Hides an app for good and lets go of its uid; a uid holds no white space, so nobody can have the one it gets. */
export const markDeleted = command<{ id: number; uid: string; at: number }>()((q, value) =>
  q
    .updateTable('apps')
    .set({
      uid: value('uid'),
      access: 'none',
      directory_id: null,
      name: null,
      description: null,
      metadata: null,
      tags: '[]',
      // Lists of what is in apps leave out those in the trash, so they need not know of this.
      trashed_at: value('at'),
      deleted_at: value('at'),
    })
    .where('id', '=', value('id')),
);

/** Lets two people whose private chat is deleted have one again. */
export const deletePrivateChat = command<App>()((q, value) =>
  q.deleteFrom('private_chats').where('app_id', '=', value('id')),
);

/** An app that is deleted and still has rows, if any. */
export const deletedApp = query()((q) =>
  q.selectFrom('apps').select('id').where('deleted_at', 'is not', null).orderBy('id').limit(1),
);

/** Takes away the first members of an app. */
export const deleteMembersOfApp = command<Batch>()((q, value) =>
  q
    .deleteFrom('members')
    .where('app_id', '=', value('id'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('members')
        .select('user_id')
        .where('app_id', '=', value('id'))
        .orderBy('user_id')
        .limit(rowCount(value('top'))),
    ),
);

/** Takes away the first stars of an app. */
export const deleteStarsOfApp = command<Batch>()((q, value) =>
  q
    .deleteFrom('stars')
    .where('app_id', '=', value('id'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('stars')
        .select('user_id')
        .where('app_id', '=', value('id'))
        .limit(rowCount(value('top'))),
    ),
);

/** Ends the first subscriptions to an app. */
export const deleteSubscriptionsToApp = command<Batch>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', 'app')
    .where('entity_id', '=', value('id'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('subscriptions')
        .select('user_id')
        .where('entity_type', '=', 'app')
        .where('entity_id', '=', value('id'))
        .orderBy('user_id')
        .limit(rowCount(value('top'))),
    ),
);

/** Forgets what was counted of an app. */
export const deleteTalliesOfApp = command<App>()((q, value) =>
  q.deleteFrom('tallies').where('parent_type', '=', 'app').where('parent_id', '=', value('id')),
);

/** Removes the row of an app; the schema refuses while anything is left in it. */
export const deleteApp = command<App>()((q, value) => q.deleteFrom('apps').where('id', '=', value('id')));
