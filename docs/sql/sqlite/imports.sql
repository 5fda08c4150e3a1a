-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"id",
"kind",
"name",
"blob_id" as "blobId",
"keeps_emails" as "keepsEmails",
"state",
"error",
"planned",
"made",
"undone",
"created_at" as "createdAt",
"api_key_id" as "apiKeyId",
"started_at" as "startedAt",
"finished_at" as "finishedAt",
"undone_at" as "undoneAt",
"attempts",
"replies",
"site"

-- without any filter
select [columns]
  from "import_runs"
  order by "id" asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "import_runs"
  order by "id" desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, descending
select [columns], "created_at" as "key0"
  from "import_runs"
  order by "created_at" desc, "id" desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by created_at, after a cursor
select [columns], "created_at" as "key0"
  from "import_runs"
  where ("created_at", "id") > (?, cast(? as bigint))
  order by "created_at" asc, "id" asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "import_runs";
