import { type Operation, refusesBanned } from 'confab-contract/operation.ts';
import { turnEnd } from '../kernel/turn.ts';
import { allowOf, unknownMethod, unknownPath } from './addresses.ts';
import type { Answer } from './answers/answer.ts';
import { problemAnswer, toProblem } from './answers/problem-reply.ts';
import { hasBody, readBody } from './bodies/read-body.ts';
import { dropRefused } from './bodies/unread-body.ts';
import type { createCallers } from './callers.ts';
import { assertHttp, pathOf } from './connection.ts';
import type { awaitArrivals } from './limits/arrivals.ts';
import type { createLoad } from './limits/load.ts';
import { countRequest } from './limits/rate-fields.ts';
import { isOpenedByPerson, wrongAddressAnswer } from './pages/wrong-address.ts';
import { isStrict } from './queries/prefer.ts';
import type { RefusedOrigins } from './refused-origins.ts';
import type { HttpRequest, Route } from './request.ts';
import type { createRouter } from './router.ts';
import type { ServerOptions } from './server-options.ts';

/** How long a body may arrive before the credential of its request is checked again, which costs a read, in milliseconds. */
const lateMs = 1000;

/** Whether an operation changes nothing and gives a whole response, in whose place another one can still be given. */
function isReading({ method, effect, media }: Operation): boolean {
  return method === 'GET' && (effect === 'read' || effect === 'list') && media === undefined;
}

/** The parts of a server that each request passes through. */
export type AnsweringParts = {
  readonly router: ReturnType<typeof createRouter>;
  readonly load: ReturnType<typeof createLoad>;
  readonly callers: ReturnType<typeof createCallers>;
  readonly arrivals: ReturnType<typeof awaitArrivals>;
  readonly refusedOrigins: RefusedOrigins;
};

/**
 * Answers requests whose route was looked for: each passes the limits, the check of its credential and the reading of its
 * body in this order, and is refused at the first that it does not pass.
 */
export function createAnswering(
  options: ServerOptions,
  { router, load, callers, arrivals, refusedOrigins }: AnsweringParts,
) {
  const { assuming, log, publicUrl, rateLimits } = options;

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
      refusedOrigins.look(request);
      // The router matches an empty segment as a parameter without a value, but no path has one.
      for (const name in request.params) if (request.params[name] === '') throw unknownPath();
      const { operation } = route;
      // What is answered to those without a credential is kept, so nothing in it may be assumed.
      const isAssuming =
        assuming !== undefined &&
        operation !== undefined &&
        isReading(operation) &&
        callers.hasCredential(request, operation);
      if (!isAssuming) return await answerAt(route, request);
      const { fields } = request;
      return await assuming(() => {
        // Nothing of an answer that is not given may be left, such as its link to the next page.
        request.beginAnew(fields);
        return answerAt(route, request);
      });
    } catch (error) {
      return await refusalOf(error, request);
    }
  }

  /** Answers a request at a route that it has. One that only reads may be answered a second time, and then counts twice. */
  async function answerAt(route: Route, request: HttpRequest): Promise<Answer> {
    const { raw } = request;
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
  }

  /**
   * Answers a request whose path has no such method, before the credential is checked and the body is read: with 204 to
   * OPTIONS, with 405 to the others. Throws where nothing is at the path.
   */
  async function answerWithoutRoute(request: HttpRequest): Promise<Answer> {
    const address = router.addressOf(request);
    refusedOrigins.look(request);
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
    if (problem.code === 'not_found' && operation === undefined && isOpenedByPerson(request))
      return wrongAddressAnswer(context.path, router.hasPage);
    return problemAnswer(problem, { ...context, isStrict: isStrict(request.headers) });
  }

  return { answerInTurn, refusalOf };
}
