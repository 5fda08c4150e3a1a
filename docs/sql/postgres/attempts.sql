-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"number",
"started_at" as "startedAt",
"duration_us" as "durationUs",
"status_code" as "statusCode",
"error",
"request_url" as "requestUrl",
"request_headers" as "requestHeaders",
"response_headers" as "responseHeaders",
"response_body" as "responseBody",
"is_truncated" as "isTruncated",
"number" as "id"

-- without any filter
select [columns]
  from "attempts"
  where "delivery_id" = $1
  order by number asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by number, descending
select [columns]
  from "attempts"
  where "delivery_id" = $1
  order by number desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by number, after a cursor
select [columns]
  from "attempts"
  where "delivery_id" = $1 and (number) > (cast($2 as bigint))
  order by number asc
  limit cast($3 as bigint) offset cast($4 as bigint);

-- counted
select count(*) as "count"
  from "attempts"
  where "delivery_id" = $1;
