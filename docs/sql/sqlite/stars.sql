-- Made by `npm run generate` from the declaration of this list.

-- as it is without any filter
select "stars"."app_id" as "id"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
  from apps as read_app
  left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
  where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end)
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select "stars"."app_id" as "id"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
  from apps as read_app
  left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
  where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end) and "stars"."app_id" in (select rowid
  from "app_search"
  where "app_search" match ?)
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasTag: true
select "stars"."app_id" as "id"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
  from apps as read_app
  left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
  where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end) and "stars"."app_id" in (select "app_id"
  from "app_tags"
  where tag = ?)
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select "stars"."app_id" as "id"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
  from apps as read_app
  left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
  where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end)
  order by stars.app_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
  from apps as read_app
  left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
  where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end);
