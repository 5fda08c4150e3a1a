import { createHmac } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createVisitorNames } from '../features/signing-in/visitor-names.ts';
import type { SignIn } from '../features/signing-in/ways.ts';
import type { Clock } from '../kernel/clock.ts';

/** The ways of signing in that the configuration allows. */
export async function createSignIn(
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  { db, secret }: { readonly db: Db; readonly secret: string },
): Promise<SignIn> {
  const { signIn: ways } = config;
  const hasPuzzles = ways.includes('guest') && config.signInPuzzle === 'yes';
  const names = createVisitorNames({ db, clock });
  if (!hasPuzzles) return { ways, puzzles: undefined, names };
  const { createPuzzles } = await import('../features/signing-in/puzzles.ts');
  const own = createHmac('sha256', secret).update('puzzles').digest('hex');
  return { ways, puzzles: createPuzzles({ clock, secret: own }), names };
}
