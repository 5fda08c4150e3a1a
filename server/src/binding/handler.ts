import type { BodyOf, Operation, QueryOf } from 'confab-contract/operation.ts';
import type { Effect, On } from 'confab-contract/policy.ts';
import { Problem } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type Access, resolverOf } from '../access/targets.ts';
import type { Db, JobKind, Read, Tx } from '../db/db.ts';
import type { Answer as HttpAnswer } from '../http/answers/answer.ts';
import type { Call as HttpCall, ParamsOf } from '../http/call.ts';
import type { Http } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Input } from '../kernel/input.ts';
import type { Json } from '../kernel/json.ts';
import { canTakeLong, type ListQuery, type PageAnswer } from '../kernel/page.ts';
import type { Principal } from '../kernel/principal.ts';
import { createRetries, type Keep } from './retries.ts';

/**
 * Binds operations to functions. The contract declares the target of an operation, the right that it
 * requires, and its effect on the store. From this the binding opens the transaction or the reader, resolves
 * the target in it (404, then 403), validates the body (422) and calls the function with the proof. A
 * function has no other access to an app or its content, so code without the check does not compile.
 */

/** An operation that declares its target and its effect on the store. */
export type DeclaredOperation = Operation & { readonly on: On; readonly effect: Effect };

/** The result of an operation: JSON with its one success status, a page of a list, nothing for an empty body, or a whole response. */
export type Result = Json | PageAnswer | HttpAnswer | undefined;

type StoreOf<E extends Effect> = E extends 'add' | 'change'
  ? { readonly tx: Tx }
  : E extends 'wait'
    ? { readonly db: Db }
    : { readonly read: Read };

/**
 * One request as the function of its operation gets it. `body` is valid, unless the operation declares a
 * policy of its own (`own`).
 */
export type Call<O extends DeclaredOperation, B = BodyOf<O>> = StoreOf<O['effect']> & {
  readonly caller: Principal;
  /** The target of the operation: the proof that the caller has the right that the contract requires. */
  readonly on: Access<O['on']>;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly list: O['list'] extends object ? ListQuery : undefined;
  readonly body: O['on'] extends { readonly own: string } ? Input<B> : B;
  /** The time of the request, used for everything that it writes. */
  readonly at: UnixMs;
  /** Receives the file of an upload; absent where the contract declares none. */
  readonly receive: HttpCall<O>['receive'];
  readonly raw: HttpCall<O>['raw'];
};

/** The parts that every operation needs to run. */
export type Core = { readonly db: Db; readonly clock: Clock };

/** An operation with its function. `N` are the parts of the server that the function uses besides the store. */
export type Handler<N = unknown> = {
  readonly operation: DeclaredOperation;
  readonly answer: (call: HttpCall<DeclaredOperation>, parts: N & Core, around?: Around) => Promise<Result>;
  /**
   * The response of an operation with the effect `read`, made within the transaction of a change at the same
   * address. It includes an item in the trash; undefined if there is no item.
   */
  readonly show: (call: HttpCall<DeclaredOperation>, parts: N & Core, moment: Moment) => Promise<Result>;
};

/** A transaction and the time of its request. */
type Moment = { readonly read: Read; readonly at: UnixMs };

/**
 * Steps around an operation. `keep` stores the response of a request that may be retried. `check` tests the
 * conditions of a request on the state of its target. `introduce` creates the caller of a change in its
 * transaction, so that a refused change creates no caller; until then, the principal of the call stands for
 * them.
 */
type Around = {
  readonly keep?: Keep | undefined;
  readonly check?: Check | undefined;
  readonly introduce?: ((tx: Tx) => Promise<Principal>) | undefined;
};

/** Throws `precondition_failed` unless the conditions of a request hold in its transaction. */
type Check = (moment: Moment) => Promise<void>;

type Prepare<O extends DeclaredOperation, B, N> = (
  input: Input<BodyOf<O>>,
  call: Pick<HttpCall<O>, 'principal' | 'params' | 'query' | 'raw'>,
  parts: N & Core,
) => Input<B> | Promise<Input<B>>;

type Run<O extends DeclaredOperation, B, N> = (call: Call<O, B>, parts: N) => Promise<Result>;

