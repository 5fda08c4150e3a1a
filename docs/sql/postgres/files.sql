-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"files"."id",
"files"."app_id" as "appId",
"files"."parent_type" as "parentType",
"files"."parent_id" as "parentId",
"files"."blob_id" as "blobId",
"files"."version",
"files"."name",
"files"."metadata",
"files"."tags",
"files"."created_at" as "createdAt",
"files"."created_by_id" as "createdById",
"files"."modified_at" as "modifiedAt",
"files"."modified_by_id" as "modifiedById",
"files"."trashed_at" as "trashedAt",
"files"."trashed_by_id" as "trashedById",
"files"."held_at" as "heldAt",
"files"."held_reason" as "heldReason",
"files"."is_unannounced" as "isUnannounced",
"files"."locked_at" as "lockedAt",
case files.parent_type when 'post' then (select above.locked_at from entries as above where above.id = files.parent_id) end as "parentLockedAt",
"blobs"."key" as "blobKey",
"blobs"."media_type" as "mediaType",
"blobs"."width",
"blobs"."height",
"blobs"."size",
"blobs"."provider",
"blobs"."link",
"blobs"."download",
"blobs"."embed",
"blobs"."raw",
coalesce((select live from tallies where parent_type = 'file' and parent_id = files.id and kind = 'comment'), 0) as "commentCount",
exists (select 1 from subscriptions where entity_type = 'file' and entity_id = files.id and subscriptions.user_id = $1) as "isSubscribed"

-- without any filter
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by files.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.id asc;

-- with scope: visible
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and exists (select 1
      from apps
      where apps.id = files.app_id and apps.trashed_at is null) and "files"."app_id" in ( select app_id
      from members
      where user_id = $2 and access <> 'none'
      union all select id
      from apps as open_apps
      where access <> 'none' and (directory_id is null or directory_id = $3) and not exists (select 1 from members where app_id = open_apps.id and user_id = $4))
    order by files.id asc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by files.id asc;

-- with scope: visible, among the first rows of all users
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from ((select files.id as "id" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null order by files.id asc limit 1000)) as "ids"
    where (select (select coalesce( (select members.access <> 'none' from members where members.app_id = "its_app"."id" and members.user_id = $2), "its_app"."access" <> 'none' and ("its_app"."directory_id" is null or "its_app"."directory_id" = $3)) from apps as its_app where its_app.id = "files"."app_id" and its_app.trashed_at is null)
      from files
      where files.id = "ids"."id")
    order by "ids"."id" asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by files.id asc;

-- with scope: all
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and exists (select 1
      from apps
      where apps.id = files.app_id and apps.trashed_at is null)
    order by files.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by files.id asc;

-- with trashed: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is not null and (files.held_at is null or files.trashed_at is null) and "files"."app_id" = $2
    order by files.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.id asc;

-- with trashed: null
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and (files.held_at is null or files.trashed_at is null) and "files"."app_id" = $2
    order by files.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.id asc;

-- with hasQuestion: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."id" in (select rowid
      from "file_search"
      where ("file_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($2 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($3 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "file_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))) and "files"."app_id" = $4
    order by files.id asc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by files.id asc;

-- with hasTag: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."id" in (select "file_id"
      from "file_tags"
      where tag = $2 ) and "files"."app_id" = $3
    order by files.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by files.id asc;

-- by id, descending
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by files.id desc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.id desc;

-- by name, descending
select [columns], files.name_key as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by files.name_key desc, files.id desc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.name_key desc, files.id desc;

-- by size, descending
select [columns], (select size
    from blobs
    where blobs.id = files.blob_id) as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by (select size
      from blobs
      where blobs.id = files.blob_id) desc, files.id desc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by (select size
    from blobs
    where blobs.id = files.blob_id) desc, files.id desc;

-- by created_at, descending
select [columns], files.created_at as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by files.created_at desc, files.id desc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by files.created_at desc, files.id desc;

-- by modified_at, descending
select [columns], files.modified_at as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from (select *
      from ((select files.id as "id", files.modified_at as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2 and files.modified_at is not null order by files.modified_at desc, files.id desc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select files.id as "id", files.modified_at as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $5 and files.modified_at is null order by files.id desc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by files.modified_at desc nulls last, files.id desc;

-- by timestamp, descending
select [columns], coalesce(files.modified_at, files.created_at) as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2
    order by coalesce(files.modified_at, files.created_at) desc, files.id desc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by coalesce(files.modified_at, files.created_at) desc, files.id desc;

-- by name, after a cursor
select [columns], files.name_key as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from (select *
      from ((select files.id as "id", files.name_key as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $2 and files.name_key = cast($3 as text) and (files.id) > (cast($4 as bigint)) order by files.id asc limit cast($5 as bigint) + cast($6 as bigint))) as run
      union all select *
      from ((select files.id as "id", files.name_key as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $7 and files.name_key > cast($8 as text) order by files.name_key asc, files.id asc limit cast($9 as bigint) + cast($10 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($11 as bigint) offset cast($12 as bigint))
  order by files.name_key asc, files.id asc;

-- counted
select count(*) as "count"
  from "files"
  where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = $1;
