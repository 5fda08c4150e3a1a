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
      from ((select entries.id as "id" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null order by entries.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id asc;

-- with scope: below
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = $1 and "entries"."app_id" = $2 and entries.parent_type <> 'app' and (select tallies.is_hidden from tallies where tallies.parent_type = entries.parent_type and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind) <> 1 and "entries"."trashed_at" is null order by entries.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($5) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.id asc;

-- with trashed: null
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and (entries.held_at is null or entries.trashed_at is null) order by entries.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id asc;

-- by id, descending
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null order by entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id desc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" desc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id desc;

-- by created_at, descending
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.created_at is not null order by entries.created_at desc, entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $6 and "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."trashed_at" is null and entries.created_at is null order by entries.id desc limit cast($9 as bigint) + cast($10 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" = any($11) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at is not null order by entries.created_at desc, entries.id desc limit cast($12 as bigint) + cast($13 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" = any($14) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at is null order by entries.id desc limit cast($15 as bigint) + cast($16 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast($17 as bigint) offset cast($18 as bigint))
  order by entries.created_at desc, entries.id desc;

-- by modified_at, descending
select [columns], entries.modified_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."kind" = $6 and "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."trashed_at" is null and entries.modified_at is null order by entries.id desc limit cast($9 as bigint) + cast($10 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."id" = any($11) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.modified_at is not null order by entries.modified_at desc, entries.id desc limit cast($12 as bigint) + cast($13 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.modified_at as "sorted" from "entries" where "entries"."id" = any($14) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.modified_at is null order by entries.id desc limit cast($15 as bigint) + cast($16 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc nulls last, "ids"."id" desc
    limit cast($17 as bigint) offset cast($18 as bigint))
  order by entries.modified_at desc nulls last, entries.id desc;

-- by reaction_count, descending
select [columns], entries.reaction_count as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."kind" = $6 and "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."trashed_at" is null and entries.reaction_count = 0 order by entries.id desc limit cast($9 as bigint) + cast($10 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($11) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast($12 as bigint) + cast($13 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($14) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.reaction_count = 0 order by entries.id desc limit cast($15 as bigint) + cast($16 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast($17 as bigint) offset cast($18 as bigint))
  order by entries.reaction_count desc, entries.id desc;

-- by created_at, after a cursor
select [columns], entries.created_at as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null and entries.created_at = cast($4 as bigint) and (entries.id) > (cast($5 as bigint)) order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."kind" = $8 and "entries"."parent_type" = $9 and "entries"."parent_id" = $10 and "entries"."trashed_at" is null and entries.created_at > cast($11 as bigint) order by entries.created_at asc, entries.id asc limit cast($12 as bigint) + cast($13 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" = any($14) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at = cast($15 as bigint) and (entries.id) > (cast($16 as bigint)) order by entries.id asc limit cast($17 as bigint) + cast($18 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.created_at as "sorted" from "entries" where "entries"."id" = any($19) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and entries.created_at > cast($20 as bigint) order by entries.created_at asc, entries.id asc limit cast($21 as bigint) + cast($22 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($23 as bigint) offset cast($24 as bigint))
  order by entries.created_at asc, entries.id asc;

-- counted
select count(*) as "count"
  from "entries"
  where "entries"."kind" = $1 and "entries"."parent_type" = $2 and "entries"."parent_id" = $3 and "entries"."trashed_at" is null;
