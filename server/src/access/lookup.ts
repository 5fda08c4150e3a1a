import type { Content } from 'confab-contract/policy.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../db/db.ts';
import type { Principal } from '../kernel/principal.ts';

/** The input for resolving a target. */
export type Lookup = {
  readonly read: Read;
  readonly caller: Principal;
  /** The value of the first path parameter of the operation. */
  readonly ref: Ref;
  /** The value of the second path parameter, if there is one. */
  readonly inner?: Ref | undefined;
  readonly isTrashedIncluded: boolean;
  /** Whether held content is found, by callers who may see it. */
  readonly isHeldIncluded?: boolean;
  /** The kind of content that the app must be able to contain. */
  readonly holding?: Content | undefined;
};

/** The same with the time of the request, for things that expire. */
export type TimedLookup = Lookup & { readonly at: UnixMs };

/** Whether the caller owns something; an API key owns everything. */
export function isOwnedBy(caller: Principal, { createdById }: { readonly createdById: number }): boolean {
  return caller.kind === 'key' || createdById === caller.user.id;
}

/** The id in a reference; 0, which is never an id, for a uid of a kind without uids. */
export function idOf(ref: Ref): number {
  return 'id' in ref ? ref.id : 0;
}
