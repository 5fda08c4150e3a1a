-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"webhooks"."id",
"webhooks"."payload_url" as "payloadUrl",
"webhooks"."is_enabled" as "isEnabled",
"webhooks"."is_ordered" as "isOrdered",
"webhooks"."breaker_opened_at" as "breakerOpenedAt",
"webhooks"."breaker_reason" as "breakerReason",
"webhooks"."probe_at" as "probeAt",
(select json_group_array(value) from (select "trigger" as value from webhook_triggers where webhook_id = webhooks.id order by "position")) as "triggers"

-- without any filter
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.id asc;

-- with hasQuestion: true
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null and "webhooks"."id" in (select rowid
      from "webhook_search"
      where "webhook_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "webhook_search_terms" where term >= asked.word limit 1) union all select (select term from "webhook_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
    order by webhooks.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.id asc;

-- by id, descending
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.id desc;

-- by payload_url, descending
select [columns], webhooks.payload_url as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.payload_url desc, webhooks.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.payload_url desc, webhooks.id desc;

-- by is_enabled, descending
select [columns], webhooks.is_enabled as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.is_enabled desc, webhooks.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.is_enabled desc, webhooks.id desc;

-- by created_at, descending
select [columns], webhooks.created_at as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.created_at desc, webhooks.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.created_at desc, webhooks.id desc;

-- by modified_at, descending
select [columns], webhooks.modified_at as "key0"
  from "webhooks"
  where "webhooks"."id" in (select "ids"."id"
    from (select *
      from ((select webhooks.id as "id", webhooks.modified_at as "sorted" from "webhooks" where "deleted_at" is null and webhooks.modified_at is not null order by webhooks.modified_at desc, webhooks.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select webhooks.id as "id", webhooks.modified_at as "sorted" from "webhooks" where "deleted_at" is null and webhooks.modified_at is null order by webhooks.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.modified_at desc nulls last, webhooks.id desc;

-- by payload_url, after a cursor
select [columns], webhooks.payload_url as "key0"
  from "webhooks"
  where "webhooks"."id" in (select "ids"."id"
    from (select *
      from ((select webhooks.id as "id", webhooks.payload_url as "sorted" from "webhooks" where "deleted_at" is null and webhooks.payload_url = cast(? as text) and (webhooks.id) > (cast(? as bigint)) order by webhooks.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select webhooks.id as "id", webhooks.payload_url as "sorted" from "webhooks" where "deleted_at" is null and webhooks.payload_url > cast(? as text) order by webhooks.payload_url asc, webhooks.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by webhooks.payload_url asc, webhooks.id asc;

-- counted
select count(*) as "count"
  from "webhooks"
  where "deleted_at" is null;
