import type { Content } from '../../contract/policy.ts';
import type { Read } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';

/** What a target is resolved from. `trashed` says whether a thing in the trash counts as there. */
export type Look = {
  readonly read: Read;
  readonly caller: Principal;
  /** What the first path parameter of the operation names. */
  readonly ref: Ref;
  /** What the second path parameter names, if there is one. */
  readonly inner?: Ref | undefined;
  readonly isTrashedIncluded: boolean;
  /** What an app must be able to hold. */
  readonly holding?: Content | undefined;
};

/** The same with the time of the request, for things that last for a while. */
export type TimedLook = Look & { readonly at: UnixMs };

/** Whether something is the caller's own; with an API key everything is. */
export function isOwnedBy(caller: Principal, { createdById }: { readonly createdById: number }): boolean {
  return caller.kind === 'key' || createdById === caller.user.id;
}

/** The id that a reference is; 0, which nothing has, for a uid where things have none. */
export function idOf(ref: Ref): number {
  return 'id' in ref ? ref.id : 0;
}
