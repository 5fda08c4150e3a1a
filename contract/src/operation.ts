import type { Static, TObject, TSchema } from 'typebox';
import type { Effect, On, OnTarget } from './policy.ts';
import type { NeededScope } from './scopes.ts';

/** How a path parameter is read: an integer id, an id or a uid, or the text itself. */
export type ParamKind = 'id' | 'ref' | 'text';

type Order = { readonly field: string; readonly descending: boolean };

/** The fields by which a list can be sorted, and those that it can expand. Field names are those of the wire. */
export type ListSpec = {
  readonly orderBy: readonly [string, ...string[]];
  /** Ascending by the first field of `orderBy` when absent. */
  readonly defaultOrder?: Order;
  readonly expand: readonly string[];
  /** Whether `order_by` may name further fields after a comma. The first decides, and ties are broken as the list does. */
  readonly takesSeveral?: true;
  /** Whether a user may see only few of the rows that the list reads to fill a page, so that it can take long. */
  readonly isSparse?: true;
};

/** The default order of a list. */
export function defaultOrderOf({
  orderBy: [field],
  defaultOrder = { field, descending: false },
}: ListSpec): Order {
  return defaultOrder;
}

/**
 * One operation as data. The route, the validation, the OpenAPI document, the reference page and the coverage of the
 * tests are all derived from it.
 */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path relative to the server, with parameters in braces. */
  readonly path: string;
  readonly tag: string;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  /**
   * Who may call: anyone with a credential, only an API key, only a user's access token, only a visitor who has signed in,
   * or anyone at all.
   */
  readonly caller: 'any' | 'key' | 'user' | 'visitor' | 'anyone';
  /** The target of the operation, and the right on it. */
  readonly on?: On;
  /** Its effect on the store. */
  readonly effect?: Effect;
  /**
   * Which of its changes can run beside each other, because neither reads what the other changes: those of different items
   * of the kind in its path, of different callers, or of different apps. Those of other operations with the same word can as
   * well. `shown item` is `item` for what shows a comment again, which may reopen its thread, so the first comment of that
   * must not be changed beside it by an edit. Where the word is absent, each change runs alone.
   */
  readonly concurrentBy?: 'item' | 'shown item' | 'caller' | 'app';
  /** The scopes that an API key needs where they follow from neither `on` nor the method; see `scopesOf`. */
  readonly scopes?: readonly NeededScope[];
  /** The parameters of the path, in order. */
  readonly params: { readonly [name: string]: ParamKind };
  /** Query parameters in addition to those of `list`. */
  readonly query?: TObject;
  readonly list?: ListSpec;
  /**
   * The orders and query parameters that make it read far more than it returns: names, or `name=value` for
   * one value of a parameter. Such a request runs separately from others (`Db.readLong`).
   */
  readonly scans?: readonly string[];
  /** A JSON body. On PATCH and PUT a field may be null, which clears it; on POST null is the same as absent. */
  readonly body?: TSchema;
  /** Fields that cannot be cleared; null is refused. */
  readonly neverNull?: readonly string[];
  /** The one part of a multipart/form-data body, instead of a JSON body: a file of at most `bytesMax` bytes. */
  readonly upload?: { readonly part: string; readonly bytesMax: number };
  /** The body is plain text, instead of JSON. */
  readonly takesText?: true;
  /** The media type of a success that is not JSON. */
  readonly media?: 'text/event-stream' | 'text/plain' | 'application/x-tar';
  /**
   * Whether the access token may be in the query parameter `access_token`: browsers cannot set headers on some
   * requests.
   */
  readonly takesTokenInQuery?: true;
  /** The response of each success status; null is an empty body. */
  readonly success: { readonly [status: number]: TSchema | null };
  /**
   * The body of its 200 for a request without a credential. With it, such a request may call the operation
   * for an app that is open to visitors; without it, no request without a credential may.
   */
  readonly visitors?: TSchema;
  /**
   * The body of its success for a visitor who has signed in; null for an empty body. If it is absent, such a
   * visitor may call the operation only if a caller without a credential may.
   */
  readonly signedIn?: TSchema | null;
  /**
   * Whether visitors with a banned address may use it to change something, because it affects no other user.
   */
  readonly isForBanned?: true;
  /** The error statuses it may return, in addition to those of any request. */
  readonly errors: readonly number[];
  /** The problem codes of scope `named` that it may return, because of its rules rather than its shape. */
  readonly problems?: readonly string[];
  /** Whether its response contains a secret that the server does not store. */
  readonly answersSecret?: true;
  /**
   * Whether it takes the place of the operation with its method and path, for requests that ask for the second form
   * (`second-form/`).
   */
  readonly replaces?: true;
  /** An example of a body, for the reference. */
  readonly example?: unknown;
};

