import { sql } from 'kysely';

/**
 * The role of a member. Where a program without roles wrote the membership, the creator of the app manages
 * (decision 0034).
 */
export const memberRole = sql<string | null>`coalesce(members.role, (select 'manager' from apps
  where apps.id = members.app_id and apps.created_by_id = members.user_id))`;

/** The membership of a user in an app, where there is one. */
export const membershipColumns = [
  'members.access as memberAccess',
  memberRole.as('memberRole'),
  'members.marked_id as markedId',
  'members.marked_at as markedAt',
  'members.delivered_at as deliveredAt',
] as const;
