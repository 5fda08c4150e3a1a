import { meetingOperations, type MeetingProvider as ProviderName } from 'confab-contract/meetings.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import type { Db } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import type { MeetingProvider } from './meeting-provider.ts';
import { insertMeeting } from './meetings.store.ts';
import { renderMeeting } from './meetings.ts';

/** What creating meetings needs. */
export type MeetingParts = {
  /** The providers that this server supports; all others are refused. */
  readonly meetingProviders: { readonly [name in ProviderName]?: MeetingProvider };
  readonly clock: Clock;
};

/** Creates a meeting at a provider, outside of any transaction, and then stores it. */
export const createMeeting = handler(
  meetingOperations.createMeeting,
  (input, _call, { meetingProviders }: MeetingParts) =>
    input.read({ provider: (name) => readProvider(name, meetingProviders) }),
  async ({ db, caller, body }, { clock }: MeetingParts) =>
    await keepMeeting({ db, caller, clock }, { ...body.provider, shownAs: null }),
);

/** Creates a meeting at a provider and stores it; clients of the second form show it as one at `shownAs`. */
export async function keepMeeting(
  { db, caller, clock }: { readonly db: Db; readonly caller: Principal; readonly clock: Clock },
  { name, make, shownAs }: Provider & { readonly shownAs: string | null },
): Promise<Json> {
  const details = await make();
  return await db.write(async (tx) => {
    const at = clock.now();
    const userId = caller.user.id;
    const row = { ...details, shownAs, provider: name, createdAt: at, createdById: userId };
    const id = await tx.insert(insertMeeting, row);
    const meeting = { ...row, id, endedAt: null, recordingUrl: null };
    await append(tx, {
      action: 'meeting_created',
      actor: actorOf(caller),
      appId: null,
      userId,
      entity: { id, json: renderMeeting(meeting, {}) },
      at,
    });
    return renderMeeting(meeting, caller);
  });
}

/** A provider that this server supports. */
type Provider = { readonly name: ProviderName; readonly make: MeetingProvider };

/** The provider with a name. Throws `validation_failed` for one that is not set up. */
export function readProvider(name: ProviderName, providers: MeetingParts['meetingProviders']): Provider {
  const make = providers[name];
  if (make !== undefined) return { name, make };
  const known = Object.keys(providers).join(', ');
  throw invalidField('/provider', 'not_configured', `is not set up on this server, which has ${known}`);
}
