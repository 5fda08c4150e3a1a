import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import { insertPrivateChat, moveMark, privateChatOf } from './conversations.store.ts';

/** What an import writes about conversations besides their messages and members. */

/** Two users, in any order. */
export type Pair = readonly [number, number];

const ordered = ([one, other]: Pair) => ({ firstId: Math.min(one, other), secondId: Math.max(one, other) });

/** The id of the app that is the private chat of two users; undefined where they have none. */
export async function findPrivateChat(read: Read, pair: Pair): Promise<number | undefined> {
  return (await read.get(privateChatOf, ordered(pair)))?.appId;
}

/** Makes an app the private chat of two users, who must have none. */
export async function makePrivateChat(tx: Tx, pair: Pair, appId: number): Promise<void> {
  await tx.run(insertPrivateChat, { ...ordered(pair), appId });
}

/** Notes that a member has read up to a message; a mark never moves back. */
export async function noteRead(
  tx: Tx,
  mark: { readonly appId: number; readonly userId: number; readonly id: number; readonly at: UnixMs },
): Promise<void> {
  await tx.changed(moveMark, mark);
}