/** Whether visitors with a banned address may not call an operation: signing in, and most changes. */
export function refusesBanned({ method, caller, signedIn, isForBanned }: Operation): boolean {
  const isForVisitors = caller === 'visitor' || caller === 'anyone' || signedIn !== undefined;
  return method !== 'GET' && isForVisitors && isForBanned !== true;
}

/**
 * Whether an operation takes the header `Idempotency-Key` (decision 0061): a POST or PATCH that changes the
 * store in one transaction, unless its response contains a secret, which must not be stored. PUT and DELETE
 * can be repeated without it.
 */
export function takesIdempotencyKey({ method, effect, answersSecret }: Operation): boolean {
  const isChange = effect === 'add' || effect === 'change';
  return (method === 'POST' || method === 'PATCH') && isChange && answersSecret !== true;
}

/**
 * The kind under which rate limits count an operation (decision 0067); a GET that searches counts as
 * `search`.
 */
export function rateKindOf({
  method,
  tag,
  upload,
}: Operation): 'read' | 'write' | 'upload' | 'live' | 'signin' {
  if (upload !== undefined) return 'upload';
  if (tag === 'Signing in' && method === 'POST') return 'signin';
  // Live connections and typing notices, of which clients send many.
  if (tag === 'Realtime') return 'live';
  return method === 'GET' ? 'read' : 'write';
}

type Declared = Omit<Operation, 'id' | 'tag' | 'params'> &
  Partial<Pick<Operation, 'tag' | 'params'>> &
  // Every operation that a key can use to change something has a scope, from its target or of its own.
  (
    | { readonly method: 'GET' }
    | { readonly caller: 'user' | 'visitor' | 'anyone' }
    | { readonly on: OnTarget }
    | { readonly scopes: readonly [NeededScope, ...NeededScope[]] }
  );

const named = ['app', 'user', 'directory'] as const;

type NamesIn<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | NamesIn<Rest> : never;
type ParamsIn<O extends Declared> = {
  readonly [N in NamesIn<O['path']>]: O['params'] extends { readonly [K in N]: infer Kind extends ParamKind }
    ? Kind
    : N extends (typeof named)[number]
      ? 'ref'
      : 'id';
};

function paramsIn(path: string): Operation['params'] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, named.some((one) => one === name) ? 'ref' : 'id']));
}

/**
 * Declares operations, keeping their exact types: each has its key as id and, unless it names another, this tag. A path
 * parameter called `app`, `user` or `directory` is a reference. Any other is an id, unless `params` declares it as
 * text.
 */
export function operationsOf<const O extends { readonly [id: string]: Declared }>(tag: string, declared: O) {
  const all = Object.entries(declared).map(([id, each]) => {
    const params = { ...paramsIn(each.path), ...each.params };
    return [id, { id, tag, ...each, params }];
  });
  return Object.fromEntries(all) as {
    readonly [I in keyof O & string]: O[I] & {
      readonly id: I;
      readonly tag: string;
      readonly params: ParamsIn<O[I]>;
    };
  };
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]: T[K] | null };
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** A body whose optional fields may be null. */
export type Clearable<T> = T extends readonly unknown[] ? T : Required<T> & Optional<T>;

/** The type of an operation's body as features receive it. */
export type BodyOf<O extends Operation> = O['body'] extends TSchema
  ? O['method'] extends 'PATCH' | 'PUT'
    ? Clearable<Static<O['body']>>
    : Static<O['body']>
  : undefined;

/** The type of an operation's own query parameters as features receive them. */
export type QueryOf<O extends Operation> = O['query'] extends TObject
  ? Static<O['query']>
  : Record<never, never>;
