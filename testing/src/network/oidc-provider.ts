import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real provider of OpenID Connect on loopback, at which everybody signs in as who they say they are. */
export type OidcProvider = {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  close(): Promise<void>;
};

const client = { id: 'confab', secret: 'a secret of the client' };

/** Starts a provider whose users go back to one of `redirectUris`; `claims` are what it says of a user. */
export async function startOidcProvider(
  redirectUris: readonly string[],
  claims: (subject: string) => Record<string, unknown>,
): Promise<OidcProvider> {
  let answer: ((...args: Parameters<ReturnType<Provider['callback']>>) => unknown) | undefined;
  const server: Server = createServer((request, response) => void answer?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    async findAccount(_context, subject) {
      return { accountId: subject, claims: async () => ({ sub: subject, ...claims(subject) }) };
    },
  });
  answer = provider.callback();
  return {
    issuer,
    client,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
