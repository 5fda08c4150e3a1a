/** What the benchmark uses of the load generator, which brings no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  namespace autocannon {
    type Request = {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    };
    type Client = { setRequests(requests: readonly Request[]): void };
    type Options = {
      readonly url: string;
      readonly connections: number;
      /** In seconds. */
      readonly duration: number;
      readonly setupClient: (client: Client) => void;
    };
    /** Emits `response` with the client, the status, the bytes and the milliseconds. */
    type Instance = EventEmitter & PromiseLike<Result> & { stop(): void };
    type Result = { readonly errors: number; readonly timeouts: number; readonly duration: number };
  }

  function autocannon(options: autocannon.Options): autocannon.Instance;
  export = autocannon;
}
