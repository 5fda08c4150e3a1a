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
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with suspended: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is not null and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with suspended: null
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."trashed_at" is null
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with trashed: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is not null
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with trashed: null
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select rowid
    from "user_search"
    where "user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "user_search_terms" where term >= asked.word limit 1) union all select (select term from "user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ')
      from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasTag: true
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select "user_id"
    from "user_tags"
    where tag = ? )
  order by members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by uid, descending
select [columns], users.uid as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.uid desc, members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by name, descending
select [columns], users.name_key as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.name_key desc, members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by users.display_name_key desc, members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by access, descending
select [columns], members.access as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.access desc, members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select [columns], members.created_at as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
  order by members.created_at desc, members.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null and (users.uid, members.user_id) > (cast(? as text), cast(? as bigint))
  order by users.uid asc, members.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "members"
  inner join "users" on "users"."id" = "members"."user_id"
  where "members"."app_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null;
