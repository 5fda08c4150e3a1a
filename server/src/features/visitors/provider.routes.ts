import { notFound } from 'confab-contract/problem.ts';
import type { Answer } from '../../http/answers/answer.ts';
import { html } from '../../http/pages/html.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Http } from '../../http/server.ts';
import { codePage, refusedWindow, signInPage, windowQueryOf } from '../../http/sign-in/sign-in-pages.ts';
import type { Log } from '../../kernel/log.ts';
import { addressId, type RateLimits, rateLimited } from '../../kernel/rate-limits.ts';
import type { ProviderSignIn } from './provider-sign-in.ts';
import type { SignIn } from './ways.ts';

/** The pages between the window of Confab and a provider. */

/** How long the browser keeps the state, in seconds: as long as it is of use. */
const stateSeconds = 600;

type Parts = {
  readonly providers: ProviderSignIn;
  readonly site: SignIn['site'];
  readonly rateLimits: RateLimits;
  readonly publicUrl: () => string;
  readonly log: Log;
};

/**
 * Binds the address that leads to a provider, and the one to which it sends the browser back. A cookie of Confab's own
 * origin ties both to one browser, so that nobody can end in the session of another.
 */
export function bindProviderPages(http: Http, { providers, site, rateLimits, publicUrl, log }: Parts): void {
  const isSecure = () => publicUrl().startsWith('https:');
  const cookieName = () => (isSecure() ? '__Host-confab-sign-in' : 'confab-sign-in');
  const cookie = (state: string, seconds: number) =>
    `${cookieName()}=${state}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

  function stateOf({ headers }: HttpRequest): string | undefined {
    const start = `${cookieName()}=`;
    const values = (headers.cookie ?? '').split('; ').filter((pair) => pair.startsWith(start));
    return values.length === 1 ? values[0]?.slice(start.length) : undefined;
  }

  function failed(provider: string, error: unknown): Answer {
    // What the provider says is for the operator; it may be anything.
    log.warn(
      { provider, reason: error instanceof Error ? error.message : '' },
      'a visitor could not sign in',
    );
    const page = signInPage(
      'Signing in did not work',
      html`<p role="alert">Close this window and try again, or choose another way.</p>`,
      { status: 403 },
    );
    return { ...page, headers: { ...page.headers, 'set-cookie': cookie('', 0) } };
  }

  http.changingPage('/sign-in/with/:provider', async ({ provider = '' }, raw) => {
    const { origins, sign_in: ways } = site();
    if (!providers.has(provider) || !ways.includes(provider)) throw notFound('page');
    const { clientAddress } = raw;
    const usage =
      clientAddress === undefined
        ? undefined
        : await rateLimits.take('address', addressId(clientAddress), 'signin');
    if (usage?.isRefused === true) throw rateLimited(usage);
    const asking = windowQueryOf(new URL(raw.url, 'http://localhost').searchParams, origins);
    if (asking === undefined) return refusedWindow();
    try {
      const { address, state } = await providers.begin(provider, asking);
      const headers = {
        location: address,
        'set-cookie': cookie(state, stateSeconds),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      };
      return { status: 302, headers };
    } catch (error) {
      return failed(provider, error);
    }
  });

  http.changingPage('/sign-in/callback/:provider', async ({ provider = '' }, raw) => {
    if (!providers.has(provider)) throw notFound('page');
    const state = stateOf(raw);
    try {
      if (state === undefined) throw new Error('the browser is not the one that began');
      const result = await providers.finish(provider, new URL(raw.url, publicUrl()), state);
      const page = codePage(result.code, result);
      return { ...page, headers: { ...page.headers, 'set-cookie': cookie('', 0) } };
    } catch (error) {
      return failed(provider, error);
    }
  });
}
