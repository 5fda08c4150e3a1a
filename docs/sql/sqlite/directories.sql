-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"directories"."id",
"directories"."name"

-- without any filter
select [columns]
  from "directories"
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select [columns]
  from "directories"
  where "directories"."id" in (select rowid
    from "directory_search"
    where "directory_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "directory_search_terms" where term >= asked.word limit 1) union all select (select term from "directory_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ')
      from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with isLimited: true
select [columns]
  from "directories"
  where "directories"."id" = ?
  order by directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "directories"
  order by directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by name, descending
select [columns], directories.name_key as "key0"
  from "directories"
  order by directories.name_key desc, directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select [columns], directories.created_at as "key0"
  from "directories"
  order by directories.created_at desc, directories.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by name, after a cursor
select [columns], directories.name_key as "key0"
  from "directories"
  where (directories.name_key, directories.id) > (cast(? as text), cast(? as bigint))
  order by directories.name_key asc, directories.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "directories";
