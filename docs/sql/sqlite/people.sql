-- Made by `npm run generate` from the declaration of this list.

-- [columns]
"users"."id",
"users"."uid",
"users"."display_name" as "displayName",
"users"."email",
"users"."given_name" as "givenName",
"users"."middle_name" as "middleName",
"users"."family_name" as "familyName",
"users"."name",
"users"."nickname",
"users"."phone_number" as "phoneNumber",
"users"."comment",
"users"."directory_id" as "directoryId",
"users"."picture_id" as "pictureId",
"users"."picture_url" as "pictureUrl",
"users"."metadata",
"users"."tags",
"users"."created_at" as "createdAt",
"users"."modified_at" as "modifiedAt",
"users"."role",
"users"."is_bot" as "isBot",
"users"."is_active" as "isActive",
"users"."suspended_at" as "suspendedAt",
"users"."trashed_at" as "trashedAt",
"users"."way",
"users"."is_trusted" as "isTrusted",
"members"."access" as "memberAccess",
coalesce(members.role, (select 'manager' from apps where apps.id = members.app_id and apps.created_by_id = members.user_id)) as "memberRole",
"members"."marked_id" as "markedId",
"members"."marked_at" as "markedAt",
"members"."delivered_at" as "deliveredAt"

-- without any filter
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with member: false
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and "members"."user_id" is null and users.id <> 1
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with member: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and "members"."user_id" is not null
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with agent: false
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."is_bot" = 0
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with agent: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."is_bot" = 1
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with isOfOthers: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."id" <> ?
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with hasQuestion: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."id" in (select rowid
    from "user_search"
    where "user_search" match (select group_concat(case when isBeginning then coalesce((with recursive spelled (term) as ( select (select term from "user_search_terms" where term >= asked.word limit 1) union all select (select term from "user_search_terms" where term >= spelled.term || char(1) limit 1) from spelled where spelled.term < asked.word || char(1114111) limit 130) select case when count(*) <= 128 then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end from spelled where term < asked.word || char(1114111)), value) else value end, ' AND ')
      from (select value, isBeginning, head, substr(inside, length(head) + 1) as word from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside from json_each(?)))) as asked))
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with visibility: all
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or (users.id <> 1 and users.suspended_at is null and users.trashed_at is null and (users.id = ? or coalesce(users.directory_id, 0) = ? or exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = ? and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id and common.by_key = 1))))
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- with visibility: shared
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or (users.id <> 1 and users.suspended_at is null and users.trashed_at is null and (users.id = ? or (coalesce(users.directory_id, 0) = ? and exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = ? and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id)) or exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = ? and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id and common.by_key = 1))))
  order by users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- by id, descending
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by uid, descending
select [columns], users.uid as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.uid desc, users.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by name, descending
select [columns], users.name_key as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.name_key desc, users.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.display_name_key desc, users.id desc
  limit cast(? as bigint) offset cast(? as bigint);

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and (users.uid, users.id) > (cast(? as text), cast(? as bigint))
  order by users.uid asc, users.id asc
  limit cast(? as bigint) offset cast(? as bigint);

-- counted
select count(*) as "count"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = ?
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1);
