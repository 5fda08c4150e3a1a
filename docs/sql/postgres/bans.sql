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
    where "bans"."expires_at" > $1
    order by bans.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by bans.id asc;

-- by id, descending
select [columns]
  from "bans"
  where "id" in (select bans.id as "id"
    from "bans"
    where "bans"."expires_at" > $1
    order by bans.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by bans.id desc;

-- by expires_at, descending
select [columns], bans.expires_at as "key0"
  from "bans"
  where "id" in (select bans.id as "id"
    from "bans"
    where "bans"."expires_at" > $1
    order by bans.expires_at desc, bans.id desc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by bans.expires_at desc, bans.id desc;

-- by expires_at, after a cursor
select [columns], bans.expires_at as "key0"
  from "bans"
  where "id" in (select "ids"."id"
    from (select *
      from ((select bans.id as "id", bans.expires_at as "sorted" from "bans" where "bans"."expires_at" > $1 and bans.expires_at = cast($2 as bigint) and (bans.id) > (cast($3 as bigint)) order by bans.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select bans.id as "id", bans.expires_at as "sorted" from "bans" where "bans"."expires_at" > $6 and bans.expires_at > cast($7 as bigint) order by bans.expires_at asc, bans.id asc limit cast($8 as bigint) + cast($9 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($10 as bigint) offset cast($11 as bigint))
  order by bans.expires_at asc, bans.id asc;

-- counted
select count(*) as "count"
  from "bans"
  where "bans"."expires_at" > $1;
