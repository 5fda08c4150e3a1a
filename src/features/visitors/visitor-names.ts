import type { Db, Read } from '../../db/db.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import { invalidField } from '../../kernel/problem.ts';
import { skeletonOf } from '../../kernel/skeleton.ts';
import { visibleText, withoutUnseen } from '../../kernel/unseen.ts';
import { moderatorNames, visitorLike } from './signing-in.store.ts';

/** The names of visitors, which anybody can choose: none may look like that of a moderator or of another visitor. */

/** How long the names of moderators are remembered, in milliseconds. */
const rememberedMs = 60_000;
/** The most moderators whose names are compared. */
const moderatorsMax = 10_000;

const spaces = /\p{White_Space}+/gu;
/** More marks on one letter reach into the lines above and below. */
const piledMarks = /\p{M}{4}/u;

/** A name as it is kept. Throws `validation_failed` for one that is not seen or does not stay in its line. */
export function readName(sent: string): string {
  const name = sent.normalize('NFC').replace(spaces, ' ').trim();
  if (visibleText(name) === null || skeletonOf(name) === '')
    throw invalidField('/name', 'invalid', 'must have letters or digits');
  // Nobody can turn the direction of the text around a name, or have one that is not seen.
  if (withoutUnseen(name) !== name || piledMarks.test(name.normalize('NFD')))
    throw invalidField('/name', 'invalid', 'must have no control or format characters and no piled marks');
  return name;
}

/** Refuses names that can be taken for others. */
export type VisitorNames = {
  /** Reads who moderates, unless that was just read; call it before the transaction in which a name is given. */
  prepare(): Promise<void>;
  /** Throws `validation_failed` for a name that looks like that of a moderator or of a visitor other than `exceptId`. */
  assertFree(read: Read, name: string, by: { readonly exceptId: number; readonly at: UnixMs }): Promise<void>;
};

/** Creates the part that refuses names. */
export function createVisitorNames({ db, clock }: { readonly db: Db; readonly clock: Clock }): VisitorNames {
  let known: { readonly skeletons: ReadonlySet<string>; readonly at: UnixMs } | undefined;

  return {
    async prepare() {
      const at = clock.now();
      if (known !== undefined && Math.abs(at - known.at) < rememberedMs) return;
      const rows = await (await db.readForList()).all(moderatorNames, { top: moderatorsMax });
      known = { skeletons: new Set(rows.map(({ name }) => skeletonOf(name))), at };
    },

    async assertFree(read, name, { exceptId, at }) {
      const skeleton = skeletonOf(name);
      if (known === undefined) throw new Error('a name is given before it is known who moderates');
      const isTaken =
        known.skeletons.has(skeleton) ||
        (await read.get(visitorLike, { skeleton, exceptId, now: at })) !== undefined;
      if (isTaken) throw invalidField('/name', 'taken', 'looks like the name of somebody else');
    },
  };
}
