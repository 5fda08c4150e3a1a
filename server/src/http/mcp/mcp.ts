import { Problem } from 'confab-contract/problem.ts';
import { json } from '../../kernel/json.ts';
import { loadedOnce } from '../../kernel/loaded-once.ts';
import type { Log } from '../../kernel/log.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Answer } from '../answers/answer.ts';
import type { JsonBody } from '../bodies/body.ts';
import { checkCaller } from '../caller-checks.ts';
import { authorizationOf } from '../connection.ts';
import type { Authenticate } from '../request.ts';
import { type HttpRequest, single } from '../request.ts';
import type { Http } from '../server.ts';

/**
 * `/mcp`: the operations for programs that speak the Model Context Protocol over streamable HTTP (decision 0137). A message
 * is one request and has one answer. Who calls, and whether a page of a browser may, is settled here; each operation then
 * runs as a request of its own (`inner-request.ts`).
 */

/** The options for serving the protocol. */
export type McpOptions = {
  readonly version: string;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly authenticate: Authenticate;
  /** Origins whose pages may call the interface. */
  readonly origins: () => readonly string[];
  /** The issuer of access tokens, where an identity provider is configured. */
  readonly issuer: string | undefined;
};

const path = '/mcp';
/** Where clients look for the identity provider of a resource (RFC 9728, section 3.1). */
const metadataPath = '/.well-known/oauth-protected-resource';

/** Serves the protocol, and says where clients sign in. */
export function bindMcp(http: Http, options: McpOptions): void {
  const { publicUrl, issuer } = options;
  const metadata = issuer !== undefined && URL.canParse(issuer) ? metadataOf(issuer, publicUrl) : undefined;
  if (metadata !== undefined)
    for (const place of [metadataPath, metadataPath + path]) http.page(place, async () => metadata());
  const challenge = () =>
    metadata === undefined ? 'Bearer' : `Bearer resource_metadata="${publicUrl()}${metadataPath}${path}"`;
  const protocol = loadedOnce(async () => {
    const { createProtocol } = await import('./protocol.ts');
    return createProtocol({ ...options, within: http.within });
  });
  http.json(path, async (_params, request) => {
    assertOrigin(request, options);
    const caller = await callerOf(request, options, challenge);
    request.principal = caller;
    const body = messageOf(request);
    const answer = await protocol();
    return await answer({ request, caller }, body);
  });
}

/** The metadata of the protected resource (RFC 9728, section 2). */
function metadataOf(issuer: string, publicUrl: () => string): () => Answer {
  return () => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: json(
      JSON.stringify({
        resource: publicUrl() + path,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Confab',
      }),
    ),
  });
}

/** Refuses the pages of other origins, which could call a server on the machine of their visitor (DNS rebinding). */
function assertOrigin({ headers }: HttpRequest, { publicUrl, origins }: McpOptions): void {
  const { origin } = headers;
  const isAllowed =
    origin === undefined || origins().includes(origin) || origin === new URL(publicUrl()).origin;
  if (!isAllowed) throw new Problem('origin_refused', 'Pages of this origin may not call this server.');
}

/** The caller of a message: a user or an API key, by the header alone. */
async function callerOf(
  { raw, headers, clientAddress: address }: HttpRequest,
  { authenticate }: McpOptions,
  challenge: () => string,
): Promise<Principal> {
  const onBehalfOf = single(headers['x-confab-user']);
  let refusal: Problem;
  try {
    const authorization = authorizationOf(raw, { takesTokenInQuery: false });
    const caller = await authenticate({ authorization, onBehalfOf, address });
    checkCaller({ caller: 'any', errors: [401] }, caller);
    return caller;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    refusal = error;
  }
  const { code, detail } = refusal;
  throw new Problem(code, detail, { cause: refusal, headers: { 'www-authenticate': challenge() } });
}

/** The message of a request. Throws `malformed_request` for none and for several. */
function messageOf({ body }: HttpRequest): JsonBody {
  if (body === undefined || typeof body === 'string')
    throw new Problem('malformed_request', 'Send one JSON-RPC message.');
  if (Array.isArray(body.value))
    throw new Problem(
      'malformed_request',
      'Send one JSON-RPC message for each request: batches are not taken.',
    );
  return body;
}
