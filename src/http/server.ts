import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type BodyOf,
  type Operation,
  type QueryOf,
  refusesBanned,
  takesIdempotencyKey,
} from '../contract/operation.ts';
import { resourceOf } from '../contract/representations.ts';
import { scopesOf } from '../contract/scopes.ts';
import type { Bans } from '../kernel/bans.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ref } from '../kernel/ids.ts';
import { Input } from '../kernel/input.ts';
import type { Json } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { ListQuery, PageAnswer } from '../kernel/page.ts';
import { isSignedIn, type Principal } from '../kernel/principal.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { Traces } from '../kernel/traces.ts';
import { turnEnd } from '../kernel/turn.ts';
import { allowOf, unknownMethod, unknownPath } from './addresses.ts';
import type { Answer } from './answers/answer.ts';
import { type Conditions, conditionsOf } from './answers/entity-tags.ts';
import { type IdempotencyKey, idempotencyKeyOf } from './answers/idempotency-key.ts';
import { allowOfList, isPage } from './answers/list-answer.ts';
import { problemAnswer, toProblem } from './answers/problem-reply.ts';
import { representationsOf } from './answers/representations.ts';
import { createSender } from './answers/send.ts';
import type { JsonBody } from './bodies/body.ts';
import { type FormFile, receiveUpload } from './bodies/multipart.ts';
import { hasBody, readBody } from './bodies/read-body.ts';
import { dropRefused } from './bodies/unread-body.ts';
import { type BodyReader, bodyReader } from './bodies/validate.ts';
import { createCallers } from './callers.ts';
import { assertHttp, pathOf, readTarget, refuseExpectation, refuseSocket } from './connection.ts';
import { createWithin, type Within } from './inner-request.ts';
import { awaitArrivals } from './limits/arrivals.ts';
import type { AddressOf } from './limits/client-address.ts';
import type { ClientLimits } from './limits/client-limits.ts';
import { createLoad } from './limits/load.ts';
import { createPatience } from './limits/patience.ts';
import { countRequest } from './limits/rate-fields.ts';
import type { Room } from './limits/room.ts';
import { createSockets } from './limits/sockets.ts';
import { type Listening, startListening } from './listening.ts';
import { linkToNext } from './queries/cursor.ts';
import { paramsReader } from './queries/path-parameters.ts';
import { isStrict } from './queries/prefer.ts';
import { queryReader } from './queries/query.ts';
import { type Credential, HttpRequest, type PathParams, type Route, single } from './request.ts';
import { requestIds } from './request-ids.ts';
import { createReports, type LogStream } from './request-log.ts';
import { beginSpan } from './request-traces.ts';
import { createRouter } from './router.ts';
import { createOriginLog, nodeSettingsOf, originsOf } from './server-settings.ts';
import { createUpgrades, type UpgradeHandler } from './upgrades.ts';
import {
  type Changes,
  createVisitorAnswers,
  refuseVisitor,
  type VisitorAnswer,
  visitorQueryCheck,
} from './visitors.ts';

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
  readonly raw: HttpRequest;
};

/**
 * Answers a call: JSON with the operation's success status, a page of a list, nothing for an empty body, or a whole
 * response.
 */
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Json | PageAnswer | Answer | undefined>;

/** Answers a request for a path that is not an operation. */
export type PageHandler = (params: PathParams, raw: HttpRequest) => Promise<Answer>;

/**
 * Returns the caller of the Authorization header; throws `unauthorized` or `invalid_credential`. With the address of a
 * client it limits how many credentials that client can guess, and throws `rate_limited`.
 */
export type Authenticate = (credential: Credential) => Promise<Principal>;

/** Where features bind their operations. */
export type Http = {
  bind<const O extends Operation>(operation: O, handler: Handler<O>): void;
  /** Serves a path that is not an operation: a page, a document, the state of the process. */
  page(path: string, answer: PageHandler, method?: 'GET' | 'POST' | 'DELETE'): void;
  /** Serves a path to which others send browsers with GET, and that changes something. HEAD is 405. */
  changingPage(path: string, answer: PageHandler): void;
  /** Serves a path that takes JSON with POST and is not an operation; the handler gets it as `body` of the request. */
  json(path: string, answer: PageHandler): void;
  /** Runs an operation for the client of a request that is being answered, with its credential and within its limits. */
  readonly within: Within;
  /** Upgrades connections at `path` to WebSockets, for users with an access token. */
  upgrade(path: string, handler: UpgradeHandler): void;
};

