import { userOf } from '../../access/user/user.sql.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { renderedDirectory } from '../directories/directory-json.ts';
import type { Pictures } from './pictures.ts';
import { renderUserFor } from './user-json.ts';
import { usersByIds } from './users.store.ts';

/** Users are the people and bots of a host product, which creates and changes them with its API key. */

/** The users with these ids, by id; one statement for any number of them. */
export async function findUsers(read: Read, ids: readonly number[]): Promise<Map<number, User>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const rows = await read.all(usersByIds, { ids: distinct });
  return new Map(rows.map((row) => [row.id, userOf(row)]));
}

/** The same users as `viewer` may see them. */
export async function renderedUsers(
  read: Read,
  viewer: Principal,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  const users = await findUsers(read, ids);
  return new Map([...users].map(([id, user]) => [id, renderUserFor(viewer, user)]));
}

/** The parts of the server that reading and rendering users needs. */
export type UserParts = { readonly pictures: Pictures };

/** The store of a request, and its caller. */
type Reader = ({ readonly read: Read } | { readonly tx: Tx }) & { readonly caller: Pick<Principal, 'form'> };

/** A user in full, with the picture and the directory: for API keys and the user. */
export async function userDetail(reader: Reader, user: User, { pictures }: UserParts): Promise<Json> {
  const read = 'tx' in reader ? reader.tx : reader.read;
  const rendered = await pictures.rendered(read, user, reader.caller);
  if (user.directoryId === null) return rendered;
  const directory = await renderedDirectory(read, user.directoryId);
  return directory === undefined ? rendered : json(`${rendered.slice(0, -1)},"directory":${directory}}`);
}
