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
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with directories: one
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."directory_id" = $2 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by users.id asc;

-- with directories: none
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."directory_id" is null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with ways: none
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."way" is null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with ways: visitor
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."way" is not null and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with ways: one
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."way" = $2 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by users.id asc;

-- with suspended: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is not null and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with suspended: null
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."trashed_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with trashed: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and users.uid <> 'erased ' || cast(users.id as text) and "users"."suspended_at" is null and "users"."trashed_at" is not null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with trashed: null
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and users.uid <> 'erased ' || cast(users.id as text) and "users"."suspended_at" is null
    order by users.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id asc;

-- with hasQuestion: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select rowid
      from "user_search"
      where ("user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($2 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($3 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
    order by users.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by users.id asc;

-- with hasTag: true
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."id" in (select "user_id"
      from "user_tags"
      where tag = $2 )
    order by users.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by users.id asc;

-- with visibility: shared
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and (users.id = $2 or users.id in (select theirs.user_id from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = $3 and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none'))
    order by users.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by users.id asc;

-- by id, descending
select [columns]
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.id desc;

-- by uid, descending
select [columns], users.uid as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.uid desc, users.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.uid desc, users.id desc;

-- by name, descending
select [columns], users.name_key as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.name_key desc, users.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.name_key desc, users.id desc;

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.display_name_key desc, users.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.display_name_key desc, users.id desc;

-- by email, descending
select [columns], users.email as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.email as "sorted" from "users" where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.email is not null order by users.email desc, users.id desc limit cast($2 as bigint) + cast($3 as bigint))) as run
      union all select *
      from ((select users.id as "id", users.email as "sorted" from "users" where "users"."id" <> $4 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.email is null order by users.id desc limit cast($5 as bigint) + cast($6 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by users.email desc nulls last, users.id desc;

-- by created_at, descending
select [columns], users.created_at as "key0"
  from "users"
  where "users"."id" in (select users.id as "id"
    from "users"
    where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null
    order by users.created_at desc, users.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by users.created_at desc, users.id desc;

-- by modified_at, descending
select [columns], users.modified_at as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.modified_at as "sorted" from "users" where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.modified_at is not null order by users.modified_at desc, users.id desc limit cast($2 as bigint) + cast($3 as bigint))) as run
      union all select *
      from ((select users.id as "id", users.modified_at as "sorted" from "users" where "users"."id" <> $4 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.modified_at is null order by users.id desc limit cast($5 as bigint) + cast($6 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by users.modified_at desc nulls last, users.id desc;

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "users"
  where "users"."id" in (select "ids"."id"
    from (select *
      from ((select users.id as "id", users.uid as "sorted" from "users" where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.uid = cast($2 as text) and (users.id) > (cast($3 as bigint)) order by users.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select users.id as "id", users.uid as "sorted" from "users" where "users"."id" <> $6 and "users"."suspended_at" is null and "users"."trashed_at" is null and users.uid > cast($7 as text) order by users.uid asc, users.id asc limit cast($8 as bigint) + cast($9 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($10 as bigint) offset cast($11 as bigint))
  order by users.uid asc, users.id asc;

-- counted
select count(*) as "count"
  from "users"
  where "users"."id" <> $1 and "users"."suspended_at" is null and "users"."trashed_at" is null;
