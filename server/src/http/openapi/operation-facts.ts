import { limits } from 'confab-contract/fields.ts';
import {
  defaultOrderOf,
  type Operation,
  refusesBanned,
  takesIdempotencyKey,
} from 'confab-contract/operation.ts';
import { refusalsOf } from 'confab-contract/policy.ts';
import { type ProblemCode, type ProblemScope, problems } from 'confab-contract/problem.ts';
import { resourceOf, takesIfNoneMatch, takesReturnMinimal } from 'confab-contract/representations.ts';
import { scopesOf } from 'confab-contract/scopes.ts';
import { searchWordsMax } from '../../kernel/search.ts';
import type { Schema, Schemas } from './schemas.ts';

/** The facts about an operation that the OpenAPI document and the reference page share, derived from the contract. */

/** A parameter in the path, the query or a header. */
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  /** Several values are separated by commas instead of repeating the name. */
  readonly isCommaSeparated?: boolean;
  /** The name under which the document has it once for all operations. */
  readonly sharedAs?: string;
};

const nouns: { readonly [name: string]: string } = {
  app: 'app',
  user: 'user',
  directory: 'directory',
  delivery: 'delivery',
};

/** The noun of a path parameter: its own name, or the collection before `{id}`. */
function nounOf(operation: Operation, name: string): string {
  const segments = operation.path.split('/');
  const collection = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
  return nouns[name] ?? collection.replace(/s$/, '');
}

/** Such as `webhookId` and `appRef`. */
function sharedNameOf(noun: string, kind: 'id' | 'ref'): string {
  const name = noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name + (kind === 'id' ? 'Id' : 'Ref');
}

function pathParameters(operation: Operation): Parameter[] {
  return Object.entries(operation.params).map(([name, kind]) => {
    const noun = nounOf(operation, name);
    const other = noun === 'directory' ? 'name' : 'uid';
    const text =
      operation.method === 'DELETE'
        ? `The id or uid of the ${noun}; several are separated by commas.`
        : `The ${other} of the ${noun}.`;
    const description =
      kind === 'id'
        ? `The id of the ${noun}.`
        : kind === 'ref'
          ? `The id or ${other} of the ${noun}. Digits alone are an id.`
          : text;
    const schema: Schema =
      kind === 'id' ? { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } : { type: 'string' };
    const parameter = { name, in: 'path', required: true, description, schema } as const;
    return kind === 'id' || kind === 'ref' ? { ...parameter, sharedAs: sharedNameOf(noun, kind) } : parameter;
  });
}

/** The parameters of every list, by name. */
export const listParameters: { readonly [name: string]: Omit<Parameter, 'name' | 'in' | 'required'> } = {
  q: {
    description: `Words to find, at most ${searchWordsMax}: every word must be there, as the beginning of a word, without regard to case, accents, vowel signs and forms of letters; words in double quotes as a phrase. An emoji or another symbol is a word; in scripts without spaces each character is one. Longer questions, and those without a word, such as \`!!!\`, find nothing.`,
    schema: { type: 'string' },
  },
  tag: { description: 'Only items with exactly this tag.', schema: { type: 'string' } },
  trashed: {
    description: '`true` lists items in the trash only, `false` the others, `null` both.',
    schema: { type: 'string', enum: ['true', 'false', 'null'], default: 'false' },
  },
  top: {
    description:
      'The most items of the page. A page ends before its items exceed 4 MiB, so it can have fewer: go on with the link of the answer, or with `skip` at `end`.',
    schema: { type: 'integer', minimum: 1, maximum: limits.topMax, default: limits.topDefault },
  },
  skip: {
    description: 'How many items are skipped before the page.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  after: {
    description:
      'Where the page before ended. The header `Link` of an answer has the address of the next page with it; without `rel="next"` there is none. Items that come or go meanwhile make no other come twice or be left out, and a far page costs what the first does. Not with `skip`, and only in the list and order that it comes from: anything else is a 400.',
    schema: { type: 'string' },
  },
  count_only: {
    description: '`true` returns `count` and nothing else.',
    schema: { type: 'boolean', default: false },
  },
  count: {
    description: '`false` leaves `count` out and saves the counting.',
    schema: { type: 'boolean', default: true },
  },
};

