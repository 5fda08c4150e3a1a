import { type On, type OnTarget, type Rights, type Target, targetOf } from 'confab-contract/policy.ts';
import { Problem } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../db/db.ts';
import type { Principal } from '../kernel/principal.ts';
import { type Viewer, viewerOf } from './access.ts';
import { appAccess } from './app-access.ts';
import { blobAccess } from './blob/blob-access.ts';
import { conversationAccess } from './conversation-access.ts';
import { deliveryAccess } from './delivery/delivery-access.ts';
import { directoryAccess } from './directory/directory-access.ts';
import { embedAccess } from './embed/embed-access.ts';
import { commentAccess, entryAccess, postAccess, threadAccess } from './entry/entry-access.ts';
import { fileAccess } from './file/file-access.ts';
import type { TimedLookup } from './lookup.ts';
import { meetingAccess } from './meeting/meeting-access.ts';
import { notificationAccess } from './notification/notification-access.ts';
import { optionAccess } from './option/option-access.ts';
import { reactionAccess } from './reaction/reaction-access.ts';
import { reportAccess } from './report/report-access.ts';
import { userAccess } from './user/user-access.ts';
import { webhookAccess } from './webhook/webhook-access.ts';

/** The one resolver of each right on each kind of target: it throws a 404 or a 403, or gives the proof. */
const resolvers = {
  app: appAccess,
  file: fileAccess,
  blob: blobAccess,
  embed: embedAccess,
  meeting: meetingAccess,
  comment: commentAccess,
  thread: threadAccess,
  post: postAccess,
  message: entryAccess('message'),
  option: optionAccess,
  reaction: reactionAccess,
  report: reportAccess,
  notification: notificationAccess,
  conversation: conversationAccess,
  directory: directoryAccess,
  webhook: webhookAccess,
  delivery: deliveryAccess,
  user: userAccess,
} satisfies { [T in Target]: { [R in Rights[T]]: (look: TimedLookup) => Promise<object> } };

/** The proof that the resolver of a right on a target gives, where a policy names this target. */
type Proof<O, T extends Target> = O extends { readonly [K in T]: infer R extends keyof (typeof resolvers)[T] }
  ? (typeof resolvers)[T][R] extends (look: never) => Promise<infer P>
    ? P
    : never
  : never;

/** The target that an operation with this policy receives. */
export type Access<O extends On> = O extends OnTarget
  ? { [T in Target]: Proof<O, T> }[Target] | (O extends { readonly absent: 'asked' } ? undefined : never)
  : O extends 'visible'
    ? Viewer
    : undefined;

/** The input for resolving a policy. `query.trashed` and `query.page` count where the policy lets the caller request it. */
export type PolicyInput = {
  readonly read: Read;
  readonly caller: Principal;
  readonly params: object;
  readonly query: { readonly trashed?: unknown; readonly page?: unknown };
  /** The time of the request. */
  readonly at: UnixMs;
};

/** A function that returns the proof that a policy requires, or throws the 404 or 403. */
export function resolverOf<const O extends On>(policy: O): (request: PolicyInput) => Promise<Access<O>> {
  return anyResolverOf(policy) as (request: PolicyInput) => Promise<Access<O>>;
}

function anyResolverOf(policy: On): (request: PolicyInput) => Promise<unknown> {
  if (policy === 'visible') return async ({ caller }) => viewerOf(caller);
  if (typeof policy === 'string' || 'own' in policy) return async () => undefined;
  const { trashed, holding, absent } = policy;
  const [target, right] = targetOf(policy);
  const resolver = (
    resolvers[target] as { readonly [right: string]: (lookup: TimedLookup) => Promise<unknown> }
  )[right];
  if (resolver === undefined) throw new Error(`nothing resolves the right ${right} on ${target}`);
  return async ({ read, caller, params, query, at }) => {
    const [ref, inner] = Object.values(params).map((named: Ref | number) =>
      typeof named === 'number' ? { id: named } : named,
    ) as [Ref, Ref?];
    const isTrashedIncluded = trashed === 'included' || (trashed === 'asked' && query.trashed === true);
    const isHeldIncluded = trashed !== undefined;
    const look = { read, caller, ref, inner, isTrashedIncluded, isHeldIncluded, holding, at };
    if (absent !== 'asked' || query.page !== true) return await resolver(look);
    return await resolver(look).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  };
}
