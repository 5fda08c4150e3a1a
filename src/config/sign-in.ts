import { list, setting, yesOrNo } from './values.ts';

/** The settings of signing in by Confab itself (decision 0115). */
export const signInSettings = {
  signIn: setting('CONFAB_SIGN_IN', {
    kind: list('ways, which are `guest` and `email`', readWays),
    default: '',
    sentence:
      'How visitors can sign in, in the order in which they are offered: `guest` with nothing but a name, `email` with a code that is sent to a mailbox ([docs/visitors.md](visitors.md)). Pages of the origins in CONFAB_CORS_ORIGINS can ask for it. By default nobody can sign in.',
  }),
  signInPuzzle: setting('CONFAB_SIGN_IN_PUZZLE', {
    kind: yesOrNo,
    default: 'yes',
    sentence:
      'Whether guests have to solve a puzzle, which takes a browser a moment, so that nobody can be many guests for nothing.',
  }),
};

const ways: readonly string[] = ['guest', 'email'];

function readWays(given: string): readonly string[] {
  const named = given
    .split(',')
    .map((way) => way.trim())
    .filter((way) => way !== '');
  for (const way of named)
    if (!ways.includes(way)) throw new Error(`has "${way}", which is no way of signing in`);
  return [...new Set(named)];
}