/**
 * The function of an operation that is only known at run time. It gets the input that the operation declares:
 * the overloads of `handler` enforce this, and `server/test/access/` tries each target and right.
 */
type AnyRun = (
  call: Partial<Record<keyof Call<DeclaredOperation>, unknown>> & { tx?: Tx; db?: Db; read?: Read },
  parts: unknown,
) => Promise<Result>;

/**
 * Binds an operation to its function. `prepare` does the work that needs only the body, before the
 * transaction. Its faults stay in the input until rights are checked.
 */
export function handler<const O extends DeclaredOperation, N = unknown>(
  operation: O,
  run: Run<NoInfer<O>, BodyOf<NoInfer<O>>, N>,
): Handler<N>;
export function handler<const O extends DeclaredOperation, B, N = unknown>(
  operation: O,
  prepare: Prepare<NoInfer<O>, B, N>,
  run: Run<NoInfer<O>, B, N>,
): Handler<N>;
export function handler(
  operation: DeclaredOperation,
  first: (...parameters: never[]) => unknown,
  second?: (...parameters: never[]) => Promise<Result>,
): Handler {
  const prepare = second === undefined ? undefined : (first as Prepare<DeclaredOperation, unknown, unknown>);
  const run = (second ?? first) as AnyRun;
  const { on: policy, effect } = operation;
  const resolve = resolverOf(policy);
  const hasOwnPolicy = typeof policy === 'object' && 'own' in policy;
  const status = Math.min(...Object.keys(operation.success).map(Number));
  return {
    operation,
    async answer(call, parts, { keep, check, introduce } = {}) {
      const { db, clock } = parts;
      const { params, query, list, receive, raw } = call;
      let caller = call.principal;
      const prepared = prepare === undefined ? call.body : prepare(call.body, call, parts);
      const input = prepared instanceof Promise ? await prepared : prepared;
      // If no target can be absent or forbidden, refuse a body with faults before opening a transaction for
      // it.
      if (typeof policy === 'string') input.valid();
      const answered = async (decidedOn: Read, store: () => object | Promise<object>): Promise<Result> => {
        const at = clock.now();
        const on = await resolve({ read: decidedOn, caller, params, query, at });
        if (caller.kind === 'visitor') raw.visitedAppId = appIdOf(on);
        const body = hasOwnPolicy ? input : input.valid();
        await check?.({ read: decidedOn, at });
        const call = { caller, on, params, query, list, body, at, receive, raw };
        const isSparse = operation.list?.isSparse === true && caller.kind === 'token';
        if (isSparse || (list !== undefined && canTakeLong(list)) || scans(operation, { query, list })) {
          const load = {
            operation: operation.id,
            caller: turnOf(caller, raw.clientAddress),
            isForList: effect === 'list',
          };
          return await db.readLong(load, (read) => run({ ...call, read }, parts));
        }
        return await run({ ...call, ...(await store()) }, parts);
      };
      const change = async (tx: Tx) => {
        if (introduce !== undefined) caller = await introduce(tx);
        return await answered(tx, () => ({ tx }));
      };
      const changeAndKeep = async (tx: Tx) => {
        const result = await change(tx);
        await keep?.(tx, answerOf(result, status));
        return result;
      };
      const write = keep === undefined ? change : changeAndKeep;
      // The caller that a change introduces is read by other changes.
      if (effect === 'change' || effect === 'add')
        return await db.write(
          write,
          introduce === undefined ? kindOf(operation, { caller, params }) : undefined,
        );
      if (effect === 'wait') return await answered(db.read, () => ({ db }));
      if (effect === 'read') return await answered(db.read, () => ({ read: db.read }));
      // Get the reader of lists after the access check, so that it has at least the data of that check.
      return await answered(db.read, async () => ({ read: await db.readForList() }));
    },
    async show({ principal: caller, params, raw }, parts, { read, at }) {
      const query = { trashed: true };
      try {
        const on = await resolve({ read, caller, params: referencesIn(params), query, at });
        return await run({ caller, on, params, query, at, raw, read }, parts);
      } catch (error) {
        if (error instanceof Problem && error.code === 'not_found') return undefined;
        throw error;
      }
    },
  };
}

