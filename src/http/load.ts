import type { Operation } from '../contract/operation.ts';
import type { Principal } from '../kernel/principal.ts';
import { Problem } from '../kernel/problem.ts';
import type { ClientLimits } from './client-limits.ts';

/**
 * The load of a node is the number of requests that it is answering. Each takes its turn, so the more there are, the
 * longer all of them wait. Above a number, a node refuses those that can best wait: first of API keys, whose programs
 * try again, such as imports; then changes of people; what people read comes last.
 *
 * Operations that wait for something other than the store are not counted: they do not keep others waiting.
 */
export type Load = {
  /** Counts a request and returns the function that ends it; throws `too_busy`. */
  enter(operation: Operation, principal: Principal | undefined): () => void;
};

/** Starts to count the requests of a node. */
export function createLoad({ runningMax }: Pick<ClientLimits, 'runningMax'>): Load {
  let running = 0;
  const leave = () => {
    running -= 1;
  };
  return {
    enter({ effect }, principal) {
      if (effect === 'wait') return () => undefined;
      const changes = effect === 'add' || effect === 'change';
      const kind = principal?.kind === 'key' ? 'key' : changes ? 'change' : 'read';
      if (running >= runningMax[kind])
        throw new Problem('too_busy', 'The server has too many requests to answer. Try again later.');
      running += 1;
      return leave;
    },
  };
}
