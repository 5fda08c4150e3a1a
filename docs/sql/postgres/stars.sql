-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"stars"."app_id" as "id"

-- without any filter
select [columns]
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end )
  order by stars.app_id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- with hasQuestion: true
select [columns]
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end ) and "stars"."app_id" in (select rowid
    from "app_search"
    where ("app_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($4 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($5 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "app_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  order by stars.app_id asc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- with hasTag: true
select [columns]
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end ) and "stars"."app_id" in (select "app_id"
    from "app_tags"
    where tag = $4 )
  order by stars.app_id asc
  limit cast($5 as bigint) offset cast($6 as bigint);

-- by id, descending
select [columns]
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end )
  order by stars.app_id desc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- by id, after a cursor
select [columns]
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end ) and (stars.app_id) > (cast($4 as bigint))
  order by stars.app_id asc
  limit cast($5 as bigint) offset cast($6 as bigint);

-- counted
select count(*) as "count"
  from "stars"
  where "stars"."user_id" = $1 and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = $2
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = $3) end );
