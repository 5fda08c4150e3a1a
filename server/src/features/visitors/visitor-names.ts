import { invalidField } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { JobKind, Read } from '../../db/db.ts';
import type { User } from '../../kernel/principal.ts';
import { hasWordsOfOneScript, skeletonOf } from '../../kernel/skeleton.ts';
import { visibleCharacters, visibleText } from '../../kernel/unseen.ts';
import type { Moderation } from '../moderation/moderation.ts';
import { erasedName } from '../users/user-record.ts';
import { userLike } from './signing-in.store.ts';

/** The names of visitors, which anybody can choose: none may look like that of a moderator or of another visitor. */

/**
 * The names with which Confab signs and marks what is not a visitor's: API keys, users who are gone, and moderators in each
 * language of the elements, whose words a test compares.
 */
const ownNames: ReadonlySet<string> = new Set(
  [
    ...['System', erasedName, 'Admin', 'Administrator', 'Moderation', 'Moderator', 'moderador', 'modérateur'],
    ...['moderatore', 'moderatör', 'مشرف', 'הנהלה', 'मॉडरेटर', 'モデレーター', '관리자', '管理员'],
  ].map(skeletonOf),
);

const spaces = /\p{White_Space}+/gu;
/** More marks on one letter reach into the lines above and below. */
const piledMarks = /\p{M}{4}/u;

/** A name as it is kept. Throws `validation_failed` for one that is not seen or does not stay in its line. */
export function readName(input: string): string {
  const name = input.normalize('NFC').replace(spaces, ' ').trim();
  if (visibleText(name) === null || skeletonOf(name) === '')
    throw invalidField('/name', 'invalid', 'must have letters or digits');
  // Nobody can turn the direction of the text around a name, or have one that is not seen.
  if (visibleCharacters(name) !== name || piledMarks.test(name.normalize('NFD')))
    throw invalidField('/name', 'invalid', 'must have no control or format characters and no piled marks');
  if (!hasWordsOfOneScript(name))
    throw invalidField('/name', 'invalid', 'must not mix letters of several scripts in one word');
  return name;
}

/**
 * Beside which other transactions one runs that gives a name to a new visitor: such as give names that look different,
 * because a new visitor changes nothing else that they decide by. One that gives none is told apart by the secret that it uses.
 */
export function joiningAs(name: string | undefined, secret = ''): JobKind {
  return { among: 'new visitors', key: name === undefined ? `secret ${secret}` : skeletonOf(name) };
}

/** Refuses names of visitors. */
export type VisitorNames = {
  /**
   * Returns a name that no rule refuses or holds. `user` is who has it, absent for a new guest. Call it before the transaction
   * in which the name is given. Throws `validation_failed`.
   */
  screen(name: string, user?: User): Promise<string>;
  /**
   * Throws `validation_failed` for a name that can be taken for one of Confab's own, for that of somebody who moderates or for
   * that of a visitor other than `exceptId`.
   */
  assertFree(read: Read, name: string, by: { readonly exceptId: number; readonly at: UnixMs }): Promise<void>;
};

/** Creates the part that refuses names. */
export function createVisitorNames({ takesName }: Pick<Moderation, 'takesName'>): VisitorNames {
  return {
    async screen(name, user) {
      if (!(await takesName(name, user)))
        throw invalidField('/name', 'not_allowed', 'has something that is not taken here');
      return name;
    },

    async assertFree(read, name, { exceptId, at }) {
      const skeleton = skeletonOf(name);
      if (ownNames.has(skeleton) || (await read.get(userLike, { skeleton, exceptId, now: at })) !== undefined)
        throw invalidField('/name', 'taken', 'looks like the name of somebody else');
    },
  };
}
