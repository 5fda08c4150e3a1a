import type { AddressInfo, Socket } from 'node:net';
import type { Operation } from 'confab-contract/operation.ts';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from '../kernel/node-http.ts';
import { createAnswering } from './answering.ts';
import type { Answer } from './answers/answer.ts';
import { createSender } from './answers/send.ts';
import type { Handler } from './call.ts';
import { createCallers, type NoteForm } from './callers.ts';
import { readTarget, refuseExpectation, refuseSocket } from './connection.ts';
import { createWithin, type Within } from './inner-request.ts';
import { awaitArrivals } from './limits/arrivals.ts';
import { createLoad } from './limits/load.ts';
import { createPatience } from './limits/patience.ts';
import { createSockets } from './limits/sockets.ts';
import { type Listening, startListening } from './listening.ts';
import { createOperationRoutes } from './operation-route.ts';
import { createRefusedOrigins, type RefusedOrigins } from './refused-origins.ts';
import { HttpRequest, type PathParams, type Route } from './request.ts';
import { requestIds } from './request-ids.ts';
import { createReports } from './request-log.ts';
import { beginSpan } from './request-traces.ts';
import { createRouter } from './router.ts';
import type { ServerOptions } from './server-options.ts';
import { nodeSettingsOf, originsOf } from './server-settings.ts';
import { createUpgrades, type UpgradeHandler } from './upgrades.ts';
import { createVisitorAnswers } from './visitors.ts';

/** Handles a request for a path that is not an operation. */
export type PageHandler = (params: PathParams, raw: HttpRequest) => Promise<Answer>;

/** Where features bind their operations. */
export type Http = {
  bind<const O extends Operation>(operation: O, handler: Handler<O>): void;
  /** Serves a path that is not an operation: a page, a document, the state of the process. */
  page(path: string, answer: PageHandler, method?: 'GET' | 'POST' | 'DELETE'): void;
  /** Whether a page is at a path. */
  hasPage(path: string): boolean;
  /** Serves a path that other sites redirect browsers to with GET and that changes something. HEAD is 405. */
  changingPage(path: string, answer: PageHandler): void;
  /** Serves a path that takes JSON with POST and is not an operation; the handler gets it as `body` of the request. */
  json(path: string, answer: PageHandler): void;
  /** Runs an operation within a running request, with the credential and the limits of its client. */
  readonly within: Within;
  /** Upgrades connections at `path` to WebSockets, for users with an access token. */
  upgrade(path: string, handler: UpgradeHandler): void;
  /** Makes `note` get each request with an access token that asks for the second form. */
  onForm(note: NoteForm): void;
};

/** The HTTP server before it listens. */
export type Server = Http & {
  readonly refusedOrigins: RefusedOrigins;
  /** Closes the list of routes: from now on, other methods of a known path return 405. */
  complete(): void;
  /** Starts to listen on every address of `host`; rejects if one of them is in use. */
  listen(at: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /**
   * Resolves when every running request has its response. Keep-alive connections are closed after their
   * response.
   */
  close(): Promise<void>;
  /** Closes idle connections. Call it repeatedly until a stopping server is closed. */
  closeIdle(): void;
};

/** Creates the HTTP server, which does not listen yet. */
export function createServer(options: ServerOptions): Server {
  const { limits: clientLimits, log, publicUrl, room, traces } = options;
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
  const allowOrigin = originsOf(options.origins);
  const reports = createReports(options);
  const send = createSender(countUnread);
  const parts = { router, load, callers, arrivals, refusedOrigins: createRefusedOrigins(options) };
  const { answerInTurn, refusalOf } = createAnswering(options, parts);
  const answerVisitors = createVisitorAnswers(options.changes);
  const routeOf = createOperationRoutes({ publicUrl, room, load, patience, answerVisitors });
  let listening: Listening | undefined;
  let isClosing = false;

  async function serve(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    readTarget(raw);
    const request = new HttpRequest(raw, response, nextId(raw));
    router.find(request);
    const handedOver = reports.follow(request);
    allowOrigin(request);
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

  /**
   * Counts the bytes of the response of an operation until its client has read it. A stream counts only as
   * large as its buffer.
   */
  function countUnread({ operation, principal, response }: HttpRequest, bytes: number): void {
    if (operation === undefined) return;
    const userId =
      principal === undefined || principal.kind === 'key' || principal.user.id === 0
        ? undefined
        : principal.user.id;
    sockets.count(response, { userId, bytes });
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
    bind: (operation, handler) => router.add(operation.method, routeOf(operation, handler)),
    upgrade: upgrades.add,
    onForm: callers.onForm,
    page: (path, answerPage, method = 'GET') => addPage({ path }, method, answerPage),
    hasPage: router.hasPage,
    changingPage: (path, answerPage) => addPage({ path, changes: true }, 'GET', answerPage),
    json: (path, answerPage) => addPage({ path, takesJson: true }, 'POST', answerPage),
    within: createWithin({
      find: router.find,
      answer: answerInTurn,
      refuse: refusalOf,
      report: reports.report,
    }),
    refusedOrigins: parts.refusedOrigins,
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
