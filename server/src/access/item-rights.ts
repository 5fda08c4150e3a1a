import { notFound } from 'confab-contract/problem.ts';
import {
  asModeratable,
  assertMayChange,
  assertMayRemove,
  assertNotHeld,
  assertNotModerated,
  assertNotOwn,
  type ReadableApp,
} from './access.ts';
import type { Authored } from './held.ts';
import { assertUnlocked, type Lockable } from './locks.ts';
import type { Lookup, TimedLookup } from './lookup.ts';

/** The rights that entries and files share, and their proofs. */

declare const editable: unique symbol;
declare const removable: unique symbol;
declare const restorable: unique symbol;
declare const moderatable: unique symbol;
declare const approvable: unique symbol;
declare const reportable: unique symbol;

/** An item that the caller may edit: as its author with write access, or with an API key. It is not in the trash. */
export type Editable<F> = F & { readonly [editable]: true };

/** An item that the caller may trash or delete: as its author with write access, or as a moderator of the app. */
export type Removable<F> = F & { readonly [removable]: true };

/** An item that the caller may take out of the trash, which its author may not when a moderator put it there. */
export type Restorable<F> = F & { readonly [restorable]: true };

/** An item that the caller decides on as a moderator of its app, so they may also trash and delete it. */
export type Moderatable<F> = Removable<F> & { readonly [moderatable]: true };

/** An item that the caller may approve, which its author may not. */
export type Approvable<F> = Moderatable<F> & { readonly [approvable]: true };

/** An item that the caller may report, because they see it and did not write it. */
export type Reportable<F> = F & { readonly [reportable]: true };

/**
 * The rights on items of a kind. Each throws `not_found`; `remove` throws `edit_forbidden`, `edit` and `restore` throw
 * `edit_forbidden`, `moderated` and `locked`, `moderate` throws `moderate_forbidden`, `approve` throws
 * `moderate_forbidden` and `moderated`, and `report` throws `own_content`. After that each throws what `assertIndependent` does.
 */
export function itemRights<F extends { readonly app: ReadableApp }>({
  name,
  read,
  itemOf,
  assertIndependent,
}: {
  /** What a 404 names. */
  readonly name: string;
  /** Finds an item that the caller may see; throws `not_found`. */
  readonly read: (lookup: Lookup) => Promise<F>;
  readonly itemOf: (target: F) => Authored & Lockable;
  /** Throws for an item that changes only with the item that it belongs to. */
  readonly assertIndependent: (target: F) => void;
}) {
  async function moderate(lookup: Lookup): Promise<Moderatable<F>> {
    const target = await read({ ...lookup, isHeldIncluded: true });
    asModeratable(target.app);
    assertIndependent(target);
    return target as Moderatable<F>;
  }
  return {
    moderate,
    async edit(lookup: TimedLookup): Promise<Editable<F>> {
      const target = await read({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
      const item = itemOf(target);
      // The author of an item that a moderator trashed gets `moderated`; any other item in the trash is `not_found`.
      assertNotModerated(lookup.caller, item);
      assertNotHeld(item);
      if (item.trashedAt !== null) throw notFound(name);
      assertMayChange(lookup.caller, target.app, item);
      assertUnlocked(target.app, lookup.at, item);
      assertIndependent(target);
      return target as Editable<F>;
    },
    async remove(lookup: Lookup): Promise<Removable<F>> {
      const target = await read(lookup);
      assertMayRemove(lookup.caller, target.app, itemOf(target));
      assertIndependent(target);
      return target as Removable<F>;
    },
    async restore(lookup: TimedLookup): Promise<Restorable<F>> {
      const target = await read({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
      const item = itemOf(target);
      assertMayRemove(lookup.caller, target.app, item);
      assertNotModerated(lookup.caller, item);
      assertUnlocked(target.app, lookup.at, item);
      assertIndependent(target);
      return target as Restorable<F>;
    },
    async approve(lookup: Lookup): Promise<Approvable<F>> {
      const target = await moderate(lookup);
      assertNotModerated(lookup.caller, itemOf(target));
      return target as Approvable<F>;
    },
    async report(lookup: Lookup): Promise<Reportable<F>> {
      const target = await read(lookup);
      assertNotOwn(lookup.caller, itemOf(target));
      assertIndependent(target);
      return target as Reportable<F>;
    },
  };
}
