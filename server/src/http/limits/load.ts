import { Problem } from 'confab-contract/problem.ts';
import type { HttpRequest } from '../request.ts';
import type { ClientLimits } from './client-limits.ts';

/**
 * The load of a node is the number of requests that it is answering. Each takes its turn, so the more there are, the
 * longer all of them wait. Above a number, a node refuses those that can best wait: first of API keys, whose programs
 * try again, such as imports; then changes of people; what people read comes last.
 *
 * A request is refused before anything is done for it. Operations that wait for something other than the store are not
 * counted, and neither is a request whose body has yet to arrive: they do not keep others waiting.
 */
export type Load = {
  /** Counts a request until `leave`; throws `too_busy`. */
  enter(request: HttpRequest): void;
  /** Counts a request whose body has arrived, if it is not counted. */
  resume(request: HttpRequest): void;
  /** Ends the count of a request, if it is counted. */
  leave(request: HttpRequest): void;
};

/** One for all, because it is thrown most when there is least time to make it. */
const tooBusy = new Problem('too_busy', 'The server has too many requests to answer. Try again later.');

/** Starts to count the requests of a node. */
export function createLoad({ runningMax }: Pick<ClientLimits, 'runningMax'>): Load {
  let running = 0;

  function count(request: HttpRequest): void {
    if (request.isRunning) return;
    request.isRunning = true;
    running += 1;
  }

  return {
    enter(request) {
      const kind = kindOf(request);
      if (kind === undefined) return;
      if (running >= runningMax[kind]) throw tooBusy;
      count(request);
    },
    resume(request) {
      if (kindOf(request) !== undefined) count(request);
    },
    leave(request) {
      if (!request.isRunning) return;
      request.isRunning = false;
      running -= 1;
    },
  };
}

/** The kind of caller that waits; undefined for a request that is not counted. The form of a credential shows an API key. */
function kindOf({ operation, headers }: HttpRequest): keyof ClientLimits['runningMax'] | undefined {
  const effect = operation?.effect;
  if (effect === undefined || effect === 'wait') return undefined;
  if (headers.authorization?.includes('wys_') === true) return 'key';
  return effect === 'add' || effect === 'change' ? 'change' : 'read';
}
