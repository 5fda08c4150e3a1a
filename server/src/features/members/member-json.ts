import { timestamp } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import { liveCounts } from '../../db/tallies.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { embeddedPage } from '../../kernel/page.ts';
import { memberAccess, memberFields } from '../../second-form/shapes/member.ts';
import { firstMembersOf, type MemberRow } from './members.store.ts';

/** How many members a single app includes; clients list the rest page by page. */
const embeddedMembersMax = 25;

/** A member of an app, as in specification section 2.1. */
export function renderMember(member: MemberRow, form?: number): Json {
  const isFirst = form === undefined;
  const role = member.role === null || member.role === 'member' ? '' : `"role":"${member.role}",`;
  const optional = [
    member.pictureUrl === null ? '' : `"avatar_url":${jsonString(member.pictureUrl)},`,
    member.deliveredAt === null ? '' : `"delivered_at":"${timestamp(member.deliveredAt)}",`,
    member.markedAt === null ? '' : `"marked_at":"${timestamp(member.markedAt)}",`,
    member.markedId === null ? '' : `"marked_id":${member.markedId},`,
  ].join('');
  return json(
    `{"id":${member.id},"uid":${jsonString(member.uid)},"access":"${isFirst ? member.access : memberAccess(member.access, member.role)}",${role}` +
      `"display_name":${jsonString(member.displayName)},${optional}"presence":"${member.isActive === 1 ? 'active' : 'away'}","is_bot":${member.isBot === 1}${isFirst ? '' : memberFields({ displayName: member.displayName, isBot: member.isBot === 1 })}}`,
  );
}

/** The first members of an app and how many it has. */
export type MemberPage = { readonly members: readonly MemberRow[]; readonly count: number };

/** The first page of the members of each app; two statements for any number of apps. */
export async function memberPages(read: Read, appIds: readonly number[]): Promise<Map<number, MemberPage>> {
  if (appIds.length === 0) return new Map();
  const [counts, rows] = await Promise.all([
    liveCounts(read, { parentType: 'app', kind: 'member', parentIds: appIds }),
    read.all(firstMembersOf, { appIds, top: embeddedMembersMax }),
  ]);
  const byApp = Map.groupBy(rows, (row) => row.appId);
  return new Map(appIds.map((id) => [id, { members: byApp.get(id) ?? [], count: counts.get(id) ?? 0 }]));
}

/** A first page of members as `members` of an app. */
export function renderMemberPage({ members, count }: MemberPage, form: number | undefined): Json {
  return embeddedPage({ items: members.map((member) => renderMember(member, form)), count });
}

/** The first page of the members of each app, rendered; two statements for any number of apps. */
export async function firstMembers(
  read: Read,
  appIds: readonly number[],
  form: number | undefined,
): Promise<Map<number, Json>> {
  const pages = await memberPages(read, appIds);
  return new Map([...pages].map(([id, page]) => [id, renderMemberPage(page, form)]));
}
