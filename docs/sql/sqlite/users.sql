-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"users"."id",
"users"."uid",
"users"."display_name" as "displayName",
"users"."email",
"users"."given_name" as "givenName",
"users"."middle_name" as "middleName",
"users"."family_name" as "familyName",
"users"."name",
"users"."nickname",
"users"."phone_number" as "phoneNumber",
"users"."comment",
"users"."directory_id" as "directoryId",
"users"."picture_id" as "pictureId",
"users"."picture_url" as "pictureUrl",
"users"."metadata",
"users"."tags",
"users"."created_at" as "createdAt",
"users"."modified_at" as "modifiedAt",
"users"."role",
"users"."is_bot" as "isBot",
"users"."is_active" as "isActive",
"users"."suspended_at" as "suspendedAt",
"users"."trashed_at" as "trashedAt",
"users"."way",
"users"."is_trusted" as "isTrusted"

-- without any filter
-- with visibility: all
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with directories: one
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."directory_id" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with directories: none
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."directory_id" is null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with ways: none
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."way" is null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with ways: visitor
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."way" is not null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with ways: one
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."way" = ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with suspended: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is not null and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with suspended: null
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."trashed_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with trashed: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and users.uid <> 'erased ' || cast(users.id as text) and "users"."suspended_at" is null and "users"."trashed_at" is not null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with trashed: null
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and users.uid <> 'erased ' || cast(users.id as text) and "users"."suspended_at" is null
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with hasQuestion: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select rowid
      from "user_search"
      where "user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "user_search_terms" where term >= asked.word limit 1) union all select (select term from "user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with hasTag: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select "user_id"
      from "user_tags"
      where tag = ? )
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- with visibility: shared
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and (users.id = ? or users.id in (select theirs.user_id from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = ? and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none'))
    order by users.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id asc;

-- by id, descending
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.id desc;

-- by uid, descending
select [columns], users.uid as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.uid desc, users.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.uid desc, users.id desc;

-- by name, descending
select [columns], users.name_key as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.name_key desc, users.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.name_key desc, users.id desc;

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.display_name_key desc, users.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.display_name_key desc, users.id desc;

-- by email, descending
select [columns], users.email as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.email as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.email is not null order by users.email desc, users.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select users.id as "id", users.email as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.email is null order by users.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.email desc nulls last, users.id desc;

-- by created_at, descending
select [columns], users.created_at as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.created_at desc, users.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.created_at desc, users.id desc;

-- by modified_at, descending
select [columns], users.modified_at as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.modified_at as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.modified_at is not null order by users.modified_at desc, users.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select users.id as "id", users.modified_at as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.modified_at is null order by users.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.modified_at desc nulls last, users.id desc;

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.uid as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.uid = cast(? as text) and (users.id) > (cast(? as bigint)) order by users.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select users.id as "id", users.uid as "sorted" from "users" where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null and users.uid > cast(? as text) order by users.uid asc, users.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by users.uid asc, users.id asc;

-- counted
select count(*) as "count"
  from "users"
  where "users"."id" <> ? and "users"."suspended_at" is null and "users"."trashed_at" is null;
