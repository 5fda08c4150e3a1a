-- Made by `npm run generate` from the declaration of this list.

-- as it is without any filter
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with trashed: true
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and "apps"."id" in (select "app_id"
  from "app_tags"
  where tag = $7)
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($8 as bigint) offset cast($9 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with hasMember: true
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
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
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($7 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($8 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($9 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($10 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($11 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($12 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($13 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($14 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($15 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $16) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $17 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($18 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($19 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($20 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($21 as bigint) offset cast($22 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- with terms: 32
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
  from stars
  where stars.user_id = $1 and stars.app_id = apps.id) as "isStarred", exists (select 1
  from subscriptions
  where entity_type = 'app' and entity_id = apps.id and subscriptions.user_id = $2) as "isSubscribed"
  from "apps"
  left join "members" on "members"."app_id" = "apps"."id" and "members"."user_id" = $3
  where "apps"."deleted_at" is null and "apps"."id" in (select apps.id as "id"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $4 and "members"."access" <> $5 and "apps"."deleted_at" is null and "apps"."type" = any($6) and "apps"."trashed_at" is null and (("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($7 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($8 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($9 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($10 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($11 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($12 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($13 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($14 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($15 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $16) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $17 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($18 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($19 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($20 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($21 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($22 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($23 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($24 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($25 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($26 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($27 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($28 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($29 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $30) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $31 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($32 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($33 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($34 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($35 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($36 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($37 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($38 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($39 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($40 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($41 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($42 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($43 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $44) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $45 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($46 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($47 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($48 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($49 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($50 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($51 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($52 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($53 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($54 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($55 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($56 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($57 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $58) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $59 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($60 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($61 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($62 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($63 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($64 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($65 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($66 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($67 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($68 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($69 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($70 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($71 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $72) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $73 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($74 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($75 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($76 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($77 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($78 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($79 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($80 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($81 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($82 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($83 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($84 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($85 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $86) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $87 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($88 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($89 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($90 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($91 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($92 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($93 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($94 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($95 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($96 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($97 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($98 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($99 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $100) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $101 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($102 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($103 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($104 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($105 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($106 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($107 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($108 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($109 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($110 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($111 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($112 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($113 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $114) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $115 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($116 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($117 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($118 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($119 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($120 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($121 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($122 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($123 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($124 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($125 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($126 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($127 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $128) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $129 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($130 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($131 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($132 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($133 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($134 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($135 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($136 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($137 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($138 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($139 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($140 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($141 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $142) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $143 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($144 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($145 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($146 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($147 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($148 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($149 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($150 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($151 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($152 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($153 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($154 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($155 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $156) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $157 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($158 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($159 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($160 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($161 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($162 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($163 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($164 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($165 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($166 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($167 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($168 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($169 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $170) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $171 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($172 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($173 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($174 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($175 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($176 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($177 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($178 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($179 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($180 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($181 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($182 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($183 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $184) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $185 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($186 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($187 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($188 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($189 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($190 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($191 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($192 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($193 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($194 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($195 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($196 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($197 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $198) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $199 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($200 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($201 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($202 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($203 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($204 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($205 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($206 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($207 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($208 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($209 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($210 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($211 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $212) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $213 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($214 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($215 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($216 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($217 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($218 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($219 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($220 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($221 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($222 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($223 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($224 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($225 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $226) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $227 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($228 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($229 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($230 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($231 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($232 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($233 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($234 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($235 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($236 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($237 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($238 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($239 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $240) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $241 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($242 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($243 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($244 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($245 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($246 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($247 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($248 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($249 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($250 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($251 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($252 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($253 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $254) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $255 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($256 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($257 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($258 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($259 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($260 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($261 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($262 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($263 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($264 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($265 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($266 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($267 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $268) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $269 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($270 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($271 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($272 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($273 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($274 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($275 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($276 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($277 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($278 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($279 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($280 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($281 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $282) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $283 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($284 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($285 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($286 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($287 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($288 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($289 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($290 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($291 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($292 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($293 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($294 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($295 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $296) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $297 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($298 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($299 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($300 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($301 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($302 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($303 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($304 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($305 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($306 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($307 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($308 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($309 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $310) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $311 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($312 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($313 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($314 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($315 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($316 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($317 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($318 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($319 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($320 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($321 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($322 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($323 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $324) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $325 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($326 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($327 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($328 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($329 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($330 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($331 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($332 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($333 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($334 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($335 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($336 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($337 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $338) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $339 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($340 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($341 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($342 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($343 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($344 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($345 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($346 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($347 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($348 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($349 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($350 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($351 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $352) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $353 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($354 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($355 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($356 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($357 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($358 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($359 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($360 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($361 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($362 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($363 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($364 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($365 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $366) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $367 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($368 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($369 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($370 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($371 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($372 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($373 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($374 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($375 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($376 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($377 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($378 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($379 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $380) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $381 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($382 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($383 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($384 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($385 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($386 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($387 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($388 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($389 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($390 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($391 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($392 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($393 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $394) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $395 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($396 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($397 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($398 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($399 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($400 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($401 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($402 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($403 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($404 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($405 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($406 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($407 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $408) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $409 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($410 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($411 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($412 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($413 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($414 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($415 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($416 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($417 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($418 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($419 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($420 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($421 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $422) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $423 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($424 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($425 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($426 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($427 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($428 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($429 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($430 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($431 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($432 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($433 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($434 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($435 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $436) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $437 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($438 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($439 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($440 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end) and ("apps"."id" in (select rowid
  from "app_search"
  where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($441 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($442 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($443 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) or case when (select count(*)
  from (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($444 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($445 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($446 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  limit 501) as found) <= 500 then apps.id in (select others.app_id
  from members as others
  where "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($447 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($448 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($449 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and others.user_id <> $450) else exists (select 1
  from members as others
  where others.app_id = apps.id and others.user_id <> $451 and "others"."user_id" in (select rowid
  from "public_user_search"
  where ("public_user_search"."lexemes" @@ cast( replace(replace(replace(replace(cast($452 as text), ' AND ', '&'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and (strpos(replace(cast($453 as text), ' AND ', ''), ' ') = 0 or not exists ( select 1
  from unnest(string_to_array(cast($454 as text), ' AND ')) as asked (term)
  where strpos(term, ' ') > 0 and strpos(' ' || "public_user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))))) end))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc
  limit cast($455 as bigint) offset cast($456 as bigint))
  order by coalesce(members.pinned_at, 0) asc, coalesce(apps.last_message_id, 0) asc, apps.created_at asc, apps.id asc;

-- by pinned_at, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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
  order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc
  limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(members.pinned_at, 0) desc, coalesce(apps.last_message_id, 0) desc, apps.created_at desc, apps.id desc;

-- by last_message_id, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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
  order by coalesce(apps.last_message_id, 0) desc, apps.id desc
  limit cast($7 as bigint) offset cast($8 as bigint))
  order by coalesce(apps.last_message_id, 0) desc, apps.id desc;

-- by name, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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
  order by apps.name_key desc, apps.id desc
  limit cast($7 as bigint) offset cast($8 as bigint))
  order by apps.name_key desc, apps.id desc;

-- by created_at, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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
  order by apps.created_at desc, apps.id desc
  limit cast($7 as bigint) offset cast($8 as bigint))
  order by apps.created_at desc, apps.id desc;

-- by id, descending
select "apps"."id", "apps"."type", "apps"."uid", "apps"."access", "apps"."directory_id" as "directoryId", "apps"."name", "apps"."description", "apps"."metadata", "apps"."tags", "apps"."created_at" as "createdAt", "apps"."created_by_id" as "createdById", "apps"."modified_at" as "modifiedAt", "apps"."modified_by_id" as "modifiedById", "apps"."trashed_at" as "trashedAt", "members"."access" as "memberAccess", "members"."role" as "memberRole", exists (select 1
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

-- counted
select count(*) as "count"
  from "members"
  inner join "apps" on "apps"."id" = "members"."app_id"
  where "members"."user_id" = $1 and "members"."access" <> $2 and "apps"."deleted_at" is null and "apps"."type" = any($3) and "apps"."trashed_at" is null;
