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
exists (select 1 from subscriptions where entity_type = 'file' and entity_id = files.id and subscriptions.user_id = ?) as "isSubscribed"

-- without any filter
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
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
      where user_id = ? and access <> 'none'
      union all select id
      from apps as open_apps
      where access <> 'none' and (directory_id is null or directory_id = ?) and not exists (select 1 from members where app_id = open_apps.id and user_id = ?))
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- with scope: visible, among the first rows of all users
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from ((select files.id as "id" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null order by files.id asc limit 1000)) as "ids"
    where (select (select coalesce( (select members.access <> 'none' from members where members.app_id = "its_app"."id" and members.user_id = ?), "its_app"."access" <> 'none' and ("its_app"."directory_id" is null or "its_app"."directory_id" = ?)) from apps as its_app where its_app.id = "files"."app_id" and its_app.trashed_at is null)
      from files
      where files.id = "ids"."id")
    order by "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
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
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- with trashed: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is not null and (files.held_at is null or files.trashed_at is null) and "files"."app_id" = ?
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- with trashed: null
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and (files.held_at is null or files.trashed_at is null) and "files"."app_id" = ?
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- with hasQuestion: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."id" in (select rowid
      from "file_search"
      where "file_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "file_search_terms" where term >= asked.word limit 1) union all select (select term from "file_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ') from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked)) and "files"."app_id" = ?
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- with hasTag: true
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."id" in (select "file_id"
      from "file_tags"
      where tag = ? ) and "files"."app_id" = ?
    order by files.id asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id asc;

-- by id, descending
select [columns]
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by files.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.id desc;

-- by name, descending
select [columns], files.name_key as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by files.name_key desc, files.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.name_key desc, files.id desc;

-- by size, descending
select [columns], (select size
    from blobs
    where blobs.id = files.blob_id) as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by (select size
      from blobs
      where blobs.id = files.blob_id) desc, files.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by (select size
    from blobs
    where blobs.id = files.blob_id) desc, files.id desc;

-- by created_at, descending
select [columns], files.created_at as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by files.created_at desc, files.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.created_at desc, files.id desc;

-- by modified_at, descending
select [columns], files.modified_at as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from (select *
      from ((select files.id as "id", files.modified_at as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ? and files.modified_at is not null order by files.modified_at desc, files.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select files.id as "id", files.modified_at as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ? and files.modified_at is null order by files.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.modified_at desc nulls last, files.id desc;

-- by timestamp, descending
select [columns], coalesce(files.modified_at, files.created_at) as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select files.id as "id"
    from "files"
    where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?
    order by coalesce(files.modified_at, files.created_at) desc, files.id desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by coalesce(files.modified_at, files.created_at) desc, files.id desc;

-- by name, after a cursor
select [columns], files.name_key as "key0"
  from "files"
  inner join "blobs" on "blobs"."id" = "files"."blob_id"
  where "files"."id" in (select "ids"."id"
    from (select *
      from ((select files.id as "id", files.name_key as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ? and files.name_key = cast(? as text) and (files.id) > (cast(? as bigint)) order by files.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select files.id as "id", files.name_key as "sorted" from "files" where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ? and files.name_key > cast(? as text) order by files.name_key asc, files.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by files.name_key asc, files.id asc;

-- counted
select count(*) as "count"
  from "files"
  where files.parent_type = 'app' and "files"."trashed_at" is null and "files"."app_id" = ?;
