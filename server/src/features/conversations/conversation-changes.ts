import type { UnixMs } from 'confab-contract/values/time.ts';
import type { AppView } from '../../access/access.ts';
import type { Tx } from '../../db/db.ts';
import { type ActionPayload, append } from '../../events/events.ts';
import type { Principal } from '../../kernel/principal.ts';
import { renderApp } from '../apps/app-json.ts';
import { actorOf } from '../users/user-json.ts';

/** A change of a conversation's state for the caller. */
export type StateChange = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly on: AppView;
  readonly at: UnixMs;
};

/** The membership of the caller, as parameters of the statements that change it. */
export function membershipOf({ on, caller }: StateChange): { appId: number; userId: number } {
  return { appId: on.id, userId: caller.user.id };
}

type OwnAction = `conversation_${'delivered' | 'marked' | 'pinned' | 'unpinned'}`;
type OwnEvent = { [A in OwnAction]: Omit<ActionPayload<A>, 'entity'> }[OwnAction];

/** Appends the event of a change; only the caller gets the events of pins. */
export async function recordStateChange({ tx, caller, on, at }: StateChange, event: OwnEvent): Promise<void> {
  const isPrivate = event.action === 'conversation_pinned' || event.action === 'conversation_unpinned';
  await append(tx, {
    ...event,
    actor: actorOf(caller),
    appId: on.id,
    ...(isPrivate ? { userId: caller.user.id } : {}),
    entity: { id: on.id, json: renderApp(on) },
    at,
  });
}
