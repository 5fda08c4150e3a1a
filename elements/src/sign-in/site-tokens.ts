import { createApi, type Kept, type SignedInUser, type TokenSource, trusted } from '../shared.ts';

/**
 * The tokens of a site that has users of its own. What is wrong with them is told on the console, as `/embed.js` does,
 * because it is for the developer of the site.
 */

/** The most seconds between two tokens of which the first was hardly refused for its age. */
const youngSeconds = 60;

/**
 * What the site says of who is signed in: undefined for nobody. `refused` is what was kept with the token that is old or
 * was refused. Rejects where the site or the server does not answer.
 */
export async function keptOfSite(
  url: string,
  source: TokenSource,
  refused: Kept | undefined,
): Promise<Kept | undefined> {
  const ageSeconds = refused === undefined ? undefined : (Date.now() - refused.issuedAt) / 1000;
  const isYoung = ageSeconds !== undefined && ageSeconds >= 0 && ageSeconds < youngSeconds;
  if (isYoung && ageSeconds < (refused?.expires_in ?? 0) / 2)
    fail(
      `${url} refuses the tokens of the site. They must be access tokens of this server, for a user who is neither suspended nor in the trash and may open this page.`,
    );
  const given = await (typeof source === 'string'
    ? fromAddress(source, refused !== undefined)
    : source(refused !== undefined));
  if (!given) return undefined;
  const { access_token: token, expires_in: expiresIn = Number.POSITIVE_INFINITY } =
    typeof given === 'string' ? { access_token: given } : given;
  if (token.startsWith('wys_'))
    throw fail(
      'the site gives an API key, which must never reach a browser. Give an access token of a user.',
    );
  // Markup can name a server that data-servers lists, which may not be the one that the tokens are for.
  if (trusted.get(url) !== true)
    throw fail(`${url} gets no tokens of the site unless code names it: trustServer('${url}').`);
  const issuedAt = Date.now();
  const user = await userOf(url, token);
  return user && { access_token: token, user, issuedAt, expires_in: expiresIn };
}

async function userOf(url: string, token: string): Promise<SignedInUser | undefined> {
  const as = { token: async () => token, refuse: async () => false };
  const answer = await createApi(url, as).call<SignedInUser>('/api/user');
  if (answer.ok) return answer.body;
  if (answer.status === 401) fail(`${url} refuses the token of the site.`);
  else if (answer.status === 0)
    fail(
      `${url} cannot be called from this page. Its setting CONFAB_CORS_ORIGINS must include ${location.origin}, and connect-src of the content security policy of the page must include it.`,
    );
  if (answer.status !== 401) throw new Error('the server does not answer');
  return undefined;
}

/**
 * Asks an address for a token. It is of the page's own origin: with an attribute, people who may put elements into a page
 * would sign its readers in as somebody else, by an address of their own.
 */
async function fromAddress(text: string, isRefused: boolean) {
  const address = new URL(text, document.baseURI);
  if (isRefused) address.searchParams.set('refresh', 'true');
  if (address.origin !== location.origin)
    throw fail(
      `token-url is no address of ${location.origin}. Use the property getToken for ${address.href}.`,
    );
  const response = await fetch(address, { mode: 'same-origin', cache: 'no-store' }).catch((cause) => {
    throw fail(
      `the token address ${address.href} cannot be reached. It must not lead to another origin, and connect-src of the page's content security policy must include it.`,
      cause,
    );
  });
  if ([204, 401, 403].includes(response.status)) return undefined;
  const body = await response.json().catch(() => undefined);
  if (!response.ok || typeof body?.access_token !== 'string')
    throw fail(
      `the token address ${address.href} returned ${response.status} and no {"access_token": "…"}. For somebody who is not signed in it returns 204.`,
    );
  return { access_token: body.access_token as string, ...lifeOf(body.expires_in) };
}

function lifeOf(seconds: unknown): { readonly expires_in?: number } {
  return typeof seconds === 'number' && seconds > 0 ? { expires_in: seconds } : {};
}

/** Tells the developer of the site, and returns what to throw. */
function fail(text: string, cause?: unknown): Error {
  console.error(`Confab: ${text}`);
  return new Error(text, { cause });
}
