import { Readable } from 'node:stream';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type BodyOf, type Operation, type QueryOf, takesIdempotencyKey } from '../contract/operation.ts';
import { resourceOf } from '../contract/representations.ts';
import { type NeededScope, scopesOf } from '../contract/scopes.ts';
import type { Ref } from '../kernel/ids.ts';
import { Input } from '../kernel/input.ts';
import type { Json } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { ListQuery, PageAnswer } from '../kernel/page.ts';
import type { Principal } from '../kernel/principal.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { Traces } from '../kernel/traces.ts';
import { turnEnd } from '../kernel/turn.ts';
import { allowOf, createAddresses, unknownMethod, unknownPath } from './addresses.ts';
import type { Answer } from './answers/answer.ts';
import { compressResponses } from './answers/compression.ts';
import { type Conditions, conditionsOf } from './answers/entity-tags.ts';
import { type IdempotencyKey, idempotencyKeyOf } from './answers/idempotency-key.ts';
import { problemBody, statusOf, toProblem } from './answers/problem-reply.ts';
import { representationsOf } from './answers/representations.ts';
import type { JsonBody } from './bodies/body.ts';
import { readBodies } from './bodies/body-parsers.ts';
import { type FormFile, receiveUpload } from './bodies/multipart.ts';
import { dropRefused, isOfUnreadBody } from './bodies/unread-body.ts';
import { type BodyReader, bodyReader } from './bodies/validate.ts';
import { checkCaller, checkScopes } from './caller-checks.ts';
import { assertHttp, authorizationOf, pathOf, refuseExpectation, refuseSocket } from './connection.ts';
import { awaitArrivals } from './limits/arrivals.ts';
import type { AddressOf } from './limits/client-address.ts';
import type { ClientLimits } from './limits/client-limits.ts';
import { createLoad } from './limits/load.ts';
import { createPatience } from './limits/patience.ts';
import { countRequest } from './limits/rate-fields.ts';
import type { Room } from './limits/room.ts';
import { createSockets } from './limits/sockets.ts';
import { linkToNext } from './queries/cursor.ts';
import { readParams } from './queries/path-parameters.ts';
import { isStrict } from './queries/prefer.ts';
import { readQuery } from './queries/query.ts';
import { requestIds } from './request-ids.ts';
import { traceRequests } from './request-traces.ts';
import {
  allowOrigins,
  boundsOf,
  createOriginLog,
  isWithoutRoute,
  nodeSettingsOf,
  reportRequests,
} from './server-settings.ts';
import { sessionOf } from './session-cookie.ts';
import { createUpgrades, type UpgradeHandler } from './upgrades.ts';

/** Path parameters of a call. */
export type ParamsOf<O extends Operation> = {
  readonly [K in keyof O['params']]: { id: number; ref: Ref; text: string }[O['params'][K]];
};

/** One request for an operation, parsed and typed, with its caller. */
export type Call<O extends Operation> = {
  readonly principal: Principal;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly list: O['list'] extends object ? ListQuery : undefined;
  readonly body: Input<BodyOf<O>>;
  /** Receives the file of an upload; see `receiveUpload`. */
  readonly receive: O['upload'] extends object
    ? <T>(keep: (file: FormFile) => Promise<T>) => Promise<T>
    : undefined;
  /** Present where the client marks the request for retries and the operation takes such marks. */
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** On what a change depends, for an operation that takes conditions. */
  readonly conditions: Conditions | undefined;
  /** The raw request, for ranges. */
  readonly raw: FastifyRequest;
};

/**
 * Answers a call: JSON with the operation's success status, a page of a list, nothing for an empty body, or a whole
 * response.
 */
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Json | PageAnswer | Answer | undefined>;

/** Answers a request for a path that is not an operation. */
export type PageHandler = (
  params: { readonly [name: string]: string },
  raw: FastifyRequest,
) => Promise<Answer>;

