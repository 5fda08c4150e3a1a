-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"stars"."app_id" as "id"

-- without any filter
select [columns]
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end )
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select [columns]
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end ) and "stars"."app_id" in (select rowid
    from "app_search"
    where "app_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "app_search_terms" where term >= asked.word limit 1) union all select (select term from "app_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ')
      from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasTag: true
select [columns]
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end ) and "stars"."app_id" in (select "app_id"
    from "app_tags"
    where tag = ? )
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end )
  order by stars.app_id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, after a cursor
select [columns]
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end ) and (stars.app_id) > (cast(? as bigint))
  order by stars.app_id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "stars"
  where "stars"."user_id" = ? and exists ( select 1
    from apps as read_app
    left join members as reader on reader.app_id = read_app.id and reader.user_id = ?
    where read_app.id = "stars"."app_id" and read_app.trashed_at is null and read_app.deleted_at is null and case when reader.access is not null then reader.access <> 'none' else read_app.access <> 'none' and (read_app.directory_id is null or read_app.directory_id = ?) end );
