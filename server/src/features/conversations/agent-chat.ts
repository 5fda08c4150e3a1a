import { invalidField } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { findApp, type ReadableApp } from '../../access/access.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { makeApp, reloadApp, uidTaken } from '../apps/app-changes.ts';
import { generateUid } from '../apps/app-types.ts';
import { joinMembers } from '../members/member-changes.ts';
import { systemUserId, visibilityFor } from '../users/users.sql.ts';
import { invitableAgents, writingMember } from './conversations.store.ts';

/**
 * An agent chat is a conversation of one person with one agent, as many of them as the person wants. Nobody else is a
 * member, so the uid of a chat belongs to its person.
 */

/** The chat to open: its agent, and the uid and name that the host product gives it. */
export type AgentChatDraft = {
  readonly agent: Ref;
  readonly uid?: string | undefined;
  readonly name?: string | null | undefined;
  /** Where the request names the agent, for the problem of one that is not found. */
  readonly pointer: string;
};

type Opening = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

/**
 * Starts a chat of the caller with an agent, or opens the one with its uid; `isNew` tells which. Throws
 * `validation_failed` for a user who is no agent that the caller sees, and for a uid that is taken.
 */
export async function openAgentChat(
  opening: Opening,
  { agent: ref, uid, name, pointer }: AgentChatDraft,
): Promise<{ readonly app: ReadableApp; readonly isNew: boolean }> {
  const { tx, caller } = opening;
  const agentId = await findAgent(opening, ref, pointer);
  const existing = uid === undefined ? undefined : await findApp(tx, caller, { uid });
  if (existing !== undefined) {
    const isOwn = existing.type === 'agent_chat' && existing.memberAccess === 'write';
    const member = isOwn ? await tx.get(writingMember, { appId: existing.id, userId: agentId }) : undefined;
    if (member === undefined || existing.trashedAt !== null) throw uidTaken();
    return { app: await reloadApp(opening, existing.id), isNew: false };
  }
  const type = 'agent_chat';
  const shown = visibleText(name ?? null);
  const fields = shown === null ? {} : { name: shown };
  const app = await makeApp(opening, { uid: uid ?? generateUid(type), type, fields });
  // Whom the caller sees was decided above; an agent shares no app with a person who has not talked to it yet.
  await joinMembers({ ...opening, on: app, people: 'all' }, [agentId]);
  return { app: await reloadApp(opening, app.id), isNew: true };
}

/** The agent with a reference among those of the caller's directory; throws `validation_failed`. */
async function findAgent({ tx, caller }: Opening, ref: Ref, pointer: string): Promise<number> {
  const row = await tx.get(invitableAgents(visibilityFor(caller, 'all')), {
    userId: caller.user.id,
    directoryId: caller.user.directoryId ?? 0,
    id: 'id' in ref ? ref.id : 0,
    uid: 'uid' in ref ? ref.uid : '',
  });
  if (row === undefined || row.id === systemUserId || row.id === caller.user.id)
    throw invalidField(pointer, 'not_found', 'names no agent');
  return row.id;
}
