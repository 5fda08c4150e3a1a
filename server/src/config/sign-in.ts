import { between, list, oneOf, setting, text, yesOrNo } from './values.ts';

/** A provider by which visitors sign in: OpenID Connect with an issuer, or GitHub, which has none. */
export type ProviderSetting = {
  readonly name: string;
  readonly issuer: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The settings of signing in by Confab itself (decision 0115). */
export const signInSettings = {
  signIn: setting('CONFAB_SIGN_IN', {
    kind: list('ways, which are `guest`, `email` and the names of providers', readWays),
    default: '',
    sentence:
      'How visitors can sign in, in the order in which they are offered: `guest` with nothing but a name, `email` with a code that is sent to a mailbox, or by a provider ([docs/visitors.md](visitors.md)). Pages of the origins in CONFAB_CORS_ORIGINS can ask for it. By default nobody can sign in.',
  }),
  // One text, because the names are the operator's: a setting for each field of each provider could not be listed.
  signInProviders: setting('CONFAB_SIGN_IN_PROVIDERS', {
    kind: text(
      'a JSON object such as `{"google":{"issuer":"https://accounts.google.com","client_id":"…","client_secret":"…"}}`',
      readProviders,
    ),
    sentence:
      'The providers in CONFAB_SIGN_IN by name, each with the issuer, the id and the secret of a client for OpenID Connect. `github` has no issuer.',
    isSecret: true,
  }),
  signInPuzzle: setting('CONFAB_SIGN_IN_PUZZLE', {
    kind: yesOrNo,
    default: 'yes',
    sentence:
      'Whether guests have to solve a puzzle, which takes a browser a moment, so that nobody can be many guests for nothing.',
  }),
  guestsCountBy: setting('CONFAB_GUESTS_COUNT_BY', {
    kind: oneOf(['guest', 'address']),
    default: 'guest',
    sentence:
      'What counts a reaction or a report of guests once: each `guest`, or each network `address` on a day in UTC, so that nobody counts twice by being many guests ([docs/visitors.md](visitors.md#one-person-as-many-guests)). Behind a proxy, `address` needs CONFAB_TRUSTED_PROXIES.',
  }),
  signInPictures: setting('CONFAB_SIGN_IN_PICTURES', {
    kind: oneOf(['none', 'confirmed', 'all']),
    default: 'none',
    sentence:
      'Which visitors may have a picture: `none`, `confirmed` for those who signed in by email or by a provider, or `all`, guests included.',
  }),
  commentsPictures: setting('CONFAB_COMMENTS_PICTURES', {
    kind: oneOf(['none', 'confirmed', 'all']),
    default: 'none',
    sentence:
      'Which visitors may add pictures to their comments: `none`, `confirmed` for those who signed in by email or by a provider, or `all`, guests included. Nobody can while what they write waits for approval ([docs/visitors.md](visitors.md#pictures-in-comments)).',
  }),
  commentsPicturesMib: setting('CONFAB_COMMENTS_PICTURES_MIB', {
    kind: between(1, 1_000_000),
    default: '1024',
    sentence: 'How many MiB all pictures together may have that visitors send for comments.',
  }),
};

const wayName = /^[a-z][a-z0-9-]{0,29}$/;
const ownWays: readonly string[] = ['guest', 'email'];

function readWays(text: string): readonly string[] {
  const named = text
    .split(',')
    .map((way) => way.trim())
    .filter((way) => way !== '');
  for (const way of named)
    if (!wayName.test(way)) throw new Error(`has "${way}", which is no way of signing in`);
  return [...new Set(named)];
}

function readProviders(text: string): readonly ProviderSetting[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new Error('must be a JSON object', { cause: error });
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error('must be a JSON object');
  return Object.entries(read).map(([name, value]) => readProvider(name, value));
}

function readProvider(name: string, value: unknown): ProviderSetting {
  if (!wayName.test(name) || ownWays.includes(name))
    throw new Error(`has "${name}", which cannot be the name of a provider`);
  const {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    ...others
  } = (value ?? {}) as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`has the unknown field "${other}" in ${name}`);
  if (
    typeof clientId !== 'string' ||
    typeof clientSecret !== 'string' ||
    clientId === '' ||
    clientSecret === ''
  )
    throw new Error(`has no client_id and client_secret in ${name}`);
  if (name === 'github' && issuer === undefined) return { name, issuer, clientId, clientSecret };
  const url = typeof issuer === 'string' ? URL.parse(issuer) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error(`has no issuer in ${name}, which is an https address`);
  return { name, issuer: String(issuer), clientId, clientSecret };
}