/** The parameters of the HTTP server. */
export type ServerOptions = {
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the lines of requests go; undefined where none are wanted. */
  readonly requestLog?: LogStream | undefined;
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  /** Origins that may call the API from a browser (CORS); none by default. */
  readonly corsOrigins: readonly string[];
  readonly limits: ClientLimits;
  readonly rateLimits: RateLimits;
  /** Which addresses visitors may not come from. */
  readonly bans: Bans;
  /** Which apps have changed, for what is kept for visitors. */
  readonly changes: Changes;
  readonly addressOf: AddressOf;
  readonly room: Room;
};

/** The HTTP server before it listens. */
export type Server = Http & {
  /** Closes the list of routes: from now on, other methods of a known path return 405. */
  complete(): void;
  /** Starts to listen, at every address that `host` has; rejects where one of them is in use. */
  listen(at: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /** Resolves when every running request has its response. Connections that are kept open are closed after theirs. */
  close(): Promise<void>;
  /** Closes idle connections. Call it repeatedly until a stopping server is closed. */
  closeIdle(): void;
};

/** How long a body may arrive before the credential of its request is checked again, which costs a read, in milliseconds. */
const lateMs = 1000;

const jsonType = 'application/json; charset=utf-8';

function isAnswer(value: Json | Buffer | Answer | undefined): value is Answer {
  return typeof value === 'object' && !Buffer.isBuffer(value);
}

/** Creates the HTTP server, which does not listen yet. */
export function createServer(options: ServerOptions): Server {
  const { limits: clientLimits, log, publicUrl, rateLimits, traces } = options;
  const nextId = requestIds();
  const router = createRouter();
  const load = createLoad(clientLimits);
  const patience = createPatience(clientLimits);
  const callers = createCallers(options);
  const upgrades = createUpgrades({
    log,
    publicUrl,
    refusedMs: clientLimits.refusedMs,
    authenticate: (authorization, request) => callers.ofUpgrade(authorization, options.addressOf(request)),
  });
  const server = createHttpServer({
    ...nodeSettingsOf(clientLimits),
    shouldUpgradeCallback: upgrades.isWanted,
  });
  server.timeout = clientLimits.unreadMs;
  upgrades.listen(server);
  const arrivals = awaitArrivals(server);
  const sockets = createSockets(server, { limits: clientLimits, log });
  const clientError = patience.unlessExtended((error, socket) =>
    refuseSocket(error, socket, {
      publicUrl: publicUrl(),
      withinMs: clientLimits.refusedMs,
      isAnswering: sockets.isAnswering(socket),
    }),
  );
  server.on('clientError', (error, socket) => clientError(error, socket as Socket));
  server.on('checkExpectation', (_request, response) => refuseExpectation(response, publicUrl()));
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    serve(raw, response).catch((error: unknown) => {
      log.error({ err: error }, 'a response could not be sent');
      response.destroy();
    });
  });
  const logOrigin = createOriginLog({ allowed: options.corsOrigins, publicUrl, log });
  const allowOrigin = originsOf(options.corsOrigins);
  const reports = createReports(options);
  const send = createSender(countUnread);
  const answerVisitors = createVisitorAnswers(options.changes);
  let listening: Listening | undefined;
  let isClosing = false;

  async function serve(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    readTarget(raw);
    const request = new HttpRequest(raw, response, nextId(raw));
    router.find(request);
    const handedOver = reports.follow(request);
    allowOrigin?.(request);
    const span = traces && beginSpan(traces, request);
    try {
      const answer = await (span && traces
        ? traces.within(span, () => answerInTurn(request))
        : answerInTurn(request));
      // An open connection would delay the stop until the client closes it.
      if (isClosing) request.fields.connection = 'close';
      try {
        await send(request, answer);
      } catch (error) {
        await send(request, await refusalOf(error, request));
      }
    } finally {
      handedOver();
    }
  }

  /** The answer to a request that counts as load until then. */
  async function answerInTurn(request: HttpRequest): Promise<Answer> {
    const answer = await answerTo(request);
    // A write has waited for its group already. Under load most answers are refusals.
    if (request.operation?.method === 'GET' || answer.status >= 400) await turnEnd();
    load.leave(request);
    return answer;
  }

  /** The answer to a request, which refuses it where it cannot be answered. */
  async function answerTo(request: HttpRequest): Promise<Answer> {
    try {
      const arriving = arrivals();
      if (arriving !== undefined) await arriving;
      load.enter(request);
      const { raw, route } = request;
      request.clientAddress = options.addressOf(raw);
      assertHttp(raw);
      if (route === undefined) return await answerWithoutRoute(request);
      logOrigin(request);
      // The router matches an empty segment as a parameter without a value, but no path has one.
      for (const name in request.params) if (request.params[name] === '') throw unknownPath();
      const { operation } = route;
      if (operation !== undefined) await callers.identify(request, { ...route, operation });
      const counting = countRequest(rateLimits, request);
      if (counting !== undefined) await counting;
      if (operation !== undefined && request.principal?.kind === 'visitor' && refusesBanned(operation)) {
        const knowing = options.bans.assertFree(request.clientAddress);
        if (knowing !== undefined) await knowing;
      }
      if (hasBody(request)) {
        if (!raw.complete) load.leave(request);
        const since = performance.now();
        request.body = await readBody(request);
        // The client may have been suspended meanwhile. Forms are proved at their end (`multipart.ts`).
        if (performance.now() - since > lateMs && raw.complete) await callers.identifyAgain(request);
      }
      return await route.answer(request);
    } catch (error) {
      return await refusalOf(error, request);
    }
  }

  /**
   * Answers a request whose path has no such method, before the credential is checked and the body is read: with 204 to
   * OPTIONS, with 405 to the others. Throws where nothing is at the path.
   */
  async function answerWithoutRoute(request: HttpRequest): Promise<Answer> {
    const address = router.addressOf(request);
    logOrigin(request);
    await countRequest(rateLimits, request);
    request.fields.allow = allowOf(address);
    if (request.method !== 'OPTIONS') throw unknownMethod(request);
    return { status: 204 };
  }

  /** The response that refuses a request. */
  async function refusalOf(error: unknown, request: HttpRequest): Promise<Answer> {
    await dropRefused(request.raw, error);
    const operation = request.operation ?? router.operationMeant(request);
    const { id: requestId, method, raw } = request;
    const context = { operation, method, path: pathOf(raw), requestId, publicUrl: publicUrl() };
    const problem = toProblem(error, context, log);
    options.metrics?.count('confab_http_problems_total', { code: problem.code });
    return problemAnswer(problem, { ...context, isStrict: isStrict(request.headers) });
  }

  /** The receiver of an uploaded file; undefined for an operation without upload. */
  function receiverOf({ upload }: Operation, request: HttpRequest) {
    if (upload === undefined) return undefined;
    return <T>(keep: (file: FormFile) => Promise<T>) =>
      patience.extended(request.raw, upload.bytesMax, () => receiveUpload(request, upload, keep));
  }

  /** Counts the response of an operation until its client has read it. A stream is only as large as its buffer. */
  function countUnread({ operation, principal, response }: HttpRequest, bytes: number): void {
    if (operation === undefined) return;
    const userId =
      principal === undefined || principal.kind === 'key' || principal.user.id === 0
        ? undefined
        : principal.user.id;
    sockets.count(response, { userId, bytes });
  }

  function bind<const O extends Operation>(operation: O, handler: Handler<O>): void {
    const readParams = paramsReader(operation);
    const readQuery = queryReader(operation);
    const readBodyOf: BodyReader | undefined =
      operation.body === undefined ? undefined : bodyReader(operation);
    const status = Math.min(...Object.keys(operation.success).map(Number));
    const takesKey = takesIdempotencyKey(operation);
    const resource = resourceOf(operation);
    const represent = representationsOf(operation, publicUrl);
    const checkVisitorQuery = visitorQueryCheck(operation);
    const listOf = ({ url }: HttpRequest) => readQuery(url, { isStrict: false, source: undefined }).list;

    async function makeForVisitors(request: HttpRequest): Promise<VisitorAnswer> {
      const query = readQuery(request.url, { isStrict: false, source: undefined });
      checkVisitorQuery(request.url, query.list);
      const handled = await handler({
        principal: request.principal,
        params: readParams(request.params),
        query: query.own,
        list: query.list,
        body: Input.of(undefined),
        raw: request,
      } as unknown as Call<O>);
      const result = isPage(handled) ? handled.body : handled;
      if (typeof result !== 'string' && !Buffer.isBuffer(result))
        throw new Error(`${operation.id} gives visitors no JSON`);
      const next = isPage(handled) ? handled.next : undefined;
      const url = publicUrl() + request.url;
      const link = next === undefined ? undefined : linkToNext({ operation, list: query.list, url }, next);
      const { visitedAppId: appId } = request;
      const isAbsent = appId === undefined && 'page' in query.own;
      return { body: result, link, allow: allowOfList(handled), appId, isAbsent };
    }

    function answer(request: HttpRequest): Answer | Promise<Answer> {
      const { principal } = request;
      if (principal?.kind !== 'visitor' || operation.caller === 'anyone') return answerCaller(request);
      if (isSignedIn(principal)) {
        if (operation.visitors !== undefined) checkVisitorQuery(request.url, listOf(request));
        return answerCaller(request);
      }
      // A stream cannot be kept.
      if (operation.media !== undefined) return answerCaller(request).catch(refuseVisitor);
      return answerVisitors(request, makeForVisitors);
    }

    async function answerCaller(request: HttpRequest): Promise<Answer> {
      const strict = isStrict(request.headers);
      const query = readQuery(request.url, {
        isStrict: strict,
        source: single(request.headers['x-weavy-source']),
      });
      // A body of the wrong shape is refused before a path that can name nothing.
      const body =
        readBodyOf?.(request.body as JsonBody | undefined, { isStrict: strict }) ?? Input.of(undefined);
      const call = {
        principal: request.principal,
        params: readParams(request.params),
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
      const result = isPage(handled) ? handled.body : handled;
      const whole = isAnswer(result) ? result : { status, ...(result === undefined ? {} : { body: result }) };
      const represented = represent(request, whole);
      const { fields } = request;
      if (strict) fields['preference-applied'] = 'handling=strict';
      if (isPage(handled) && handled.next !== undefined) {
        const url = publicUrl() + request.url;
        const link = linkToNext({ operation, list: query.list, url }, handled.next);
        if (link !== undefined) fields.link = link;
      }
      const allow = allowOfList(handled);
      if (allow !== undefined) fields.allow = allow;
      if (represented.body !== undefined) fields['content-type'] = jsonType;
      return represented;
    }

    const path = operation.path.replaceAll('{', ':').replaceAll('}', '');
    router.add(operation.method, { path, operation, scopes: scopesOf(operation), answer });
  }

  function addPage(
    route: Pick<Route, 'path' | 'takesJson' | 'changes'>,
    method: string,
    answerPage: PageHandler,
  ): void {
    const answer = (request: HttpRequest) => answerPage(request.params, request);
    router.add(method, { ...route, operation: undefined, scopes: [], answer });
  }

  return {
    bind,
    upgrade: upgrades.add,
    page: (path, answerPage, method = 'GET') => addPage({ path }, method, answerPage),
    changingPage: (path, answerPage) => addPage({ path, changes: true }, 'GET', answerPage),
    json: (path, answerPage) => addPage({ path, takesJson: true }, 'POST', answerPage),
    within: createWithin({
      find: router.find,
      answer: answerInTurn,
      refuse: refusalOf,
      report: reports.report,
    }),
    complete: router.complete,
    async listen(at) {
      listening = await startListening(server, at);
      return listening.address;
    },
    async close() {
      isClosing = true;
      await listening?.close();
      reports.flush();
    },
    closeIdle: sockets.closeIdle,
  };
}