function listQuery(operation: Operation): Parameter[] {
  const { list } = operation;
  if (list === undefined) return [];
  const own = operation.query?.properties ?? {};
  const common = Object.entries(listParameters)
    .filter(([name]) => own[name] === undefined)
    .map(([name, rest]) => queryParameter({ name, ...rest }));
  const { field, descending } = defaultOrderOf(list);
  const order = queryParameter({
    name: 'order_by',
    description: 'A field, and ` desc` for descending; in a query the space is a plus sign.',
    schema: {
      type: 'string',
      enum: list.orderBy.flatMap((name) => [name, `${name} desc`]),
      default: descending ? `${field} desc` : field,
    },
  });
  const expand = queryParameter({
    name: 'expand',
    description: 'Objects that each item carries besides its flat fields.',
    schema: { type: 'array', items: { type: 'string', enum: [...list.expand] } },
    isCommaSeparated: true,
  });
  return [...common, order, ...(list.expand.length === 0 ? [] : [expand])];
}

function queryParameter(parameter: Omit<Parameter, 'in' | 'required'>): Parameter {
  return { ...parameter, in: 'query', required: false };
}

/** The parameters of an operation: path parameters, its own, and the parameters of lists. */
export function parametersOf(operation: Operation, schemas: Schemas): Parameter[] {
  const required = new Set(operation.query?.required ?? []);
  const own = Object.entries(operation.query?.properties ?? {}).map(([name, property]): Parameter => {
    const { description, ...schema } = schemas.use(property) as { description?: string };
    return { name, in: 'query', required: required.has(name), description: description ?? '', schema };
  });
  return [...pathParameters(operation), ...own, ...listQuery(operation)];
}

const table: readonly (readonly [ProblemCode, { readonly status: number; readonly scope?: ProblemScope }])[] =
  Object.entries(problems) as [ProblemCode, (typeof problems)[ProblemCode]][];

/** The error statuses that every operation can return, ascending. */
export const commonStatuses: readonly number[] = [
  ...new Set(table.filter(([, { scope }]) => scope === 'any').map(([, { status }]) => status)),
].sort((a, b) => a - b);

/** The error statuses of an operation besides those of every operation, ascending. */
export function ownStatusesOf(operation: Operation): number[] {
  const ofKeys = takesIdempotencyKey(operation) ? [409, 422] : [];
  const ofScopes = scopesOf(operation).length > 0 ? [403] : [];
  const ofBans = refusesBanned(operation) ? [403] : [];
  const ofConditions = resourceOf(operation) === undefined ? [] : [412];
  return [...new Set([...operation.errors, ...ofKeys, ...ofScopes, ...ofBans, ...ofConditions])].sort(
    (a, b) => a - b,
  );
}

/** The statuses of success that follow from the headers of a request, each with what it means. */
export function headerStatusesOf(operation: Operation): { readonly [status: number]: string } {
  return {
    ...(takesIfNoneMatch(operation)
      ? { 304: 'The copy that `If-None-Match` names is current; there is no body.' }
      : {}),
    ...(takesReturnMinimal(operation) && operation.success[201] === undefined
      ? { 204: 'Done; with `Prefer: return=minimal` there is no body.' }
      : {}),
  };
}

/** Every error status of an operation, its own and those of every operation, ascending. */
export function errorStatusesOf(operation: Operation): number[] {
  return [...new Set([...ownStatusesOf(operation), ...commonStatuses])].sort((a, b) => a - b);
}

/** The problem codes with which every operation can return a status. */
export function commonCodesOf(status: number): ProblemCode[] {
  return table.filter(([, each]) => each.scope === 'any' && each.status === status).map(([code]) => code);
}

/** The problem codes that an error status of an operation can carry, in the order of the table of problems. */
export function problemCodesOf(operation: Operation, status: number): ProblemCode[] {
  return table
    .filter(([code, { status: own, scope }]) => {
      if (scope === 'named')
        return (
          own === status &&
          (operation.problems?.includes(code) === true || refusalsOf(operation.on).includes(code))
        );
      if (scope === 'list') {
        const isLong = operation.list !== undefined || operation.problems?.includes(code) === true;
        return own === status && isLong;
      }
      if (scope === 'keyed') return own === status && takesIdempotencyKey(operation);
      if (scope === 'conditional') return own === status && resourceOf(operation) !== undefined;
      if (scope === 'tagged')
        return own === status && (takesIfNoneMatch(operation) || resourceOf(operation) !== undefined);
      return scope === 'any' ? own === status : followsFromShape(code, operation, status);
    })
    .map(([code]) => code);
}

