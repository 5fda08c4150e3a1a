import type { BodyOf, Operation, QueryOf } from 'confab-contract/operation.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { Input } from '../kernel/input.ts';
import type { Json } from '../kernel/json.ts';
import type { ListQuery, PageAnswer } from '../kernel/page.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Answer } from './answers/answer.ts';
import type { Conditions } from './answers/entity-tags.ts';
import type { IdempotencyKey } from './answers/idempotency-key.ts';
import type { FormFile } from './bodies/multipart.ts';
import type { HttpRequest } from './request.ts';

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

/** A call as the readers of an operation give it: each value is of the type that the operation declares for it. */
export type ReadCall = {
  readonly [K in keyof Call<Operation>]?: unknown;
} & Pick<Call<Operation>, 'raw'>;

/**
 * The call of an operation. The readers of its parameters, query and body are built from the operation, so what they read
 * has its types, but the compiler cannot follow a type through a schema that is only known when the server runs. The
 * catalogue guards it: `server/test/catalogue/` sends each field of a body, `server/test/engines/lists/` the parameters of lists.
 */
export function callOf<O extends Operation>(read: ReadCall): Call<O> {
  return read as unknown as Call<O>;
}
