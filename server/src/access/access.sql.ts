import { type Expression, type SqlBool, sql } from 'kysely';
import { inLimitedRows } from '../db/dialect.ts';
import type { Bind, Builder, RowFrom } from '../db/statement.ts';

/** The user for whom a list over many apps is limited, and the directory of that user. */
type Viewer = { readonly userId: unknown; readonly directoryId: unknown };

/**
 * The one rule of visibility in SQL, for lists over many apps; `access.ts` is the same rule for a single app.
 * Both subqueries walk an index that holds only what the person may see, never the closed apps of others.
 */
export function visibleTo(appId: Expression<unknown>, viewer: Viewer): Expression<SqlBool> {
  return sql<SqlBool>`${appId} in ${visibleApps(viewer)}`;
}

/** The ids of the apps that a user sees by that rule, each once, as a subquery. */
export function visibleApps(viewer: Viewer): Expression<unknown> {
  return sql`(
    select app_id from members where user_id = ${viewer.userId} and access <> 'none'
    union all
    select id from apps as open_apps
    where access <> 'none' and (directory_id is null or directory_id = ${viewer.directoryId})
      and not exists (select 1 from members where app_id = open_apps.id and user_id = ${viewer.userId}))`;
}

/**
 * The same rule for a row of `apps`; `app` is the name of the table in the statement. A look-up by key. It
 * does not use `exists`, because PostgreSQL turns that into a join, and then reads all memberships of the
 * user.
 */
export function isVisible(app: 'apps' | 'its_app', viewer: Viewer): Expression<SqlBool> {
  const [access, directoryId] = [sql.ref(`${app}.access`), sql.ref(`${app}.directory_id`)];
  return sql<SqlBool>`coalesce(
    (select members.access <> 'none' from members where members.app_id = ${sql.ref(`${app}.id`)}
      and members.user_id = ${viewer.userId}),
    ${access} <> 'none' and (${directoryId} is null or ${directoryId} = ${viewer.directoryId}))`;
}

/** The same rule for the app with an id, which must not be in the trash. */
export function isInVisibleApp(appId: Expression<unknown>, viewer: Viewer): Expression<SqlBool> {
  return sql<SqlBool>`(select ${isVisible('its_app', viewer)} from apps as its_app
    where its_app.id = ${appId} and its_app.trashed_at is null)`;
}

/**
 * The same rule for one app and one person, whose ids come from the row: true when the app is not in the trash and the
 * person may read it. Two look-ups by key. `way` is how a visitor signs in, where the person may be one.
 */
export function mayRead(
  appId: Expression<unknown>,
  person: {
    userId: Expression<unknown>;
    directoryId: Expression<unknown>;
    way?: Expression<unknown>;
  },
): Expression<SqlBool> {
  const isOpenTo =
    person.way === undefined
      ? sql``
      : sql`and (${person.way} is null or read_app.visitors is not null and read_app.directory_id is null)`;
  return sql<SqlBool>`exists (
    select 1 from apps as read_app left join members as reader
      on reader.app_id = read_app.id and reader.user_id = ${person.userId}
    where read_app.id = ${appId} and read_app.trashed_at is null and read_app.deleted_at is null
      and case when reader.access is not null
      then reader.access <> 'none'
      else read_app.access <> 'none'
        and (read_app.directory_id is null or read_app.directory_id = ${person.directoryId}) end
      ${isOpenTo})`;
}

/**
 * True for a row of `members` that gives the rights of a moderator or a manager. In rows without a role, which a program
 * without roles wrote, the creator of the app manages. The first condition is literally the condition of indexes.
 */
export const moderatesByRole = sql<boolean>`coalesce(members.role, '') <> 'member' and members.access = 'write'
  and (members.role is not null
    or members.user_id = (select created_by_id from apps as made where made.id = members.app_id))`;

/**
 * The rule for moderators in SQL, for lists over many apps; `levelOf` is the same rule for a single app.
 * `reach` specifies which apps a directory-wide moderator moderates in addition to apps where they have a
 * role: the apps of the directory that they see, or, without a directory, all apps that they see.
 */