/**
 * Whether an operation uses uploads, as attachments or as the content of a file, or takes those of visitors, which count
 * at once.
 */
function usesBlobs({ body, upload, signedIn }: Operation): boolean {
  if (upload !== undefined) return signedIn !== undefined;
  const { properties = {} } = (body ?? {}) as { properties?: object };
  return 'blobs' in properties || 'blob_id' in properties;
}

function followsFromShape(code: ProblemCode, operation: Operation, status: number): boolean {
  const { caller, errors, body } = operation;
  const isKeyed = caller === 'key';
  if (code === 'user_required') return status === 401 && caller === 'user';
  if (code === 'visitor_required') return status === 401 && caller === 'visitor';
  if (code === 'address_banned') return status === 403 && refusesBanned(operation);
  if (code === 'users_only') {
    const isForVisitors = operation.visitors !== undefined || operation.signedIn !== undefined;
    // An operation with a policy of its own may refuse some requests of visitors.
    const isOwn = typeof operation.on === 'object' && 'own' in operation.on;
    return status === 401 && caller !== 'anyone' && caller !== 'visitor' && (isOwn || !isForVisitors);
  }
  // An operation that declares no 403 reports a missing right as an insufficient credential.
  if (code === 'key_required') return status === 401 && isKeyed && !errors.includes(403);
  if (code === 'scope_missing') return status === 403 && scopesOf(operation).length > 0;
  if (code === 'key_only') return status === 403 && isKeyed;
  if (code === 'wrong_type') return status === 400 && body !== undefined;
  if (code === 'storage_quota_reached') return status === 422 && usesBlobs(operation);
  if (code === 'invalid_json') return status === 400 && errors.includes(400);
  if (code === 'validation_failed')
    return status === (errors.includes(422) ? 422 : 400) && errors.includes(status);
  return problems[code].status === status && errors.includes(status);
}

/** The description of the header `Idempotency-Key`. */
export const idempotencyWords =
  'Makes a request safe to retry: equal requests with the same key change something once, and every retry gets the response to the first request, byte for byte, with `Idempotent-Replayed: true`. A key is 1 to 255 visible ASCII characters, such as a UUID, in double quotes (RFC 9651) or bare. It belongs to the caller and is kept for at least 24 hours. A key that was used with another method, path, query or body is a 422. A key whose first request is still running is a 409. A refused request stores nothing, so its key can be used again. PUT and DELETE can be repeated without a key.';

/** The description of the header `If-Match`. */
export const ifMatchWords =
  'Makes a change only if no other client has edited the item meanwhile: send the `ETag` of the response that you read. If an editable field has changed since, nothing happens and the response is 412 `precondition_failed`; reactions, votes, stars, members and presence do not count. `*` requires only that it exists. Weak tags (`W/"…"`) never match.';

/** The description of the header `If-None-Match`. */
export const ifNoneMatchWords =
  'On GET, the `ETag` of a copy: the response is 304 without a body if the full response would be the same, byte for byte. On PUT with `*`, the request only creates: it is 412 `precondition_failed` if the item exists.';

/** The description of `Prefer: return=minimal`. */
export const minimalWords =
  '`return=minimal` leaves out the body of a success: 204, or 201 with `Location` where something was created, both with the `ETag`.';

/** The permitted callers of an operation, in a few words. */
export const callerText: { readonly [C in Operation['caller']]: string } = {
  any: 'an access token or an API key',
  key: 'an API key',
  user: 'an access token',
  visitor: 'the access token of a visitor',
  anyone: 'anyone, without a credential',
};

/** The scopes that an API key needs for an operation, in a few words that follow "an API key"; empty for none. */
export function scopeWords(operation: Operation): string {
  const needed = scopesOf(operation).map((scope) => `\`${scope}\``);
  return needed.length === 0 ? '' : ` with the scope ${needed.join(' and the scope ')}`;
}
