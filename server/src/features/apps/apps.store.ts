import { sql } from 'kysely';
import { appsFor, isVisible, visibleApps } from '../../access/access.sql.ts';
import { anyOf, inLimitedRows, textsOf, unindexed } from '../../db/dialect.ts';
import { matchesSearch, matchesTag } from '../../db/filters.ts';
import { list, type Settings } from '../../db/list.ts';
import { type Bind, type Builder, command, insertSelected, query, updateRow } from '../../db/statement.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';

/** The columns of an app that a request can set. */
export type AppValues = {
  type: string;
  uid: string;
  access: string;
  directoryId: number | null;
  name: string | null;
  nameKey: string;
  displayNameKey: string;
  description: string | null;
  metadata: string | null;
  tags: string;
  approval: string | null;
  approvalCount: number | null;
  visitors: string | null;
  resolving: string | null;
  reopening: string | null;
};

/** Inserts an app; returns no row if its uid is taken. */
export const insertApp = command<AppValues & { at: number; userId: number; byKey: number }>()((q, value) =>
  q
    .insertInto('apps')
    .values({
      type: value('type'),
      uid: value('uid'),
      access: value('access'),
      directory_id: value('directoryId'),
      name: value('name'),
      name_key: value('nameKey'),
      display_name_key: value('displayNameKey'),
      description: value('description'),
      metadata: value('metadata'),
      tags: value('tags'),
      approval: value('approval'),
      approval_count: value('approvalCount'),
      visitors: value('visitors'),
      resolving: value('resolving'),
      reopening: value('reopening'),
      created_at: value('at'),
      created_by_id: value('userId'),
      by_key: value('byKey'),
    })
    .onConflict((conflict) => conflict.column('uid').doNothing())
    .returning('id'),
);

/** Writes the fields of an app after a change. */
export const updateApp = updateRow('apps', [
  'uid',
  'access',
  'directory_id',
  'name',
  'name_key',
  'display_name_key',
  'description',
  'metadata',
  'tags',
  'approval',
  'approval_count',
  'visitors',
  'resolving',
  'reopening',
  'picture_id',
  'picture_url',
  'modified_at',
  'modified_by_id',
]);

/** Locks an app from a time on, or unlocks it. */
export const setAppLocked = updateRow('apps', ['locked_at']);

/** Puts an app in the trash or takes it out. */
export const setAppTrashed = updateRow('apps', ['trashed_at']);

/**
 * Hides an app permanently and frees its uid. Its replacement should contain white space, which no client can send in a
 * uid.
 */
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
      picture_id: null,
      picture_url: null,
      // Lists of content already leave out apps in the trash, so they need no condition for deleted apps.
      trashed_at: value('at'),
      deleted_at: value('at'),
    })
    .where('id', '=', value('id')),
);

/** Lets two users start a private chat again once theirs is deleted. */
export const deletePrivateChat = command<{ id: number }>()((q, value) =>
  q.deleteFrom('private_chats').where('app_id', '=', value('id')),
);

/** Removes the tags of an app. */
export const deleteAppTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('app_tags').where('app_id', '=', value('id')),
);

/** Writes the tags of an app. */
export const insertAppTags = command<{ id: number; tags: readonly string[] }>()((q, value) =>
  insertSelected(q, 'app_tags', {
    from: q.selectFrom(textsOf(value('tags'), 'given')),
    values: { app_id: value('id'), tag: sql<string>`given.value` },
  }),
);

/** The directory with an id or a name. */
export const directoryOfApp = query<{ id: number; name: string }>()((q, value) =>
  q
    .selectFrom('directories')
    .select(['id', 'name'])
    .where((where) => where.or([where('id', '=', value('id')), where('name', '=', value('name'))])),
);

/** A row when there is any directory of users of the product. */
export const anyDirectory = query()((q) =>
  q
    .selectFrom('directories')
    .select('id')
    .where('name', '<>', sql.lit(directoryOfVisitors))
    .limit(sql.lit(1)),
);

type AppListParameters = {
  userId: number;
  directoryId: number;
  question: readonly string[];
  tag: string;
  types: readonly string[];
  uids: readonly string[];
};

const filters = {
  trashed: [false, true, null],
  hasQuestion: [false, true],
  hasTag: [false, true],
  hasTypes: [false, true],
  hasUids: [false, true],
  isLimited: [false, true],
} as const;

type AppSettings = Settings<typeof filters>;

/** The apps with the conditions of the filters, of all users. */
function filtered(
  q: Builder,
  value: Bind<AppListParameters>,
  { trashed, hasQuestion, hasTag, hasTypes, hasUids }: AppSettings,
) {
  return q
    .selectFrom('apps')
    .where('apps.deleted_at', 'is', null)
    .$if(trashed === false, (part) => part.where('apps.trashed_at', 'is', null))
    .$if(trashed === true, (part) => part.where('apps.trashed_at', 'is not', null))
    .$if(hasTypes, (part) => part.where(anyOf(sql.ref('apps.type'), value('types'))))
    .$if(hasUids, (part) =>
      part.where(
        // Beside the index of tags or words, each app is looked up in the list of uids.
        anyOf(hasTag || hasQuestion ? unindexed(sql.ref('apps.uid')) : sql.ref('apps.uid'), value('uids')),
      ),
    )
    .$if(hasTag, (part) =>
      part.where(matchesTag(sql.ref('apps.id'), 'app', { tag: value('tag'), isAlone: !hasQuestion })),
    )
    .$if(hasQuestion, (part) => part.where(matchesSearch(sql.ref('apps.id'), 'app', value('question'))));
}

/** Apps with the user's access. Names are ordered by their keys; the empty key of an app without a name comes first. */
export const appList = list<AppListParameters>()({
  name: 'apps',
  filters,
  candidates: (q, value, settings) =>
    filtered(q, value, settings).$if(settings.isLimited, (part) =>
      part.where(
        inLimitedRows(
          sql.ref('apps.id'),
          visibleApps({ userId: value('userId'), directoryId: value('directoryId') }),
        ),
      ),
    ),
  probe: {
    isFor: ({ isLimited, hasQuestion, hasTag, hasUids }) => isLimited && !hasQuestion && !hasTag && !hasUids,
    rows: filtered,
    isVisible: (id, value) =>
      sql`(select ${isVisible('apps', { userId: value('userId'), directoryId: value('directoryId') })}
        from apps where apps.id = ${id})`,
    rowsMax: 1000,
  },
  byIds: (q, ids, value) => appsFor(q, value).where('apps.id', 'in', ids),
  orders: {
    id: [],
    uid: [{ by: sql`apps.uid`, isText: true }],
    type: [{ by: sql`apps.type`, isText: true }],
    name: [{ by: sql`apps.name_key`, isText: true }],
    display_name: [{ by: sql`apps.display_name_key`, isText: true }],
    created_at: [{ by: sql`apps.created_at` }],
    modified_at: [{ by: sql`apps.modified_at`, hasNulls: true }],
  },
  id: sql`apps.id`,
});
