-- Made by `npm run generate` from the declaration of this list.

-- as it is without any filter
select "directories"."id", "directories"."name"
  from "directories"
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select "directories"."id", "directories"."name"
  from "directories"
  where "directories"."id" in (select rowid
  from "directory_search"
  where "directory_search" match ?)
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with isLimited: true
select "directories"."id", "directories"."name"
  from "directories"
  where "directories"."id" = ?
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select "directories"."id", "directories"."name"
  from "directories"
  order by directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by name, descending
select "directories"."id", "directories"."name"
  from "directories"
  order by directories.name_key desc, directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select "directories"."id", "directories"."name"
  from "directories"
  order by directories.created_at desc, directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "directories";
