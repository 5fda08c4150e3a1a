import { parentIsLive } from '../../access/entry/entry.sql.ts';
import { rowCount } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The newest comments of a user that are held in an app, at most `top`. */
export const heldByAuthor = query<{ userId: number; appId: number; top: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select([
      'id',
      'parent_type as parentType',
      'parent_id as parentId',
      'reply_to_id as replyToId',
      'root_id as rootId',
      'anchor_key as anchorKey',
      'resolved_at as resolvedAt',
    ])
    .where('created_by_id', '=', value('userId'))
    .where('app_id', '=', value('appId'))
    .where('held_at', 'is not', null)
    .where('trashed_at', 'is not', null)
    .where('kind', '=', 'comment')
    .where(parentIsLive)
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);
