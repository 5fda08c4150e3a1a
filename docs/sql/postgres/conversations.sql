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
exists (select 1 from stars where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred",
exists (select 1 from subscriptions where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"

-- without any filter
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with trashed: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is not null
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with trashed: null
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6)
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with unread: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (apps.last_message_id > coalesce(members.marked_id, 0) and apps.last_message_id > coalesce(members.wrote_id, 0))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with unread: false
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (apps.last_message_id > coalesce(members.marked_id, 0) and apps.last_message_id > coalesce(members.wrote_id, 0)) is not true
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with hasTag: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and "apps"."id" in (select "app_id"
      from "app_tags"
      where tag = $7 )
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with hasMember: true
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and exists (select "fellow"."user_id"
      from "members" as "fellow"
      inner join "users" on "users"."id" = "fellow"."user_id"
      where "fellow"."app_id" = "apps"."id" and ("users"."id" = $7 or "users"."uid" = $8))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with terms: 1
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid from "app_search" where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($7 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($8 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*) from (select rowid from "public_user_search" where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($9 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($10 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)) limit 501) as found) <= 500 then apps.id in (select others.app_id from members as others where "others"."user_id" in (select rowid from "public_user_search" where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($11 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($12 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $13) else exists (select 1 from members as others where others.app_id = apps.id and others.user_id <> $14 and "others"."user_id" in (select rowid from "public_user_search" where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($15 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($16 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end))
    order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
    limit cast($17 as bigint) offset cast($18 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- by pinned_at, descending
select [columns], coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc;

-- by last_message_id, descending
select [columns], coalesce(apps.last_message_id, 0) as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by coalesce(apps.last_message_id, 0) desc, apps.id desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(apps.last_message_id, 0) desc, apps.id desc;

-- by name, descending
select [columns], apps.name_key as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by apps.name_key desc, apps.id desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by apps.name_key desc, apps.id desc;

-- by created_at, descending
select [columns], apps.created_at as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by apps.created_at desc, apps.id desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by apps.created_at desc, apps.id desc;

-- by id, descending
select [columns]
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
    from "members"
    inner join "apps" on "apps"."id" = "members"."app_id"
    where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null
    order by apps.id desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by apps.id desc;

-- by last_message_id, after a cursor
select [columns], coalesce(apps.last_message_id, 0) as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
    from (select *
      from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted" from "members" inner join "apps" on "apps"."id" = "members"."app_id" where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) = cast($7 as bigint) and (apps.id) > (cast($8 as bigint)) order by apps.id asc limit cast($9 as bigint) + cast($10 as bigint))) as run
      union all select *
      from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted" from "members" inner join "apps" on "apps"."id" = "members"."app_id" where "members"."user_id" = $11 and "members"."access" <> $12 and "apps"."deleted_at" is null and "apps"."type" = any($13) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) > cast($14 as bigint) order by coalesce(apps.last_message_id, 0) asc, apps.id asc limit cast($15 as bigint) + cast($16 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($17 as bigint) offset cast($18 as bigint))
  order by coalesce(apps.last_message_id, 0) asc, apps.id asc;

-- counted
select count(*) as "count"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $1 and "members"."access" <> $2 and "apps"."deleted_at" is null and "apps"."type" = any($3) and "apps"."trashed_at" is null;
