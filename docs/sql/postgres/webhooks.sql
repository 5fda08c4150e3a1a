-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"webhooks"."id",
"webhooks"."payload_url" as "payloadUrl",
"webhooks"."is_enabled" as "isEnabled",
"webhooks"."is_ordered" as "isOrdered",
"webhooks"."breaker_opened_at" as "breakerOpenedAt",
"webhooks"."breaker_reason" as "breakerReason",
"webhooks"."probe_at" as "probeAt",
(select '[' || coalesce(string_agg(cast(to_json("trigger") as text), ',' order by "position"), '') || ']' from webhook_triggers where webhook_id = webhooks.id) as "triggers"

-- without any filter
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.id asc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by webhooks.id asc;

-- with hasQuestion: true
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null and "webhooks"."id" in (select rowid
      from "webhook_search"
      where ("webhook_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($1 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($2 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "webhook_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
    order by webhooks.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by webhooks.id asc;

-- by id, descending
select [columns]
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by webhooks.id desc;

-- by payload_url, descending
select [columns], webhooks.payload_url as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.payload_url desc, webhooks.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by webhooks.payload_url desc, webhooks.id desc;

-- by is_enabled, descending
select [columns], webhooks.is_enabled as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.is_enabled desc, webhooks.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by webhooks.is_enabled desc, webhooks.id desc;

-- by created_at, descending
select [columns], webhooks.created_at as "key0"
  from "webhooks"
  where "webhooks"."id" in (select webhooks.id as "id"
    from "webhooks"
    where "deleted_at" is null
    order by webhooks.created_at desc, webhooks.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by webhooks.created_at desc, webhooks.id desc;

-- by modified_at, descending
select [columns], webhooks.modified_at as "key0"
  from "webhooks"
  where "webhooks"."id" in (select "ids"."id"
    from (select *
      from ((select webhooks.id as "id", webhooks.modified_at as "sorted" from "webhooks" where "deleted_at" is null and webhooks.modified_at is not null order by webhooks.modified_at desc, webhooks.id desc limit cast($1 as bigint) + cast($2 as bigint))) as run
      union all select *
      from ((select webhooks.id as "id", webhooks.modified_at as "sorted" from "webhooks" where "deleted_at" is null and webhooks.modified_at is null order by webhooks.id desc limit cast($3 as bigint) + cast($4 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by webhooks.modified_at desc nulls last, webhooks.id desc;

-- by payload_url, after a cursor
select [columns], webhooks.payload_url as "key0"
  from "webhooks"
  where "webhooks"."id" in (select "ids"."id"
    from (select *
      from ((select webhooks.id as "id", webhooks.payload_url as "sorted" from "webhooks" where "deleted_at" is null and webhooks.payload_url = cast($1 as text) and (webhooks.id) > (cast($2 as bigint)) order by webhooks.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select webhooks.id as "id", webhooks.payload_url as "sorted" from "webhooks" where "deleted_at" is null and webhooks.payload_url > cast($5 as text) order by webhooks.payload_url asc, webhooks.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by webhooks.payload_url asc, webhooks.id asc;

-- counted
select count(*) as "count"
  from "webhooks"
  where "deleted_at" is null;
