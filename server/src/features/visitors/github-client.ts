import { createHash } from 'node:crypto';
import type { guardedFetch, ProviderClient, ProviderSetting } from './provider-client.ts';

/** Where GitHub is. */
export type GithubAddresses = { readonly site: string; readonly api: string };

/** Where it is, except in tests. */
export const githubAddresses: GithubAddresses = { site: 'https://github.com', api: 'https://api.github.com' };

/** GitHub, which has OAuth and no OpenID Connect for people: who somebody is comes from its interface. */
export function createGithubClient(
  { clientId, clientSecret }: ProviderSetting,
  {
    call,
    addresses,
  }: { readonly call: ReturnType<typeof guardedFetch>; readonly addresses: GithubAddresses },
): ProviderClient {
  async function read(response: Response): Promise<unknown> {
    if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
    return await response.json();
  }

  const ask = async (path: string, token: string) =>
    await read(
      await call(addresses.api + path, {
        headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
      }),
    );

  return {
    async begin({ redirectUri, state, verifier }) {
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      return `${addresses.site}/login/oauth/authorize?${query}`;
    },

    async finish({ redirectUri, verifier }, returned) {
      const code = returned.searchParams.get('code');
      if (code === null) throw new Error('GitHub refuses');
      const answer = (await read(
        await call(`${addresses.site}/login/oauth/access_token`, {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uri: redirectUri,
            code,
            code_verifier: verifier,
          }),
        }),
      )) as { access_token?: unknown };
      if (typeof answer.access_token !== 'string') throw new Error('GitHub gave no token');
      const user = (await ask('/user', answer.access_token)) as {
        id?: unknown;
        name?: unknown;
        login?: unknown;
      };
      if (typeof user.id !== 'number') throw new Error('GitHub names nobody');
      const emails = await ask('/user/emails', answer.access_token);
      return {
        subject: `${addresses.site} ${user.id}`,
        name: [user.name, user.login].find((text) => typeof text === 'string' && text !== '') as
          | string
          | undefined,
        email: verifiedIn(emails),
      };
    },
  };
}

function verifiedIn(emails: unknown): string | null {
  if (!Array.isArray(emails)) return null;
  const primary = emails.find((each) => each?.primary === true && each.verified === true);
  return typeof primary?.email === 'string' ? primary.email : null;
}
