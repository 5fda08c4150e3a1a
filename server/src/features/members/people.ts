import { userOf } from '../../access/user/user.sql.ts';
import type { Read } from '../../db/db.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { envelope, type ListQuery, type PageAnswer } from '../../kernel/page.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { renderUserFor } from '../users/user-json.ts';
import { visibilityFor } from '../users/users.sql.ts';
import { renderMember } from './member-json.ts';
import { peopleList } from './people.store.ts';

/** The request for a page of people: to add to an app, or to mention. */
type PeopleCall = {
  readonly read: Read;
  readonly caller: Principal;
  readonly list: ListQuery;
  readonly people: PeopleSetting;
};

/** Which people are listed: those of an app (0 for none), and null for both of two kinds. */
type PeopleWanted = {
  readonly appId: number;
  readonly member: boolean | null;
  readonly agent: boolean | null;
};

/** A page of the members of an app and of the users whom the caller sees, as members; one without access is none. */
export async function peoplePage(call: PeopleCall, wanted: PeopleWanted): Promise<PageAnswer> {
  const { rows, count, next } = await read(call, { ...wanted, isOfOthers: false });
  const items = rows.map((row) => {
    const access = row.memberAccess ?? 'none';
    return renderMember({ ...row, access, role: row.memberRole }, call.caller.form);
  });
  return envelope(call.list, { items, count, next });
}

/** A page of the users whom the caller sees, without the caller. */
export async function othersPage(call: PeopleCall, agent: boolean | null): Promise<PageAnswer> {
  const { rows, count, next } = await read(call, { appId: 0, member: null, agent, isOfOthers: true });
  const items = rows.map((row) => renderUserFor(call.caller, userOf(row)));
  return envelope(call.list, { items, count, next });
}

const orders: ReadonlySet<string> = new Set(['id', 'uid', 'name', 'display_name']);

async function read(
  { read, caller, list, people }: PeopleCall,
  { appId, ...filters }: PeopleWanted & { readonly isOfOthers: boolean },
) {
  const { user } = caller;
  const { settings, parameters } = searchFilters(list);
  // What users do not see of each other orders nothing.
  const order = orders.has(list.order.field) ? list.order : { field: 'id', descending: false };
  return await readList(read, peopleList, {
    list: { ...list, order },
    settings: {
      ...filters,
      hasQuestion: settings.hasQuestion,
      visibility: visibilityFor(caller, people),
    },
    parameters: {
      appId,
      userId: user.id,
      directoryId: user.directoryId ?? 0,
      question: parameters.question,
    },
  });
}
