-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"users"."id",
"users"."uid",
"members"."access",
coalesce(members.role, (select 'manager' from apps where apps.id = members.app_id and apps.created_by_id = members.user_id)) as "role",
"users"."display_name" as "displayName",
"users"."picture_url" as "pictureUrl",
"users"."is_bot" as "isBot",
"users"."is_active" as "isActive",
"members"."marked_id" as "markedId",
"members"."marked_at" as "markedAt",
"members"."delivered_at" as "deliveredAt"

-- without any filter
-- with visibility: all
-- with visibility: shared
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with suspended: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is not null and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with suspended: null
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with trashed: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is not null
  order by members.user_id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with trashed: null
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null
  order by members.user_id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with hasQuestion: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select rowid
    from "user_search"
    where ("user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($2 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($3 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  order by members.user_id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- with hasTag: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select "user_id"
    from "user_tags"
    where tag = $2 )
  order by members.user_id asc
  limit cast($3 as bigint) offset cast($4 as bigint);

-- by id, descending
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by uid, descending
select [columns], users.uid as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.uid desc, members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by name, descending
select [columns], users.name_key as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.name_key desc, members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.display_name_key desc, members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by access, descending
select [columns], members.access as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.access desc, members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by created_at, descending
select [columns], members.created_at as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.created_at desc, members.user_id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and (users.uid, members.user_id) > (cast($2 as text), cast($3 as bigint))
  order by users.uid asc, members.user_id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- counted
select count(*) as "count"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = $1 and "users"."suspended_at" is null and "users"."trashed_at" is null;
