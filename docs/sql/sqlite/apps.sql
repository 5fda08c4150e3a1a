-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"apps"."id",
"apps"."type",
"apps"."uid",
"apps"."access",
"apps"."directory_id" as "directoryId",
"apps"."name",
"apps"."description",
"apps"."metadata",
"apps"."tags",
"apps"."created_at" as "createdAt",
"apps"."created_by_id" as "createdById",
"apps"."modified_at" as "modifiedAt",
"apps"."modified_by_id" as "modifiedById",
"apps"."trashed_at" as "trashedAt",
"apps"."locked_at" as "lockedAt",
"apps"."approval",
"apps"."approval_count" as "approvalCount",
"apps"."visitors",
"apps"."resolving",
"apps"."reopening",
"apps"."picture_id" as "pictureId",
"apps"."picture_url" as "pictureUrl",
"members"."access" as "memberAccess",
"members"."role" as "memberRole",
exists (select 1 from stars where stars.user_id = ? and stars.app_id = apps.id) as "isStarred",
exists (select 1 from subscriptions where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = ?) as "isSubscribed"

-- without any filter
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with trashed: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is not null
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with trashed: null
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with hasQuestion: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null and "apps"."id" in (select rowid
      from "app_search"
      where "app_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "app_search_terms" where term >= asked.word limit 1) union all select (select term from "app_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with hasTag: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null and "apps"."id" in (select "app_id"
      from "app_tags"
      where tag = ? )
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with hasTypes: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null and "apps"."type" in (select value
      from json_each(?))
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with hasUids: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null and "apps"."uid" in (select value
      from json_each(?))
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with isLimited: true
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null and "apps"."id" in ( select app_id
      from members
      where user_id = ? and access <> 'none'
      union all select id
      from apps as open_apps
      where access <> 'none' and (directory_id is null or directory_id = ?) and not exists (select 1 from members where app_id = open_apps.id and user_id = ?))
    order by apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- with isLimited: true, among the first rows of all users
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
    from ((select apps.id as "id" from "apps" where "apps"."deleted_at" is null and "apps"."trashed_at" is null order by apps.id asc limit 1000)) as "ids"
    where (select coalesce( (select members.access <> 'none' from members where members.app_id = "apps"."id" and members.user_id = ?), "apps"."access" <> 'none' and ("apps"."directory_id" is null or "apps"."directory_id" = ?))
      from apps
      where apps.id = "ids"."id")
    order by "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id asc;

-- by id, descending
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id desc;

-- by uid, descending
select [columns], apps.uid as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.uid desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.uid desc, apps.id desc;

-- by type, descending
select [columns], apps.type as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.type desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.type desc, apps.id desc;

-- by name, descending
select [columns], apps.name_key as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.name_key desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.name_key desc, apps.id desc;

-- by display_name, descending
select [columns], apps.display_name_key as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.display_name_key desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.display_name_key desc, apps.id desc;

-- by created_at, descending
select [columns], apps.created_at as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "apps"
    where "apps"."deleted_at" is null and "apps"."trashed_at" is null
    order by apps.created_at desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.created_at desc, apps.id desc;

-- by modified_at, descending
select [columns], apps.modified_at as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
    from (select *
      from ((select apps.id as "id", apps.modified_at as "sorted" from "apps" where "apps"."deleted_at" is null and "apps"."trashed_at" is null and apps.modified_at is not null order by apps.modified_at desc, apps.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select apps.id as "id", apps.modified_at as "sorted" from "apps" where "apps"."deleted_at" is null and "apps"."trashed_at" is null and apps.modified_at is null order by apps.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.modified_at desc nulls last, apps.id desc;

-- by uid, after a cursor
select [columns], apps.uid as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
    from (select *
      from ((select apps.id as "id", apps.uid as "sorted" from "apps" where "apps"."deleted_at" is null and "apps"."trashed_at" is null and apps.uid = cast(? as text) and (apps.id) > (cast(? as bigint)) order by apps.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select apps.id as "id", apps.uid as "sorted" from "apps" where "apps"."deleted_at" is null and "apps"."trashed_at" is null and apps.uid > cast(? as text) order by apps.uid asc, apps.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.uid asc, apps.id asc;

-- counted
select count(*) as "count"
  from "apps"
  where "apps"."deleted_at" is null and "apps"."trashed_at" is null;
