import type { Egress } from '../../net/egress.ts';

/** How the operator describes a provider; GitHub alone has no issuer. */
export type ProviderSetting = {
  readonly issuer: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** What a provider says of somebody. */
export type Profile = {
  /** By what the provider knows them, for ever. */
  readonly subject: string;
  readonly name: string | undefined;
  /** An address that the provider has verified. */
  readonly email: string | null;
};

/** What belongs to one signing in, and is sent or checked at both ends. */
export type Exchange = {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};

/** A provider, as the rest of signing in knows it. Its functions throw an Error for everything that is not as it must be. */
export type ProviderClient = {
  /** The address at which the visitor signs in. */
  begin(exchange: Exchange): Promise<string>;
  /** Who has signed in, from the address to which the provider has sent the browser back. */
  finish(exchange: Exchange, returned: URL): Promise<Profile>;
};

/** The most bytes of an answer, and the most time for it in milliseconds. */
const bytesMax = 256 * 1024;
const timeoutMs = 8000;

/** `fetch` by the guarded way out: without redirects, and bounded in bytes and time. */
export function guardedFetch(egress: Egress, userAgent: string) {
  return async (
    url: string,
    {
      method = 'GET',
      headers = {},
      body,
    }: { method?: string; headers?: ConstructorParameters<typeof Headers>[0]; body?: unknown } = {},
  ): Promise<Response> => {
    const requestHeaders = {
      'accept-encoding': 'identity',
      ...Object.fromEntries(new Headers(headers)),
      'user-agent': userAgent,
    };
    const answer =
      method === 'POST'
        ? await egress.post(url, { headers: requestHeaders, body: String(body ?? ''), timeoutMs })
        : await egress.get(url, { headers: requestHeaders, bodyBytesMax: bytesMax, timeoutMs });
    if (!answer.answered) throw new Error([answer.errorCode, answer.cause].filter(Boolean).join(' '));
    if (answer.truncated) throw new Error('the answer is too long');
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
      headers: answer.headers,
    });
  };
}
