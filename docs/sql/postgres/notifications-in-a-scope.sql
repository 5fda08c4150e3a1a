-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"notifications"."id",
"notifications"."event_id" as "eventId",
"notifications"."user_id" as "userId",
"notifications"."action",
"notifications"."actor_id" as "actorId",
"notifications"."app_id" as "appId",
"notifications"."link_type" as "linkType",
"notifications"."link_id" as "linkId",
"notifications"."template",
"notifications"."args",
"notifications"."created_at" as "createdAt",
"notifications"."read_at" as "readAt",
(notifications.link_id = 0 or case "notifications"."reason" when 'held' then case "notifications"."link_type" when 'file' then exists ( select 1 from files where files.id = "notifications"."link_id" and files.held_at is not null and files.trashed_at is not null) else exists ( select 1 from entries where entries.id = "notifications"."link_id" and entries.kind = "notifications"."link_type" and entries.held_at is not null and entries.trashed_at is not null) end else case "notifications"."link_type" when 'file' then exists ( select 1 from files where files.id = "notifications"."link_id" and files.trashed_at is null and (files.parent_type = 'app' or exists ( select 1 from entries join tallies on tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind where entries.id = files.parent_id and entries.kind = files.parent_type and entries.trashed_at is null and tallies.is_hidden = 0))) else exists ( select 1 from entries join tallies on tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind where entries.id = "notifications"."link_id" and entries.kind = "notifications"."link_type" and entries.trashed_at is null and tallies.is_hidden = 0) end end and exists ( select 1 from apps as read_app left join members as reader on reader.app_id = read_app.id and reader.user_id = "notifications"."user_id" where read_app.id = "notifications"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = "users"."directory_id") end and ("users"."way" is null or read_app.visitors is not null and read_app.directory_id is null))) as "isShown"

-- without any filter
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end
  order by notifications.id asc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- with unread: true
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and "notifications"."read_at" is null and "notifications"."id" > 0
  order by notifications.id asc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- with unread: false
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and "notifications"."read_at" is not null
  order by notifications.id asc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- with scope: app
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and "notifications"."app_id" = $6
  order by notifications.id asc
  limit cast($7 as bigint) offset cast($8 as bigint);

-- with scope: directory
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and exists (select 1
    from apps as scoped
    where scoped.id = "notifications"."app_id" and scoped.directory_id = $6)
  order by notifications.id asc
  limit cast($7 as bigint) offset cast($8 as bigint);

-- with leading: type
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and (case notifications.reason when 'mention' then 'mention' when 'reaction' then 'reaction' else 'activity' end) = $4
  order by notifications.id asc
  limit cast($5 as bigint) offset cast($6 as bigint);

-- with leading: action
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and notifications.action = $2 and case $3 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $4 end
  order by notifications.id asc
  limit cast($5 as bigint) offset cast($6 as bigint);

-- with hasTag: true
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and "notifications"."tags" is not null and exists (select 1
    from unnest(cast($6 as text[])) as needle (value)
    where strpos(notifications.tags, value) > 0)
  order by notifications.id asc
  limit cast($7 as bigint) offset cast($8 as bigint);

-- with hasQuestion: true
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and not exists (select 1
    from unnest(cast($6 as text[])) as needle (value)
    where strpos(notifications.words, value) = 0) and (notifications.link_id = 0 or case "notifications"."reason" when 'held' then case "notifications"."link_type" when 'file' then exists ( select 1
      from files
      where files.id = "notifications"."link_id" and files.held_at is not null and files.trashed_at is not null) else exists ( select 1
      from entries
      where entries.id = "notifications"."link_id" and entries.kind = "notifications"."link_type" and entries.held_at is not null and entries.trashed_at is not null) end else case "notifications"."link_type" when 'file' then exists ( select 1
      from files
      where files.id = "notifications"."link_id" and files.trashed_at is null and (files.parent_type = 'app' or exists ( select 1 from entries join tallies on tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind where entries.id = files.parent_id and entries.kind = files.parent_type and entries.trashed_at is null and tallies.is_hidden = 0))) else exists ( select 1
      from entries join tallies on tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind
      where entries.id = "notifications"."link_id" and entries.kind = "notifications"."link_type" and entries.trashed_at is null and tallies.is_hidden = 0) end end and exists ( select 1
      from apps as read_app
      left join members as reader on reader.app_id = read_app.id and reader.user_id = "notifications"."user_id"
      where read_app.id = "notifications"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = "users"."directory_id") end and ("users"."way" is null or read_app.visitors is not null and read_app.directory_id is null)))
  order by notifications.id asc
  limit cast($7 as bigint) offset cast($8 as bigint);

-- by id, descending
select [columns]
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end
  order by notifications.id desc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- by created_at, descending
select [columns], notifications.created_at as "key0"
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end
  order by notifications.created_at desc, notifications.id desc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- by created_at, after a cursor
select [columns], notifications.created_at as "key0"
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end and (notifications.created_at, notifications.id) > (cast($6 as bigint), cast($7 as bigint))
  order by notifications.created_at asc, notifications.id asc
  limit cast($8 as bigint) offset cast($9 as bigint);

-- counted
select count(*) as "count"
  from "notifications"
  inner join "users" on "users"."id" = "notifications"."user_id"
  where "notifications"."user_id" = $1 and ($2 = '' or notifications.action = $3) and case $4 when '' then true when 'activity' then notifications.reason not in ('mention', 'reaction') else notifications.reason = $5 end;
