-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"id",
"address",
"reason",
"created_at" as "createdAt",
"expires_at" as "expiresAt"

-- without any filter
select [columns]
  from "bans"
  where "id" in (select bans.id as "id"
    from "bans"
    where "bans"."expires_at" > ?
    order by bans.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by bans.id asc;

-- by id, descending
select [columns]
  from "bans"
  where "id" in (select bans.id as "id"
    from "bans"
    where "bans"."expires_at" > ?
    order by bans.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by bans.id desc;

-- by expires_at, descending
select [columns], bans.expires_at as "key0"
  from "bans"
  where "id" in (select bans.id as "id"
    from "bans"
    where "bans"."expires_at" > ?
    order by bans.expires_at desc, bans.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by bans.expires_at desc, bans.id desc;

-- by expires_at, after a cursor
select [columns], bans.expires_at as "key0"
  from "bans"
  where "id" in (select "ids"."id"
    from (select *
      from ((select bans.id as "id", bans.expires_at as "sorted" from "bans" where "bans"."expires_at" > ? and bans.expires_at = ? and (bans.id) > (cast(? as bigint)) order by bans.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select bans.id as "id", bans.expires_at as "sorted" from "bans" where "bans"."expires_at" > ? and bans.expires_at > ? order by bans.expires_at asc, bans.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by bans.expires_at asc, bans.id asc;

-- counted
select count(*) as "count"
  from "bans"
  where "bans"."expires_at" > ?;
