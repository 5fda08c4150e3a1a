-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"id",
"content",
"created_at" as "createdAt",
"created_by_id" as "createdById"

-- without any filter
select [columns]
  from "revisions"
  where "entry_id" = $1
  order by id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by id, descending
select [columns]
  from "revisions"
  where "entry_id" = $1
  order by id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by created_at, descending
select [columns], created_at as "key0"
  from "revisions"
  where "entry_id" = $1
  order by created_at desc, id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by created_at, after a cursor
select [columns], created_at as "key0"
  from "revisions"
  where "entry_id" = $1 and (created_at, id) > (cast($2 as bigint), cast($3 as bigint))
  order by created_at asc, id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- counted
select count(*) as "count"
  from "revisions"
  where "entry_id" = $1;