/**
 * Returns the caller of the Authorization header; throws `unauthorized` or `invalid_credential`. With the address of a
 * client it limits how many credentials that client can guess, and throws `rate_limited`.
 */
export type Authenticate = (headers: {
  authorization: string | undefined;
  onBehalfOf: string | undefined;
  session?: string | undefined;
  address?: string | undefined;
}) => Promise<Principal>;

/** Where features bind their operations. */
export type Http = {
  bind<const O extends Operation>(operation: O, handler: Handler<O>): void;
  /** Serves a path that is not an operation: a page, a document, the state of the process. */
  page(path: string, answer: PageHandler, method?: 'GET' | 'POST' | 'DELETE'): void;
  /** Upgrades connections at `path` to WebSockets, for users with an access token. */
  upgrade(path: string, handler: UpgradeHandler): void;
};

/** The parameters of the HTTP server. */
export type ServerOptions = {
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  /** Origins that may call the API from a browser (CORS); none by default. */
  readonly corsOrigins: readonly string[];
  readonly limits: ClientLimits;
  readonly rateLimits: RateLimits;
  readonly addressOf: AddressOf;
  readonly room: Room;
};

/** The HTTP server before it listens. */
export type Server = Http & {
  readonly fastify: FastifyInstance;
  /** Closes idle connections. Call it repeatedly until a stopping server is closed. */
  closeIdle(): void;
  /** Closes the list of routes: from now on, other methods of a known path return 405. */
  complete(): Promise<void>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** The scopes that an API key needs. */
    scopes?: readonly NeededScope[];
    /** Whether this is a method that the path does not have; see `addresses.ts`. */
    isHidden?: true;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
    /** The credential that identified the caller, to check it again later. */
    credential: Parameters<Authenticate>[0] | undefined;
    /** The address by which its client is counted; undefined where it is not. */
    clientAddress: string | undefined;
    /** The path in the syntax of the router, where the request has no route of its own. */
    pathWithoutRoute: string | undefined;
    /** Whether it counts as load (`load.ts`). */
    isRunning: boolean;
  }
}

/** Sent with every API response: it is never a page, so it must not be executed or framed. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const jsonType = 'application/json; charset=utf-8';

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function successStatus(operation: Operation): number {
  return Math.min(...Object.keys(operation.success).map(Number));
}

/** Longer bodies, in characters, are encoded here once; Node would measure, concatenate and encode a string. */
const stringBodyMax = 4096;

function bodyOf(text: string): string | Buffer {
  return text.length > stringBodyMax ? Buffer.from(text) : text;
}

function isAnswer(value: Json | Buffer | Answer | undefined): value is Answer {
  return typeof value === 'object' && !Buffer.isBuffer(value);
}

function isPage(value: Json | PageAnswer | Answer | undefined): value is PageAnswer {
  return typeof value === 'object' && 'next' in value;
}