/** Which other changes a change can run beside. */
function kindOf(
  { effect, concurrentBy, path }: DeclaredOperation,
  { caller, params }: { readonly caller: Principal; readonly params: object },
): JobKind | undefined {
  if (effect === 'add') return 'adding';
  if (concurrentBy === undefined) return undefined;
  if (concurrentBy === 'caller') return { among: 'callers', key: caller.user.id };
  const [named] = Object.values(params) as [number | Ref];
  if (typeof named === 'number') return { among: `${concurrentBy} of ${path.split('/')[2]}`, key: named };
  // Whether an id and a uid name the same app is not known yet.
  return 'id' in named ? { among: 'apps by id', key: named.id } : { among: 'apps by uid', key: named.uid };
}

/**
 * Whose turn a long read takes. A caller who can become another caller with a single request takes the turn
 * of their address. So no reader can use the places of all others, and nobody gets more turns by calling
 * without a credential or as many guests.
 */
function turnOf({ user: { id, way } }: Principal, address: string | undefined): number | string {
  return id === 0 || way === 'guest' ? (address ?? id) : id;
}

/** The id of the app of a proof, which is about an app itself or an item in it. */
function appIdOf(proof: object | undefined): number | undefined {
  const { app = proof } = (proof ?? {}) as { readonly app?: object };
  return (app as { readonly id?: number } | undefined)?.id;
}

/** The parameters of a path as references. An upsert uses the uid, because the object may not exist yet. */
function referencesIn(params: object): object {
  const named = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? { uid: value } : value,
  ]);
  return Object.fromEntries(named);
}

/** The result of a change as a complete response. */
function answerOf(result: Result, status: number): HttpAnswer {
  if (typeof result === 'object' && 'status' in result) return result;
  return typeof result === 'string' ? { status, body: result } : { status };
}

/** Whether a request has an order or a parameter with which its operation reads far more than it returns. */
function scans(
  { scans: names }: DeclaredOperation,
  { query, list }: { readonly query: object; readonly list: ListQuery | undefined },
): boolean {
  if (names === undefined) return false;
  const filters = { ...query, ...(list && { trashed: list.trashed }) };
  return (
    names.includes(list?.order.field ?? '') ||
    Object.entries(filters).some(
      ([name, value]) => names.includes(name) || names.includes(`${name}=${value}`),
    )
  );
}

/** The parts of the server that some operations use together. */
type PartsOf<H> = (H extends Handler<infer N> ? (parts: N) => void : never) extends (parts: infer P) => void
  ? P
  : never;

/** Binds operations to HTTP with the parts of the server that their functions use. */
export function bindAll<H extends Handler<never>>(
  http: Http,
  handlers: readonly H[],
  parts: PartsOf<H> & Core,
): void {
  const retries = createRetries(parts);
  // Each function takes some of the parts; `PartsOf` ensures that together they are all there.
  const everyHandler: readonly Handler<never>[] = handlers;
  const bound = everyHandler as readonly Handler[];
  const shown = shownBy(bound);
  for (const { operation, answer } of bound)
    http.bind(operation, (call) => {
      const { principal, idempotencyKey, conditions } = call;
      const check: Check | undefined =
        conditions &&
        (async (moment) =>
          conditions.check(await shown(conditions.on, principal.form)?.(call, parts, moment)));
      const run = (keep?: Keep) => answer(call, parts, { keep, check });
      return idempotencyKey === undefined ? run() : retries.once({ principal, idempotencyKey }, run);
    });
}

/**
 * Finds what shows the target of a change, by the id of the operation that gets it: in the second form the operation that
 * replaces that one, whose tags the caller has. One that reads its path otherwise cannot be asked with that of a change,
 * and answers the same.
 */
function shownBy(bound: readonly Handler[]) {
  const keyOf = ({ method, path, params }: DeclaredOperation) =>
    `${method} ${path} ${JSON.stringify(params)}`;
  const replacing = new Map(
    bound.flatMap(({ operation, show }) =>
      operation.replaces === true ? [[keyOf(operation), show] as const] : [],
    ),
  );
  const shows = new Map(
    bound.map(({ operation, show }) => [
      operation.id,
      { first: show, second: replacing.get(keyOf(operation)) ?? show },
    ]),
  );
  return (id: string, form: number | undefined) => shows.get(id)?.[form === undefined ? 'first' : 'second'];
}
