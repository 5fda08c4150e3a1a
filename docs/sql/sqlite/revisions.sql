-- Made by `npm run generate` from the declaration of this list.

-- as it is without any filter
select "id", "content", "created_at" as "createdAt", "created_by_id" as "createdById"
  from "revisions"
  where "entry_id" = ?
  order by id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select "id", "content", "created_at" as "createdAt", "created_by_id" as "createdById"
  from "revisions"
  where "entry_id" = ?
  order by id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select "id", "content", "created_at" as "createdAt", "created_by_id" as "createdById", created_at as "key0"
  from "revisions"
  where "entry_id" = ?
  order by created_at desc, id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, after a cursor
select "id", "content", "created_at" as "createdAt", "created_by_id" as "createdById", created_at as "key0"
  from "revisions"
  where "entry_id" = ? and (created_at, id) > (?, cast(? as bigint))
  order by created_at asc, id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "revisions"
  where "entry_id" = ?;
