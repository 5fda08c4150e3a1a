-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"agents"."user_id" as "id",
"agents"."base_url" as "baseUrl",
"agents"."model",
"agents"."instructions",
"agents"."max_tokens" as "maxTokens",
"agents"."secret"

-- without any filter
select [columns]
  from "agents"
  inner join "users" on "users"."id" = "agents"."user_id"
  where "users"."trashed_at" is null
  order by agents.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "agents"
  inner join "users" on "users"."id" = "agents"."user_id"
  where "users"."trashed_at" is null
  order by agents.user_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, after a cursor
select [columns]
  from "agents"
  inner join "users" on "users"."id" = "agents"."user_id"
  where "users"."trashed_at" is null and (agents.user_id) > (cast(? as bigint))
  order by agents.user_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "agents"
  inner join "users" on "users"."id" = "agents"."user_id"
  where "users"."trashed_at" is null;
