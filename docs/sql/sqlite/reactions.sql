-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"id",
"entry_id" as "entryId",
"content",
"created_at" as "createdAt",
"created_by_id" as "createdById"

-- without any filter
select [columns]
  from "reactions"
  where "entry_id" = ?
  order by id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasContent: true
select [columns]
  from "reactions"
  where "entry_id" = ? and "content" = ?
  order by id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "reactions"
  where "entry_id" = ?
  order by id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select [columns], created_at as "key0"
  from "reactions"
  where "entry_id" = ?
  order by created_at desc, id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, after a cursor
select [columns], created_at as "key0"
  from "reactions"
  where "entry_id" = ? and (created_at, id) > (?, cast(? as bigint))
  order by created_at asc, id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "reactions"
  where "entry_id" = ?;
