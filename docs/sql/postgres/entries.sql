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
-- with scope: app
-- with kind: post
-- with kind: message
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id asc;

-- with scope: below
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."app_id" = $2 and entries.parent_type <> 'app' and (select tallies.is_hidden
      from tallies
      where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by entries.id asc;

-- with scope: visible
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from (select *
      from "entries"
      where "entries"."app_id" = any(array(select apps.id from apps where apps.trashed_at is null and "apps"."id" in ( select app_id from members where user_id = $1 and access <> 'none' union all select id from apps as open_apps where access <> 'none' and (directory_id is null or directory_id = $2) and not exists (select 1 from members where app_id = open_apps.id and user_id = $3)))) and kind = 'comment' offset 0) as "entries"
    where "entries"."kind" = 'comment' and true and (select tallies.is_hidden
      from tallies
      where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id asc;

-- with scope: visible, among the first rows of all users
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from ((select entries.id as "id" from "entries" where "entries"."kind" = 'comment' and "entries"."trashed_at" is null order by entries.id asc limit 1000)) as "ids"
    where (select (select coalesce( (select members.access <> 'none' from members where members.app_id = "its_app"."id" and members.user_id = $1), "its_app"."access" <> 'none' and ("its_app"."directory_id" is null or "its_app"."directory_id" = $2)) from apps as its_app where its_app.id = "entries"."app_id" and its_app.trashed_at is null) and (select tallies.is_hidden from tallies where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1
      from entries
      where entries.id = "ids"."id")
    order by "ids"."id" asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by entries.id asc;

-- with scope: all
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."app_id" in (select "apps"."id"
      from "apps"
      where "apps"."trashed_at" is null) and (select tallies.is_hidden
      from tallies
      where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($2 as bigint) offset cast($3 as bigint))
  order by entries.id asc;

-- with scope: apps
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."app_id" = any($2) and (select tallies.is_hidden
      from tallies
      where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($3 as bigint) offset cast($4 as bigint))
  order by entries.id asc;

-- with trashed: true
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is not null and (entries.held_at is null or entries.trashed_at is null)
    order by entries.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id asc;

-- with trashed: null
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and (entries.held_at is null or entries.trashed_at is null)
    order by entries.id asc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id asc;

-- with search: index
select [columns]
  from "entries"
  where "entries"."id" in (select entry_search.rowid as "id"
    from "entry_search" cross join "entries"
    where entries.id = entry_search.rowid and ("entry_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($1 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($2 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "entry_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)) and "entries"."kind" = $3 and "entries"."parent_type" = $4 and "entries"."parent_id" = $5 and "entries"."trashed_at" is null
    order by entry_search.rowid asc
    limit cast($6 as bigint) offset cast($7 as bigint))
  order by entries.id asc;

-- with search: few
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entry_search" cross join "entries"
    where entries.id = entry_search.rowid and "entry_search"."rowid" = any(array(select rowid from "entry_search" where ("entry_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($1 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($2 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "entry_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))) and "entries"."kind" = $3 and "entries"."parent_type" = $4 and "entries"."parent_id" = $5 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($6 as bigint) offset cast($7 as bigint))
  order by entries.id asc;

-- with search: texts
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and not exists (select 1
      from unnest(cast($4 as text[])) as needle (value)
      where strpos((select ' ' || words || ' ' from entry_search where entry_search.rowid = entries.id), value) = 0)
    order by entries.id asc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by entries.id asc;

-- with hasTag: true
select [columns]
  from "entries"
  where "entries"."id" in (select entry_tags.entry_id as "id"
    from "entry_tags" cross join "entries"
    where entries.id = entry_tags.entry_id and "entry_tags"."tag" = $1 and "entry_tags"."app_id" = $2 and "entries"."kind" = $3 and "entries"."parent_type" = $4 and "entries"."parent_id" = $5 and "entries"."trashed_at" is null
    order by entry_tags.entry_id asc
    limit cast($6 as bigint) offset cast($7 as bigint))
  order by entries.id asc;

-- with hasAuthor: true
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."created_by_id" = $1 and "entries"."kind" = $2 and "entries"."parent_type" = $3 and "entries"."parent_id" = $4 and "entries"."trashed_at" is null
    order by entries.id asc
    limit cast($5 as bigint) offset cast($6 as bigint))
  order by entries.id asc;

-- by id, descending
select [columns]
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null
    order by entries.id desc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.id desc;

-- by created_at, descending
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select entries.id as "id"
    from "entries"
    where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null
    order by entries.created_at desc, entries.id desc
    limit cast($4 as bigint) offset cast($5 as bigint))
  order by entries.created_at desc, entries.id desc;

-- by modified_at, descending
select [columns], entries.modified_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = $6 and "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."trashed_at" is null and entries.modified_at is null order by entries.id desc limit cast($9 as bigint) + cast($10 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($11 as bigint) offset cast($12 as bigint))
  order by entries.modified_at desc nulls last, entries.id desc;

-- by reaction_count, descending
select [columns], entries.reaction_count as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = $6 and "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."trashed_at" is null and entries.reaction_count = 0 order by entries.id desc limit cast($9 as bigint) + cast($10 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast($11 as bigint) offset cast($12 as bigint))
  order by entries.reaction_count desc, entries.id desc;

-- by created_at, after a cursor
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.created_at = cast($4 as bigint) and (entries.id) > (cast($5 as bigint)) order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $8 and "entries"."parent_type" = $9 and "entries"."parent_id" = $10 and "entries"."trashed_at" is null and entries.created_at > cast($11 as bigint) order by entries.created_at asc, entries.id asc limit cast($12 as bigint) + cast($13 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($14 as bigint) offset cast($15 as bigint))
  order by entries.created_at asc, entries.id asc;

-- counted
select count(*) as "count"
  from "entries"
  where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null;
