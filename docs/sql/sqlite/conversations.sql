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
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with trashed: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is not null
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with trashed: null
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with unread: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null and (apps.last_message_id > coalesce(members.marked_id, 0) and apps.last_message_id > coalesce(members.wrote_id, 0))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with unread: false
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null and (apps.last_message_id > coalesce(members.marked_id, 0) and apps.last_message_id > coalesce(members.wrote_id, 0)) is not true
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with hasTag: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null and "apps"."id" in (select "app_id"
      from "app_tags"
      where tag = ? )
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with hasMember: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null and exists (select "fellow"."user_id"
      from "members" as "fellow"
      inner join "users" on "users"."id" = "fellow"."user_id"
      where "fellow"."app_id" = "apps"."id" and ("users"."id" = ? or "users"."uid" = ?))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with terms: 1
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid from "app_search" where "app_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "app_search_terms" where term >= asked.word limit 1) union all select (select term from "app_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked)) or case when (select count(*) from (select rowid from "public_user_search" where "public_user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "public_user_search_terms" where term >= asked.word limit 1) union all select (select term from "public_user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked) limit 501) as found) <= 500 then apps.id in (select others.app_id from members as others where "others"."user_id" in (select rowid from "public_user_search" where "public_user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "public_user_search_terms" where term >= asked.word limit 1) union all select (select term from "public_user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked)) and others.user_id <> ?) else exists (select 1 from members as others where others.app_id = apps.id and others.user_id <> ? and +"others"."user_id" in (select rowid from "public_user_search" where "public_user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "public_user_search_terms" where term >= asked.word limit 1) union all select (select term from "public_user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))) end))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- by pinned_at, descending
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc;

-- by last_message_id, descending
select [columns], coalesce(apps.last_message_id, 0) as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by coalesce(apps.last_message_id, 0) desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(apps.last_message_id, 0) desc, apps.id desc;

-- by name, descending
select [columns], apps.name_key as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by apps.name_key desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.name_key desc, apps.id desc;

-- by created_at, descending
select [columns], apps.created_at as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by apps.created_at desc, apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.created_at desc, apps.id desc;

-- by id, descending
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
      from json_each(?)) and "apps"."trashed_at" is null
    order by apps.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by apps.id desc;

-- by last_message_id, after a cursor
select [columns], coalesce(apps.last_message_id, 0) as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = ?
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
    from (select *
      from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted" from "members" inner join "apps" on "apps"."id" = "members"."app_id" where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value from json_each(?)) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) = ? and (apps.id) > (cast(? as bigint)) order by apps.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted" from "members" inner join "apps" on "apps"."id" = "members"."app_id" where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value from json_each(?)) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) > ? order by coalesce(apps.last_message_id, 0) asc, apps.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(apps.last_message_id, 0) asc, apps.id asc;

-- counted
select count(*) as "count"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = ? and "members"."access" <> ? and "apps"."deleted_at" is null and "apps"."type" in (select value
    from json_each(?)) and "apps"."trashed_at" is null;