export function moderatedBy(
  appId: Expression<unknown>,
  viewer: Viewer,
  reach: 'roles' | 'directory' | 'everywhere',
): Expression<SqlBool> {
  const inDirectory = reach === 'directory' ? sql`and directory_id = ${viewer.directoryId}` : sql``;
  const seen =
    reach === 'roles'
      ? sql``
      : sql`union all select id from apps as seen where ${visibleTo(sql.ref('seen.id'), viewer)} ${inDirectory}`;
  const apps = sql`(select members.app_id from members where members.user_id = ${viewer.userId} and ${moderatesByRole} ${seen})`;
  return inLimitedRows(appId, apps);
}

/**
 * True when the user with an id moderates an app that they may read (`mayRead`): by their role in it, or as a moderator of
 * its directory or of all apps. Look-ups by key.
 */
export function moderatesApp(appId: Expression<unknown>, userId: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from members
      where members.app_id = ${appId} and members.user_id = ${userId} and ${moderatesByRole})
    or exists (select 1 from users as moderator join apps as moderated on moderated.id = ${appId}
      where moderator.id = ${userId} and moderator.role = 'moderator'
        and (moderator.directory_id is null or moderator.directory_id = moderated.directory_id)))`;
}

/** True unless the file in `files` is attached to an entry that is in the trash, or whose own parent is. */
export const fileIsShown = sql<boolean>`(files.parent_type = 'app' or exists (
  select 1 from entries join tallies on tallies.parent_type = entries.parent_type
    and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind
  where entries.id = files.parent_id and entries.kind = files.parent_type and entries.trashed_at is null
    and tallies.is_hidden = 0))`;

/**
 * True while a comment, post, message or file exists, and neither it nor anything that contains it is in the
 * trash.
 */
export function isThere(type: Expression<unknown>, id: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`case ${type} when 'file' then exists (
    select 1 from files where files.id = ${id} and files.trashed_at is null and ${fileIsShown})
  else exists (
    select 1 from entries join tallies on tallies.parent_type = entries.parent_type
      and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind
    where entries.id = ${id} and entries.kind = ${type}
      and entries.trashed_at is null and tallies.is_hidden = 0) end`;
}

/** True while a comment, post, message or file is held, and its moderators have not decided. */
export function isWaiting(type: Expression<unknown>, id: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`case ${type} when 'file' then exists (
    select 1 from files where files.id = ${id} and files.held_at is not null and files.trashed_at is not null)
  else exists (
    select 1 from entries where entries.id = ${id} and entries.kind = ${type}
      and entries.held_at is not null and entries.trashed_at is not null) end`;
}

/** Apps with the membership, star and subscription of one user. */
export function appsFor<P extends { userId: number }>(q: Builder, value: Bind<P>) {
  const userId = value('userId' as keyof P & string) as number;
  return q
    .selectFrom('apps')
    .leftJoin('members', (join) =>
      join.onRef('members.app_id', '=', 'apps.id').on('members.user_id', '=', userId),
    )
    .where('apps.deleted_at', 'is', null)
    .select([
      'apps.id',
      'apps.type',
      'apps.uid',
      'apps.access',
      'apps.directory_id as directoryId',
      'apps.name',
      'apps.description',
      'apps.metadata',
      'apps.tags',
      'apps.created_at as createdAt',
      'apps.created_by_id as createdById',
      'apps.modified_at as modifiedAt',
      'apps.modified_by_id as modifiedById',
      'apps.trashed_at as trashedAt',
      'apps.locked_at as lockedAt',
      'apps.approval',
      'apps.approval_count as approvalCount',
      'apps.visitors',
      'apps.resolving',
      'apps.reopening',
      'apps.picture_id as pictureId',
      'apps.picture_url as pictureUrl',
      'members.access as memberAccess',
      'members.role as memberRole',
      sql<number>`exists (select 1 from stars where stars.user_id = ${userId} and stars.app_id = apps.id)`.as(
        'isStarred',
      ),
      sql<number>`exists (select 1 from subscriptions where entity_type = 'app' and entity_id = apps.id
        and subscriptions.user_id = ${userId})`.as('isSubscribed'),
    ]);
}

/**
 * An app with the facts that decide the caller's access. `memberRole` is null if a program without roles
 * wrote it.
 */
export type AppRow = RowFrom<typeof appsFor>;
