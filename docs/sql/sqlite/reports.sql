-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"reports"."id",
"reports"."app_id" as "appId",
"apps"."type" as "appType",
"apps"."uid" as "appUid",
"apps"."name" as "appName",
"reports"."entity_type" as "entityType",
"reports"."entity_id" as "entityId",
"reports"."author_id" as "authorId",
"reports"."is_open" as "isOpen",
"reports"."report_count" as "reportCount",
"reports"."new_count" as "newCount",
"reports"."reasons",
"reports"."text_ids" as "textIds",
"reports"."snapshot",
"reports"."held",
"reports"."created_at" as "createdAt",
"reports"."reported_at" as "reportedAt",
"reports"."resolved_at" as "resolvedAt",
"reports"."resolved_by_id" as "resolvedById",
"reports"."action",
"reports"."note"

-- without any filter
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null)
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with reach: roles
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."author_id" <> ? and "reports"."app_id" in (select members.app_id
      from members
      where members.user_id = ? and coalesce(members.role, '') <> 'member' and members.access = 'write' and (members.role is not null or members.user_id = (select created_by_id from apps as made where made.id = members.app_id)) )
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with reach: directory
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."author_id" <> ? and "reports"."app_id" in (select members.app_id
      from members
      where members.user_id = ? and coalesce(members.role, '') <> 'member' and members.access = 'write' and (members.role is not null or members.user_id = (select created_by_id from apps as made where made.id = members.app_id))
      union all select id
      from apps as seen
      where "seen"."id" in ( select app_id from members where user_id = ? and access <> 'none' union all select id from apps as open_apps where access <> 'none' and (directory_id is null or directory_id = ?) and not exists (select 1 from members where app_id = open_apps.id and user_id = ?)) and directory_id = ?)
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with reach: everywhere
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."author_id" <> ? and "reports"."app_id" in (select members.app_id
      from members
      where members.user_id = ? and coalesce(members.role, '') <> 'member' and members.access = 'write' and (members.role is not null or members.user_id = (select created_by_id from apps as made where made.id = members.app_id))
      union all select id
      from apps as seen
      where "seen"."id" in ( select app_id from members where user_id = ? and access <> 'none' union all select id from apps as open_apps where access <> 'none' and (directory_id is null or directory_id = ?) and not exists (select 1 from members where app_id = open_apps.id and user_id = ?)) )
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with state: open
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."is_open" = 1
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with state: resolved
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."is_open" = 0
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with hasApp: true
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."app_id" = ?
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with hasAuthor: true
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."author_id" = ?
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with hasReason: true
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and reports.reasons like '%"' || ? || '"%'
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with held: false
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."held" is null
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- with held: true
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and "reports"."held" is not null
    order by reports.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id asc;

-- by id, descending
select [columns]
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null)
    order by reports.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.id desc;

-- by created_at, descending
select [columns], reports.created_at as "key0"
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null)
    order by reports.created_at desc, reports.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.created_at desc, reports.id desc;

-- by reported_at, descending
select [columns], reports.reported_at as "key0"
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null)
    order by reports.reported_at desc, reports.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.reported_at desc, reports.id desc;

-- by report_count, descending
select [columns], reports.report_count as "key0"
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select reports.id as "id"
    from "reports"
    where exists (select 1 as "one"
      from "apps"
      where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null)
    order by reports.report_count desc, reports.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.report_count desc, reports.id desc;

-- by created_at, after a cursor
select [columns], reports.created_at as "key0"
  from "reports"
  inner join "apps" on "apps"."id" = "reports"."app_id"
  where "apps"."trashed_at" is null and "reports"."id" in (select "ids"."id"
    from (select *
      from ((select reports.id as "id", reports.created_at as "sorted" from "reports" where exists (select 1 as "one" from "apps" where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and reports.created_at = ? and (reports.id) > (cast(? as bigint)) order by reports.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select reports.id as "id", reports.created_at as "sorted" from "reports" where exists (select 1 as "one" from "apps" where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null) and reports.created_at > ? order by reports.created_at asc, reports.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by reports.created_at asc, reports.id asc;

-- counted
select count(*) as "count"
  from "reports"
  where exists (select 1 as "one"
    from "apps"
    where "apps"."id" = "reports"."app_id" and "apps"."trashed_at" is null);
