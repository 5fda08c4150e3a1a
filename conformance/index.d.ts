/** A sentence, word for word. */
export interface Quote {
  readonly text: string;
  /** The number of its section in the specification, or its heading in the decisions. */
  readonly section: string;
  /** Whether it is a decision of Confab, made where the specification is silent. */
  readonly isDecision: boolean;
}

/** One question to a server. */
export interface Check {
  /** Such as `apps.create`, unique. */
  readonly id: string;
  /** What `only` selects. */
  readonly area: string;
  /** The sentence that a server breaks when the check fails. */
  readonly quote: Quote;
}

/** What a run is told. */
export interface Options {
  /** The address of the server, without `/api`. */
  readonly url: string;
  /** An API key with every right. */
  readonly key: string;
  /** The areas to check, or the ids of single checks; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Leaves out the checks that quote a decision; false by default. */
  readonly isSpecificationOnly?: boolean | undefined;
  /** An access token of a user; by default the run makes a user as Confab does. */
  readonly token?: string | undefined;
  /** An access token of another user. */
  readonly secondToken?: string | undefined;
  /** An API key that may only read, for what it is refused. */
  readonly weakKey?: string | undefined;
  /** The id of a post to comment on; by default the run makes one as Confab does. */
  readonly post?: number | undefined;
  /** The id of a file to comment on; by default the run makes one as Confab does. */
  readonly file?: number | undefined;
  /** The address on which the receiver of webhooks listens; 127.0.0.1 by default. */
  readonly receiverHost?: string | undefined;
  /** Its port; 0, the default, takes a free one. */
  readonly receiverPort?: number | undefined;
  /** The address under which the server reaches the receiver, if it is another one. */
  readonly receiverUrl?: string | undefined;
  /** How long a request may take, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How long the run waits for a delivery, in milliseconds; 30,000 by default. */
  readonly patienceMs?: number | undefined;
  /** Ends the run before the next request; what it has made is removed all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the first check with their number. */
  readonly onStart?: ((checks: number) => void) | undefined;
  /** Called after each check. */
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** How a check ended. */
export interface Result {
  readonly id: string;
  readonly area: string;
  /** The sentence that is broken, or that the check is about. */
  readonly quote: Quote;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** What was found, or why the server could not be asked. */
  readonly message?: string;
  /** The last request of a check that failed, without its credential. */
  readonly exchange?: {
    readonly request: string;
    readonly sent?: string;
    readonly status: number;
    readonly answer: string;
  };
}

/** An operation of the specification. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Every status that the specification lists for it. */
  readonly statuses: readonly number[];
}

/** What a run has found. */
export interface Report {
  readonly url: string;
  /** Whether every selected check was run. */
  readonly isComplete: boolean;
  /** Why the run ended early. */
  readonly stopped?: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly Result[];
  /** Each operation with the statuses that it may answer, and how often each was seen. */
  readonly operations: readonly (Operation & { readonly seen: Readonly<Record<string, number>> })[];
  /** What the run has made and could not remove, as methods and paths. */
  readonly leftBehind: readonly string[];
}

/** Every sentence that a check quotes. */
export const sentences: readonly Quote[];

/** The lists of the fields of each object; a finding about a field quotes its line instead of the check's sentence. */
export const fields: readonly Quote[];

/** The 27 operations. */
export const operations: readonly Operation[];

/** Every check, in the order in which they run. */
export const checks: readonly Check[];

/**
 * Asks a server the selected checks, one after the other, and removes what they have made. Rejects with an error named
 * `CannotRun` if the server does not answer, does not accept the key, or an area does not exist.
 */
export function run(options: Options): Promise<Report>;
