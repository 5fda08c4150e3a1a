import * as oidc from 'openid-client';
import type { guardedFetch, ProviderClient, ProviderSetting } from './provider-client.ts';

/** How long what a provider publishes about itself is used, in milliseconds. */
const knownMs = 60 * 60_000;
/** How long the provider has for one answer, in seconds. */
const timeoutSeconds = 8;

type Fetch = ReturnType<typeof guardedFetch>;

/**
 * A provider of OpenID Connect. The library checks issuer, audience, times, nonce, PKCE and, as it is asked to, the
 * signature of the ID token by the keys that the provider publishes.
 */
export function createOpenIdClient(
  { issuer = '', clientId, clientSecret }: ProviderSetting,
  { fetch, now }: { readonly fetch: Fetch; readonly now: () => number },
): ProviderClient {
  let known: { readonly config: Promise<oidc.Configuration>; readonly at: number } | undefined;

  async function discover(): Promise<oidc.Configuration> {
    // A provider on http is one that the operator lists as reachable, or the way out refuses it.
    const isPlain = new URL(issuer).protocol === 'http:';
    return await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [oidc.customFetch]: fetch as oidc.CustomFetch,
      timeout: timeoutSeconds,
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    });
  }

  function configuration(): Promise<oidc.Configuration> {
    if (known !== undefined && now() - known.at < knownMs) return known.config;
    const discovery = { config: discover(), at: now() };
    known = discovery;
    discovery.config.catch(() => {
      if (known === discovery) known = undefined;
    });
    return discovery.config;
  }

  return {
    async begin({ redirectUri, state, nonce, verifier }) {
      const challenge = await oidc.calculatePKCECodeChallenge(verifier);
      const address = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...{ state, nonce },
      });
      return address.href;
    },

    async finish({ state, nonce, verifier }, returned) {
      if (returned.searchParams.has('error')) throw new Error('the provider refuses');
      const config = await configuration();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
      const tokens = await oidc
        .authorizationCodeGrant(config, returned, { ...checks, idTokenExpected: true })
        .catch((error: unknown) => {
          // Its keys may be others by now, so what it publishes is read again for the next visitor.
          known = undefined;
          throw error;
        });
      const claims = tokens.claims();
      if (claims === undefined || claims.sub === '') throw new Error('the provider names nobody');
      // Some say who somebody is only when they are asked.
      const answer =
        claims['name'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : undefined;
      const { name, preferred_username: username, nickname } = { ...answer, ...claims };
      return {
        subject: `${claims.iss} ${claims.sub}`,
        name: [name, nickname, username].find((text) => typeof text === 'string' && text !== '') as
          | string
          | undefined,
        email: verifiedIn(claims) ?? verifiedIn(answer) ?? null,
      };
    },
  };
}

/** The address that a token or an answer says to be verified. What one of them verifies says nothing of the address in the other. */
function verifiedIn(said: { readonly [claim: string]: unknown } | undefined): string | undefined {
  const email = said?.['email'];
  return said?.['email_verified'] === true && typeof email === 'string' ? email : undefined;
}
