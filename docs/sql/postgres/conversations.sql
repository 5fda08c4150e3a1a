-- Made by `npm run generate` from the declaration of this list.

-- as it is without any filter
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($7 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($8 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($9 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($10 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($11 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($12 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $13) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $14 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($15 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($16 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($17 as bigint) offset cast($18 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with terms: 32
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($7 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($8 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($9 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($10 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($11 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($12 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $13) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $14 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($15 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($16 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($17 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($18 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($19 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($20 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($21 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($22 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $23) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $24 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($25 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($26 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($27 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($28 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($29 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($30 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($31 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($32 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $33) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $34 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($35 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($36 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($37 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($38 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($39 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($40 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($41 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($42 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $43) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $44 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($45 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($46 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($47 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($48 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($49 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($50 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($51 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($52 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $53) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $54 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($55 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($56 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($57 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($58 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($59 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($60 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($61 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($62 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $63) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $64 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($65 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($66 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($67 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($68 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($69 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($70 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($71 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($72 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $73) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $74 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($75 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($76 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($77 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($78 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($79 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($80 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($81 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($82 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $83) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $84 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($85 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($86 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($87 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($88 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($89 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($90 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($91 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($92 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $93) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $94 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($95 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($96 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($97 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($98 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($99 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($100 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($101 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($102 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $103) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $104 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($105 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($106 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($107 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($108 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($109 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($110 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($111 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($112 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $113) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $114 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($115 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($116 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($117 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($118 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($119 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($120 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($121 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($122 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $123) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $124 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($125 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($126 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($127 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($128 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($129 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($130 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($131 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($132 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $133) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $134 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($135 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($136 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($137 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($138 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($139 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($140 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($141 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($142 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $143) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $144 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($145 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($146 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($147 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($148 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($149 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($150 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($151 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($152 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $153) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $154 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($155 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($156 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($157 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($158 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($159 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($160 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($161 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($162 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $163) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $164 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($165 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($166 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($167 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($168 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($169 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($170 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($171 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($172 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $173) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $174 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($175 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($176 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($177 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($178 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($179 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($180 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($181 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($182 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $183) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $184 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($185 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($186 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($187 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($188 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($189 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($190 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($191 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($192 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $193) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $194 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($195 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($196 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($197 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($198 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($199 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($200 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($201 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($202 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $203) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $204 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($205 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($206 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($207 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($208 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($209 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($210 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($211 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($212 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $213) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $214 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($215 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($216 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($217 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($218 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($219 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($220 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($221 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($222 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $223) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $224 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($225 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($226 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($227 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($228 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($229 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($230 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($231 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($232 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $233) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $234 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($235 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($236 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($237 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($238 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($239 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($240 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($241 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($242 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $243) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $244 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($245 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($246 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($247 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($248 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($249 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($250 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($251 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($252 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $253) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $254 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($255 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($256 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($257 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($258 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($259 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($260 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($261 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($262 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $263) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $264 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($265 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($266 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($267 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($268 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($269 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($270 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($271 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($272 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $273) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $274 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($275 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($276 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($277 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($278 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($279 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($280 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($281 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($282 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $283) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $284 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($285 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($286 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($287 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($288 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($289 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($290 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($291 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($292 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $293) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $294 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($295 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($296 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($297 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($298 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($299 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($300 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($301 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($302 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $303) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $304 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($305 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($306 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($307 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($308 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($309 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($310 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($311 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($312 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $313) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $314 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($315 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($316 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($317 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($318 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($319 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($320 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($321 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($322 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and others.user_id <> $323) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $324 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($325 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1
  from unnest(cast($326 as text[])) as asked (term)
  where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) end))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($327 as bigint) offset cast($328 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- by pinned_at, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(members.pinned_at, 0) as "key0", coalesce(apps.last_message_id, 0) as "key1", apps.created_at as "key2"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(apps.last_message_id, 0) as "key0"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", apps.name_key as "key0"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", apps.created_at as "key0"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "apps"."locked_at" as "lockedAt", "apps"."approval", "apps"."approval_count" as "approvalCount", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed", coalesce(apps.last_message_id, 0) as "key0"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select "ids"."id"
  from (select *
  from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) = cast($7 as bigint) and (apps.id) > (cast($8 as bigint))
  order by apps.id asc
  limit cast($9 as bigint) + cast($10 as bigint))) as run
  union all select *
  from ((select apps.id as "id", coalesce(apps.last_message_id, 0) as "sorted"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $11 and "members"."access" <> $12 and "apps"."deleted_at" is null and "apps"."type" = any($13) and "apps"."trashed_at" is null and coalesce(apps.last_message_id, 0) > cast($14 as bigint)
  order by coalesce(apps.last_message_id, 0) asc, apps.id asc
  limit cast($15 as bigint) + cast($16 as bigint))) as run) as "ids"
  order by "ids"."sorted" asc, "ids"."id" asc
  limit cast($17 as bigint) offset cast($18 as bigint))
  order by coalesce(apps.last_message_id, 0) asc, apps.id asc;

-- counted
select count(*) as "count"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $1 and "members"."access" <> $2 and "apps"."deleted_at" is null and "apps"."type" = any($3) and "apps"."trashed_at" is null;
