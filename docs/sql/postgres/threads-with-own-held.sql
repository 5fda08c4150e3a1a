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
"entries"."modified_by_id" as "modifiedById",
"entries"."reply_to_id" as "replyToId",
"entries"."root_id" as "rootId",
"entries"."created_at" as "createdAt",
"entries"."trashed_at" as "trashedAt"

-- without any filter
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) order by entries.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($5) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.id asc;

-- with scope: open
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and entries.root_id is null and entries.kind <> 'post' and entries.kind <> 'message' and entries.resolved_at is null and entries.trashed_at is null order by entries.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($5) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.id asc;

-- with scope: resolved
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and entries.resolved_at is not null and entries.trashed_at is null order by entries.id asc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($5) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.id asc;

-- with scope: anchored
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."anchor_key" = $3 and "entries"."trashed_at" is null order by entries.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id asc;

-- with scope: anchored_open
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."anchor_key" = $3 and "entries"."trashed_at" is null and "entries"."resolved_at" is null order by entries.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id asc;

-- with scope: anchored_resolved
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."anchor_key" = $3 and "entries"."trashed_at" is null and "entries"."resolved_at" is not null order by entries.id asc limit cast($4 as bigint) + cast($5 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($6) and "entries"."held_at" is not null and "entries"."trashed_at" is not null order by entries.id asc limit cast($7 as bigint) + cast($8 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($9 as bigint) offset cast($10 as bigint))
  order by entries.id asc;

-- with scope: thread
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."root_id" = $1 and ("entries".trashed_at is null or "entries".reply_count > 0) order by entries.id asc limit cast($2 as bigint) + cast($3 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($4) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 order by entries.id asc limit cast($5 as bigint) + cast($6 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by entries.id asc;

-- with scope: replies
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."reply_to_id" = $1 and ("entries".trashed_at is null or "entries".reply_count > 0) order by entries.id asc limit cast($2 as bigint) + cast($3 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($4) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 order by entries.id asc limit cast($5 as bigint) + cast($6 as bigint))) as run) as "ids"
    order by "ids"."id" asc
    limit cast($7 as bigint) offset cast($8 as bigint))
  order by entries.id asc;

-- by id, descending
select [columns]
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) order by entries.id desc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id" from "entries" where "entries"."id" = any($5) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 order by entries.id desc limit cast($6 as bigint) + cast($7 as bigint))) as run) as "ids"
    order by "ids"."id" desc
    limit cast($8 as bigint) offset cast($9 as bigint))
  order by entries.id desc;

-- by reaction_count, descending
select [columns], entries.reaction_count as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast($3 as bigint) + cast($4 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."parent_type" = $5 and "entries"."parent_id" = $6 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) and entries.reaction_count = 0 order by entries.id desc limit cast($7 as bigint) + cast($8 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($9) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 and entries.reaction_count > 0 order by entries.reaction_count desc, entries.id desc limit cast($10 as bigint) + cast($11 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($12) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 and entries.reaction_count = 0 order by entries.id desc limit cast($13 as bigint) + cast($14 as bigint))) as run) as "ids"
    order by "ids"."sorted" desc, "ids"."id" desc
    limit cast($15 as bigint) offset cast($16 as bigint))
  order by entries.reaction_count desc, entries.id desc;

-- by reaction_count, after a cursor
select [columns], entries.reaction_count as "key0"
  from "entries"
  where "entries"."id" in (select "ids"."id"
    from (select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) and entries.reaction_count = cast($3 as bigint) and (entries.id) > (cast($4 as bigint)) and entries.reaction_count > 0 order by entries.id asc limit cast($5 as bigint) + cast($6 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."parent_type" = $7 and "entries"."parent_id" = $8 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0) and entries.reaction_count > cast($9 as bigint) and entries.reaction_count > 0 order by entries.reaction_count asc, entries.id asc limit cast($10 as bigint) + cast($11 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($12) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 and entries.reaction_count = cast($13 as bigint) and (entries.id) > (cast($14 as bigint)) and entries.reaction_count > 0 order by entries.id asc limit cast($15 as bigint) + cast($16 as bigint))) as run
      union all select *
      from ((select entries.id as "id", entries.reaction_count as "sorted" from "entries" where "entries"."id" = any($17) and "entries"."held_at" is not null and "entries"."trashed_at" is not null and "entries"."reply_count" = 0 and entries.reaction_count > cast($18 as bigint) and entries.reaction_count > 0 order by entries.reaction_count asc, entries.id asc limit cast($19 as bigint) + cast($20 as bigint))) as run) as "ids"
    order by "ids"."sorted" asc, "ids"."id" asc
    limit cast($21 as bigint) offset cast($22 as bigint))
  order by entries.reaction_count asc, entries.id asc;

-- counted
select count(*) as "count"
  from "entries"
  where "entries"."parent_type" = $1 and "entries"."parent_id" = $2 and "entries"."root_id" is null and entries.kind <> 'post' and entries.kind <> 'message' and ("entries".trashed_at is null or "entries".reply_count > 0);
