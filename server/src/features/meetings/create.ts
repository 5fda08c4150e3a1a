import { meetingOperations, type MeetingProvider as ProviderName } from 'confab-contract/meetings.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { actorOf } from '../users/user-json.ts';
import type { MeetingProvider } from './meeting-provider.ts';
import { insertMeeting } from './meetings.store.ts';
import { renderMeeting } from './meetings.ts';

type Parts = {
  /** The providers that this server supports; all others are refused. */
  readonly meetingProviders: { readonly [name in ProviderName]?: MeetingProvider };
  readonly clock: Clock;
};

/** Creates a meeting at a provider, outside of any transaction, and then stores it. */
export const createMeeting = handler(
  meetingOperations.createMeeting,
  (input, _call, { meetingProviders }: Parts) =>
    input.read({ provider: (name) => readProvider(name, meetingProviders) }),
  async ({ db, caller, body }, { clock }: Parts) => {
    const { name, make } = body.provider;
    const details = await make();
    return await db.write(async (tx) => {
      const at = clock.now();
      const userId = caller.user.id;
      const row = { ...details, provider: name };
      const id = await tx.insert(insertMeeting, { ...row, createdAt: at, createdById: userId });
      const meeting = renderMeeting({ ...row, id, createdById: userId, endedAt: null, recordingUrl: null });
      await append(tx, {
        action: 'meeting_created',
        actor: actorOf(caller),
        appId: null,
        userId,
        entity: { id, json: meeting },
        at,
      });
      return meeting;
    });
  },
);

function readProvider(
  name: ProviderName,
  providers: Parts['meetingProviders'],
): { name: ProviderName; make: MeetingProvider } {
  const make = providers[name];
  if (make !== undefined) return { name, make };
  const known = Object.keys(providers).join(', ');
  throw invalidField('/provider', 'not_configured', `is not set up on this server, which has ${known}`);
}
