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
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.id asc;

-- with scope: below
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = ? and "entries"."app_id" = ? and entries.parent_type <> 'app' and (select tallies.is_hidden from tallies where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.id asc;

-- with trashed: null
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and (entries.held_at is null or entries.trashed_at is null) order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.id asc;

-- by id, descending
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.id desc;

-- by created_at, descending
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.created_at is not null order by entries.created_at desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.created_at is null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at is not null order by entries.created_at desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at is null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.created_at desc, entries.id desc;

-- by modified_at, descending
select [columns], entries.modified_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.modified_at is null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.modified_at is null order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.modified_at desc nulls last, entries.id desc;

-- by reaction_count, descending
select [columns], entries.reaction_count as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.reaction_count = 0 order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.reaction_count = 0 order by entries.id desc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.reaction_count desc, entries.id desc;

-- by created_at, after a cursor
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.created_at = ? and (entries.id) > (cast(? as bigint)) order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null and entries.created_at > ? order by entries.created_at asc, entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at = ? and (entries.id) > (cast(? as bigint)) order by entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" in (select value from json_each(?)) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at > ? order by entries.created_at asc, entries.id asc limit cast(? as bigint) + cast(? as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast(? as bigint) offset cast(? as bigint))
  order by entries.created_at asc, entries.id asc;

-- counted
select count(*) as "count"
  from "entries"
  where "entries"."kind" = ? and "entries"."parent_type" = ? and "entries"."parent_id" = ? and "entries"."trashed_at" is null;
