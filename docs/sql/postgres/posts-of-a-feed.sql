-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"entries"."id",
case when octet_length("entries"."content") <= 41943 then "entries"."content" end as "content",
octet_length("entries"."content") as "bytes",
"entries"."app_id" as "appId",
"entries"."parent_type" as "parentType",
"entries"."parent_id" as "parentId",
"entries"."attachment_count" as "attachmentCount",
"entries"."option_count" as "optionCount",
"entries"."reaction_count" as "reactionCount",
"entries"."reply_count" as "replyCount",
"entries"."anchor",
"entries"."embed_id" as "embedId",
"entries"."meeting_id" as "meetingId",
"entries"."created_by_id" as "createdById",
"entries"."modified_at" as "modifiedAt",
"entries"."modified_by_id" as "modifiedById"

-- without any filter
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entries.id asc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by entries.id asc;

-- with apps: visible
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is null and ("entries"."app_id" in (select apps.id from apps where apps.trashed_at is null and apps.id in ( select app_id from members where user_id = $1 and access <> 'none' union all select id from apps as open_apps where access <> 'none' and (directory_id is null or directory_id = $2) and not exists (select 1 from members where app_id = open_apps.id and user_id = $3)))) is true
    order by entries.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id asc;

-- with apps: given
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from (select 0 as value) as "given" cross join "entries"
    where "entries"."parent_type" = 'app' and "entries"."parent_id" = any($1) and "entries"."kind" = 'post' and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with apps: given, among the first rows of all users
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from ((select entries.id as "id" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null order by entries.id asc limit 1000)) as "ids"
    where (select "entries"."app_id" = any($1)
      from entries
      where entries.id = "ids"."id")
    order by "ids"."id" asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with isFollowed: true
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where coalesce(entries.kind, '') = 'post' and coalesce(entries.trashed_at, 0) = 0 and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null) and "entries"."created_by_id" = any(array(select follows.followed_id from follows where follows.user_id = $1))
    order by entries.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with isFollowed: true, among the first rows of all users
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from ((select entries.id as "id" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null order by entries.id asc limit 1000)) as "ids"
    where (select exists (select 1 from follows where follows.user_id = $1 and follows.followed_id = entries.created_by_id) and exists (select 1 from apps where apps.id = entries.app_id and apps.trashed_at is null)
      from entries
      where entries.id = "ids"."id")
    order by "ids"."id" asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with isNewer: true
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null) and "entries"."id" > $1
    order by entries.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with trashed: true
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is not null and (entries.held_at is null or entries.trashed_at is null) and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entries.id asc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by entries.id asc;

-- with trashed: null
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and (entries.held_at is null or entries.trashed_at is null) and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entries.id asc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by entries.id asc;

-- with hasQuestion: true
select [columns]
  from "entries"
  where "entries"."id" in (select entry_search.rowid as "id"
    from "entry_search" cross join "entries"
    where entries.id = entry_search.rowid and ("entry_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($1 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($2 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "entry_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)) and "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entry_search.rowid asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by entries.id asc;

-- with hasTag: true
select [columns]
  from "entries"
  where "entries"."id" in (select entry_tags.entry_id as "id"
    from "entry_tags" cross join "entries"
    where entries.id = entry_tags.entry_id and "entry_tags"."tag" = $1 and "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entry_tags.entry_id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- by id, descending
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entries.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by entries.id desc;

-- by created_at, descending
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
      from apps
      where apps.trashed_at is null)
    order by entries.created_at desc, entries.id desc
    limit cast($1 as bigint) offset cast($2 as bigint))
  order by entries.created_at desc, entries.id desc;

-- by modified_at, descending
select [columns], entries.modified_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id from apps where apps.trashed_at is null) and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast($1 as bigint) + cast($2 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id from apps where apps.trashed_at is null) and entries.modified_at is null order by entries.id desc limit cast($3 as bigint) + cast($4 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by entries.modified_at desc nulls last, entries.id desc;

-- by created_at, after a cursor
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id from apps where apps.trashed_at is null) and entries.created_at = cast($1 as bigint) and (entries.id) > (cast($2 as bigint)) order by entries.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id from apps where apps.trashed_at is null) and entries.created_at > cast($5 as bigint) order by entries.created_at asc, entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.created_at asc, entries.id asc;

-- counted
select count(*) as "count"
  from "entries"
  where "entries"."kind" = 'post' and "entries"."trashed_at" is null and "entries"."app_id" in (select apps.id
    from apps
    where apps.trashed_at is null);
