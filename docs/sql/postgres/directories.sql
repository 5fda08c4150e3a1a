-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"directories"."id",
"directories"."name"

-- without any filter
select [columns]
  from "directories"
  order by directories.id asc
  limit cast($1 as bigint) offset cast($2 as bigint);

-- with hasQuestion: true
select [columns]
  from "directories"
  where "directories"."id" in (select rowid
    from "directory_search"
    where ("directory_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($1 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($2 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "directory_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  order by directories.id asc
  limit cast($3 as bigint) offset cast($4 as bigint);

-- with isLimited: true
select [columns]
  from "directories"
  where "directories"."id" = $1
  order by directories.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by id, descending
select [columns]
  from "directories"
  order by directories.id desc
  limit cast($1 as bigint) offset cast($2 as bigint);

-- by name, descending
select [columns], directories.name_key as "key0"
  from "directories"
  order by directories.name_key desc, directories.id desc
  limit cast($1 as bigint) offset cast($2 as bigint);

-- by created_at, descending
select [columns], directories.created_at as "key0"
  from "directories"
  order by directories.created_at desc, directories.id desc
  limit cast($1 as bigint) offset cast($2 as bigint);

-- by name, after a cursor
select [columns], directories.name_key as "key0"
  from "directories"
  where (directories.name_key, directories.id) > (cast($1 as text), cast($2 as bigint))
  order by directories.name_key asc, directories.id asc
  limit cast($3 as bigint) offset cast($4 as bigint);

-- counted
select count(*) as "count"
  from "directories";
