import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { Problem } from 'confab-contract/problem.ts';
import { type Puzzle, type SolvedPuzzle, signInLimits } from 'confab-contract/signing-in.ts';
import type { Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RateOutcome } from '../../kernel/rate-limits.ts';
import { hashSecret } from '../credentials/secret-text.ts';
import { insertSolvedPuzzle } from './signing-in.store.ts';

/**
 * Puzzles make it dear to be many guests: who signs in as one proves some work, each time anew. A puzzle is signed, so
 * that the server keeps nothing of it until it is solved, and from then on only that it was.
 */

/** The hexadecimal digits with which a hash has to begin: each one more takes 16 times the work. */
const easyDigits = 4;
const hardDigits = 5;

/** Makes and checks puzzles. */
export type Puzzles = {
  /** A puzzle for an address: a harder one once it has used half of what it may in a time. */
  make(usage: RateOutcome | undefined): Promise<Puzzle>;
  /**
   * Throws `puzzle_unsolved` unless this is a solved puzzle of this server. The result uses it up in a transaction, and
   * throws the same when somebody has sent it before.
   */
  check(puzzle: SolvedPuzzle | undefined): Promise<(tx: Tx) => Promise<void>>;
};

/** Creates the part that makes puzzles, signed with a secret of the store. */
export function createPuzzles({
  secret,
  clock,
}: {
  readonly secret: string;
  readonly clock: Clock;
}): Puzzles {
  return {
    async make(usage) {
      const isBusy = usage !== undefined && usage.remaining * 2 < usage.quota;
      const challenge = await createChallenge({
        algorithm: 'SHA-256',
        cost: 1,
        deriveKey,
        // Not `expiresAt`, which the library compares with a clock of its own.
        data: { until: Math.floor(clock.now() / 1000) + signInLimits.puzzleSeconds },
        keyPrefix: '0'.repeat(isBusy ? hardDigits : easyDigits),
        hmacSignatureSecret: secret,
      });
      return challenge as Puzzle;
    },

    async check(puzzle) {
      if (puzzle === undefined) throw new Problem('puzzle_unsolved', 'Guests have to solve a puzzle.');
      const { challenge, solution } = puzzle;
      const expiresAt = challenge.parameters.data.until * 1000;
      if (expiresAt <= clock.now()) throw new Problem('puzzle_unsolved', 'The puzzle has expired.');
      const { invalidSignature, invalidSolution } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: secret,
      });
      if (invalidSignature !== false || invalidSolution !== false)
        throw new Problem('puzzle_unsolved', 'The puzzle is not one of this server, or is not solved.');
      return async (tx) => {
        const hash = hashSecret(challenge.signature);
        if ((await tx.changed(insertSolvedPuzzle, { hash, expiresAt })) === 0)
          throw new Problem('puzzle_unsolved', 'The puzzle was used already.');
      };
    },
  };
}