/** Creates the HTTP server, which does not listen yet. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { limits: clientLimits } = options;
  const addresses = createAddresses();
  const load = createLoad(clientLimits);
  const patience = createPatience(clientLimits);
  const upgrades = createUpgrades({
    log: options.log,
    publicUrl: options.publicUrl,
    refusedMs: clientLimits.refusedMs,
    async authenticate(authorization, request) {
      const address = options.addressOf(request);
      const principal = await options.authenticate({ authorization, onBehalfOf: undefined, address });
      checkCaller({ caller: 'user', errors: [401] }, principal);
      return principal;
    },
  });
  const app = fastify({
    ...boundsOf(clientLimits),
    http: { ...nodeSettingsOf(clientLimits), shouldUpgradeCallback: upgrades.isWanted },
    genReqId: requestIds(),
    exposeHeadRoutes: true,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: patience.unlessExtended((error, socket) =>
      refuseSocket(error, socket, {
        publicUrl: options.publicUrl(),
        withinMs: clientLimits.refusedMs,
        isAnswering: sockets.isAnswering(socket),
      }),
    ),
  });
  app.decorateRequest('principal', undefined);
  app.decorateRequest('credential', undefined);
  app.decorateRequest('clientAddress', undefined);
  app.decorateRequest('pathWithoutRoute', undefined);
  app.decorateRequest('isRunning', false);
  upgrades.listen(app.server);
  const arrivals = awaitArrivals(app.server);
  const sockets = createSockets(app.server, { limits: clientLimits, log: options.log });
  app.server.on('checkExpectation', (_request, response) => refuseExpectation(response, options.publicUrl()));

  let isClosing = false;

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const operation =
      request.routeOptions?.config?.operation ??
      addresses.find(pathOf(request.raw))?.operations.get(request.method);
    const context = {
      operation,
      method: request.method,
      path: pathOf(request.raw),
      requestId: request.id,
      publicUrl: options.publicUrl(),
    };
    const problem = toProblem(error, context, options.log);
    const status = statusOf(problem, operation);
    options.metrics?.count('confab_http_problems_total', { code: problem.code });
    reply.headers({ ...apiHeaders, ...problem.headers });
    if (operation !== undefined && isStrict(request.headers))
      reply.header('preference-applied', 'handling=strict');
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    if (status === 503) reply.header('retry-after', '5');
    // The rest of an unread body would be parsed as the next request.
    if (isOfUnreadBody(status) || isClosing) reply.header('connection', 'close');
    return reply
      .code(status)
      .header('x-request-id', request.id)
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(problemBody(problem, context)));
  }

  app.setErrorHandler(async (error, request, reply) => {
    // Under load most answers are refusals, and they leave together as well.
    await turnEnd();
    await dropRefused(request.raw, error);
    return refuse(error, request, reply);
  });
  const { corsOrigins: allowed, publicUrl, log } = options;
  if (allowed.length > 0) await allowOrigins(app, allowed);
  const logOrigin = createOriginLog({ allowed, publicUrl, log });
  if (options.traces !== undefined) traceRequests(app, options.traces);
  app.addHook('onRequest', async (request, reply) => {
    await arrivals();
    load.enter(request);
    request.clientAddress = options.addressOf(request.raw);
    assertHttp(request.raw);
    if (isWithoutRoute(request)) return await answerWithoutRoute(request, reply);
    logOrigin(request);
    // The router matches an empty segment as a parameter without a value, but no path has one.
    if (Object.values(request.params as object).includes('')) throw unknownPath();
    const { operation, scopes = [] } = request.routeOptions.config;
    if (operation !== undefined && operation.caller !== 'anyone') {
      request.credential = {
        authorization: authorizationOf(request.raw, {
          takesTokenInQuery: operation.takesTokenInQuery === true,
        }),
        onBehalfOf: single(request.headers['x-confab-user']),
        // The connections of web components have a token of their own.
        session: operation.path.startsWith('/api/') ? sessionOf(request, options.publicUrl()) : undefined,
      };
      request.principal = await options.authenticate({
        ...request.credential,
        address: request.clientAddress,
      });
      checkCaller(operation, request.principal);
      checkScopes(scopes, request.principal);
    }
    await countRequest(options.rateLimits, request, reply);
    if (!request.raw.complete) load.leave(request);
  });
  app.addHook('onSend', async (request) => load.leave(request));
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  reportRequests(app, options);
  readBodies(app);
  compressResponses(app);

  /**
   * Answers a request whose path has no such method, before the credential is checked and the body is read: with 204 to
   * OPTIONS, with 405 to the others. Throws where nothing is at the path.
   */
  async function answerWithoutRoute(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const address = addresses.find(pathOf(request.raw));
    if (address === undefined) throw unknownPath();
    request.pathWithoutRoute = address.path;
    logOrigin(request);
    await countRequest(options.rateLimits, request, reply);
    reply.header('allow', allowOf(address));
    if (request.method !== 'OPTIONS') return refuse(unknownMethod(request), request, reply);
    return reply.headers(apiHeaders).code(204).send();
  }

  /** The receiver of an uploaded file; undefined for an operation without upload. */
  function receiverOf({ upload }: Operation, request: FastifyRequest) {
    if (upload === undefined) return undefined;
    return <T>(keep: (file: FormFile) => Promise<T>) =>
      patience.extended(request.raw, upload.bytesMax, () => receiveUpload(request, upload, keep));
  }

  /** Counts a response until its client has read it. A stream is only as large as its buffer and is not counted. */
  function countUnread({ principal }: FastifyRequest, reply: FastifyReply, body: string | Buffer): void {
    const userId = principal?.kind === 'token' ? principal.user.id : undefined;
    sockets.count(reply.raw, { userId, bytes: body.length });
  }

  function bind<const O extends Operation>(operation: O, handler: Handler<O>): void {
    const url = operation.path.replaceAll('{', ':').replaceAll('}', '');
    addresses.add(url, operation.method, operation);
    const readBody: BodyReader | undefined = operation.body === undefined ? undefined : bodyReader(operation);
    const status = successStatus(operation);
    const takesKey = takesIdempotencyKey(operation);
    const resource = resourceOf(operation);
    const represent = representationsOf(operation, options.publicUrl);
    app.route({
      method: operation.method,
      url,
      config: { operation, scopes: scopesOf(operation) },
      handler: async (request, reply) => {
        const strict = isStrict(request.headers);
        const query = readQuery(operation, request.url, {
          isStrict: strict,
          source: single(request.headers['x-weavy-source']),
        });
        const body =
          readBody === undefined
            ? Input.of(undefined)
            : readBody(request.body as JsonBody | undefined, { isStrict: strict });
        const call = {
          principal: request.principal,
          params: readParams(operation, request.params as Record<string, string>),
          query: query.own,
          list: query.list,
          body,
          receive: receiverOf(operation, request),
          idempotencyKey: takesKey ? idempotencyKeyOf(request) : undefined,
          conditions: resource && conditionsOf(request, resource.id),
          raw: request,
        } as unknown as Call<O>;
        options.room.check(operation);
        load.resume(request);
        const handled = await handler(call);
        // A write has already waited for its group.
        if (operation.method === 'GET') await turnEnd();
        // An open connection would delay the stop until the client closes it.
        if (isClosing) reply.header('connection', 'close');
        reply.headers(apiHeaders).header('x-request-id', request.id);
        if (strict) reply.header('preference-applied', 'handling=strict');
        const answer = isPage(handled) ? handled.body : handled;
        if (isPage(handled) && handled.next !== undefined) {
          const url = options.publicUrl() + request.url;
          const link = linkToNext({ operation, list: query.list, url }, handled.next);
          if (link !== undefined) reply.header('link', link);
        }
        const whole = isAnswer(answer)
          ? answer
          : answer === undefined
            ? { status }
            : { status, body: answer };
        const { status: code, headers, body: content } = represent(request, whole);
        if (headers !== undefined) reply.headers(headers);
        if (content === undefined) return reply.code(code).send();
        const bytes = typeof content === 'string' ? bodyOf(content) : content;
        if (!(bytes instanceof Readable)) countUnread(request, reply, bytes);
        if (headers?.['content-type'] === undefined) reply.header('content-type', jsonType);
        return reply.code(code).send(bytes);
      },
    });
  }

  return {
    fastify: app,
    bind,
    closeIdle: sockets.closeIdle,
    upgrade: upgrades.add,
    page(path, answer, method = 'GET') {
      addresses.add(path, method);
      app.route({
        method,
        url: path,
        handler: async (request, reply) => {
          const { status, headers, body } = await answer(request.params as Record<string, string>, request);
          return reply
            .code(status)
            .headers({ ...apiHeaders, ...headers })
            .header('x-request-id', request.id)
            .send(body);
        },
      });
    },
    async complete() {
      for (const { path, methods } of addresses.hidden())
        app.route({
          method: methods,
          url: path,
          config: { isHidden: true },
          // The hook of every request has answered it.
          handler: async () => undefined,
        });
      await app.ready();
    },
  };
}
