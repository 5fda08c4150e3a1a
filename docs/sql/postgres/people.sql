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
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with member: false
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and "members"."user_id" is null and users.id <> 1
  order by users.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with member: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and "members"."user_id" is not null
  order by users.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with agent: false
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."is_bot" = 0
  order by users.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with agent: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."is_bot" = 1
  order by users.id asc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- with isOfOthers: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."id" <> $2
  order by users.id asc
  limit cast($3 as bigint) offset cast($4 as bigint);

-- with hasQuestion: true
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and "users"."id" in (select rowid
    from "user_search"
    where ("user_search"."lexemes" @@ cast( replace(replace(replace(replace(array_to_string(cast($2 as text[]), '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''') as tsquery) and not exists ( select 1 from unnest(cast($3 as text[])) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0 and strpos(' ' || "user_search"."words" || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0)))
  order by users.id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- with visibility: all
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or (users.id <> 1 and users.suspended_at is null and users.trashed_at is null and (users.id = $2 or coalesce(users.directory_id, 0) = $3 or exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = $4 and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id and common.by_key = 1))))
  order by users.id asc
  limit cast($5 as bigint) offset cast($6 as bigint);

-- with visibility: shared
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or (users.id <> 1 and users.suspended_at is null and users.trashed_at is null and (users.id = $2 or (coalesce(users.directory_id, 0) = $3 and exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = $4 and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id)) or exists (select 1 from members as theirs join members as mine on mine.app_id = theirs.app_id and mine.user_id = $5 and mine.access <> 'none' join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null where theirs.access <> 'none' and theirs.user_id = users.id and common.by_key = 1))))
  order by users.id asc
  limit cast($6 as bigint) offset cast($7 as bigint);

-- by id, descending
select [columns]
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by uid, descending
select [columns], users.uid as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.uid desc, users.id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by name, descending
select [columns], users.name_key as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.name_key desc, users.id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by display_name, descending
select [columns], users.display_name_key as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1)
  order by users.display_name_key desc, users.id desc
  limit cast($2 as bigint) offset cast($3 as bigint);

-- by uid, after a cursor
select [columns], users.uid as "key0"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1) and (users.uid, users.id) > (cast($2 as text), cast($3 as bigint))
  order by users.uid asc, users.id asc
  limit cast($4 as bigint) offset cast($5 as bigint);

-- counted
select count(*) as "count"
  from "users"
  left join "members" on "members"."user_id" = "users"."id" and "members"."app_id" = $1
  where "users"."suspended_at" is null and "users"."trashed_at" is null and "users"."way" is null and ("members"."user_id" is not null or users.id <> 1);
