/** Traces of requests, as every layer speaks of them. They are absent where the operator wants none. */

/** The part of a trace that one piece of work takes. */
export type Span = {
  /** Where this span stands in its trace, for the one who continues it (W3C Trace Context). */
  readonly traceparent: string;
  /** Ends the span; `attributes` are short facts without secrets. */
  end(attributes: { readonly [name: string]: string | number }, failure?: string): void;
};

/** Which requests are traced. */
export type Sampling = {
  /** Whether a request with a valid `traceparent` is traced exactly if its client traces it. */
  readonly isByParent: boolean;
  /** The part of the other requests that is traced, from 0 to 1. */
  readonly ratio: number;
};

/** Records traces and sends them to a collector. */
export type Traces = {
  /** Begins the span of a request, in the trace of its client if `traceparent` is valid; undefined if it is not traced. */
  request(name: string, traceparent: string | undefined): Span | undefined;
  /** Begins the span of work that a request or an earlier span, given by its `traceparent`, has caused. */
  child(name: string, kind: 'internal' | 'client', traceparent: string): Span;
  /** Runs `work`; what it calls finds `span` as the current one, also after it has awaited something. */
  within<T>(span: Span, work: () => T): T;
  /** The span that `within` was called with; undefined outside. */
  current(): Span | undefined;
  /** Sends what is left and stops. */
  close(): Promise<void>;
};
