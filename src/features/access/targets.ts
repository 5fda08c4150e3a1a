import { type On, type OnTarget, type Rights, type Target, targetOf } from '../../contract/policy.ts';
import type { Read } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type ManageableApp, type ReadableApp, type Viewer, viewerOf, type WritableApp } from './access.ts';
import { appAccess, type LeavableApp } from './app-access.ts';
import { blobAccess, type ReadableBlob } from './blob-access.ts';
import {
  conversationAccess,
  type ReadableConversation,
  type WritableConversation,
} from './conversation-access.ts';
import { deliveryAccess, type ManageableDelivery } from './delivery-access.ts';
import { directoryAccess, type ManageableDirectory, type ReadableDirectory } from './directory-access.ts';
import { embedAccess, type ReadableEmbed } from './embed-access.ts';
import { type EntryProofs, entryAccess, postAccess, type ReactableEntry } from './entry-access.ts';
import {
  type EditableFile,
  fileAccess,
  type ReadableFile,
  type RemovableFile,
  type RestorableFile,
  type WritableFile,
} from './file-access.ts';
import type { TimedLook } from './look.ts';
import { meetingAccess, type ReadableMeeting } from './meeting-access.ts';
import { type AccessibleNotification, notificationAccess } from './notification-access.ts';
import { optionAccess, type ReadableOption, type VotableOption } from './option-access.ts';
import { type ReadableReaction, type RemovableReaction, reactionAccess } from './reaction-access.ts';
import { type ManagedUser, type TokenHolder, userAccess } from './user-access.ts';
import { type ManageableWebhook, webhookAccess } from './webhook-access.ts';

type Complete<P extends { [T in Target]: { [R in Rights[T]]: object } }> = P;

/** The proof that each right on each kind of target gives. */
type Proofs = Complete<{
  app: { read: ReadableApp; write: WritableApp; manage: ManageableApp; leave: LeavableApp };
  file: {
    read: ReadableFile;
    write: WritableFile;
    edit: EditableFile;
    remove: RemovableFile;
    restore: RestorableFile;
  };
  blob: { read: ReadableBlob };
  embed: { read: ReadableEmbed };
  meeting: { read: ReadableMeeting };
  comment: EntryProofs<'comment'>;
  post: EntryProofs<'post'> & { write: ReactableEntry<'post'> };
  message: EntryProofs<'message'>;
  option: { read: ReadableOption; vote: VotableOption };
  reaction: { read: ReadableReaction; remove: RemovableReaction };
  notification: { read: AccessibleNotification };
  conversation: { read: ReadableConversation; write: WritableConversation };
  directory: { read: ReadableDirectory; manage: ManageableDirectory };
  webhook: { manage: ManageableWebhook };
  delivery: { manage: ManageableDelivery };
  user: { read: ManagedUser; manage: ManagedUser; issue: TokenHolder };
}>;

/** The one resolver of each right on each kind of target: it throws a 404 or a 403, or gives the proof. */
const resolvers: {
  readonly [T in Target]: { readonly [R in keyof Proofs[T]]: (look: TimedLook) => Promise<Proofs[T][R]> };
} = {
  app: appAccess,
  file: fileAccess,
  blob: blobAccess,
  embed: embedAccess,
  meeting: meetingAccess,
  comment: entryAccess('comment'),
  post: postAccess,
  message: entryAccess('message'),
  option: optionAccess,
  reaction: reactionAccess,
  notification: notificationAccess,
  conversation: conversationAccess,
  directory: directoryAccess,
  webhook: webhookAccess,
  delivery: deliveryAccess,
  user: userAccess,
};

type Right<O, T extends Target> = O extends { readonly [K in T]: infer R extends Rights[T] } ? R : never;

/** What an operation with this policy is given to act on. */
export type Access<O extends On> = O extends OnTarget
  ? { [T in Target]: Right<O, T> extends never ? never : Proofs[T][Right<O, T> & keyof Proofs[T]] }[Target]
  : O extends 'visible'
    ? Viewer
    : undefined;

/** What a policy is resolved with. `query.trashed` counts where the policy lets the caller ask for it. */
type Asked = {
  readonly read: Read;
  readonly caller: Principal;
  readonly params: object;
  readonly query: { readonly trashed?: unknown };
  /** The time of the request. */
  readonly at: UnixMs;
};

/** What gives the proof that a policy asks for, or throws the 404 or 403 that is due. */
export function resolverOf(policy: On): (asked: Asked) => Promise<unknown> {
  if (policy === 'visible') return async ({ caller }) => viewerOf(caller);
  if (typeof policy === 'string' || 'own' in policy) return async () => undefined;
  const { trashed, holding } = policy;
  const [target, right] = targetOf(policy);
  const resolver = (resolvers[target] as { readonly [right: string]: (look: TimedLook) => Promise<unknown> })[
    right
  ];
  if (resolver === undefined) throw new Error(`nothing resolves the right ${right} on ${target}`);
  return async ({ read, caller, params, query, at }) => {
    const [ref, inner] = Object.values(params).map((named: Ref | number) =>
      typeof named === 'number' ? { id: named } : named,
    ) as [Ref, Ref?];
    const isTrashedIncluded = trashed === 'included' || (trashed === 'asked' && query.trashed === true);
    return await resolver({ read, caller, ref, inner, isTrashedIncluded, holding, at });
  };
}
