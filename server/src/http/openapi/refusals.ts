import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { type ProblemCode, problems } from 'confab-contract/problem.ts';
import { resourceOf, takesIfNoneMatch } from 'confab-contract/representations.ts';
import { scopesOf } from 'confab-contract/scopes.ts';
import type { Part } from './document.ts';
import {
  commonCodesOf,
  commonStatuses,
  errorStatusesOf,
  ownStatusesOf,
  problemCodesOf,
} from './operation-facts.ts';
import type { Schema } from './schemas.ts';

/**
 * The error responses of the OpenAPI document. What many operations have alike is there once: the statuses that every
 * operation can return, as the default response, and the codes that follow from what the document shows of an operation,
 * such as `invalid_idempotency_key` from the header. An operation lists the codes of a status only where they differ.
 */

/** The names of the shared responses, by status. */
const responseNames: { readonly [status: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  417: 'ExpectationFailed',
  422: 'ValidationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

/** The header that every answer has. */
export const requestIdHeader: Part = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** The headers of answers that a rate limit counts. */
export const rateHeaders: Part = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

const statusHeaders: { readonly [status: number]: Part } = {
  401: { 'WWW-Authenticate': { description: 'The scheme, Bearer.', schema: { type: 'string' } } },
  405: { Allow: { description: 'The methods of this path.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } }, ...rateHeaders },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

function nameOfStatus(status: number): string {
  const name = responseNames[status];
  if (name === undefined) throw new Error(`no shared response is declared for the status ${status}`);
  return name;
}

/**
 * The error statuses that an operation lists: those of its own, and those with a code that not every operation has. The
 * others are in the default response.
 */
function listedStatusesOf(operation: Operation): number[] {
  const own = ownStatusesOf(operation);
  return errorStatusesOf(operation).filter((status) => {
    const common = commonCodesOf(status);
    return own.includes(status) || problemCodesOf(operation, status).some((code) => !common.includes(code));
  });
}

/** Which operations have a code, in words after its title, and whether one of them does. */
type Rule = { readonly words: string; readonly holds: (operation: Operation) => boolean };

const always: Rule = { words: '', holds: () => true };
const withBody: Rule = { words: 'operations with a JSON body', holds: ({ body }) => body !== undefined };
const withKey: Rule = { words: 'operations with `Idempotency-Key`', holds: takesIdempotencyKey };
const exceptGet: Rule = { words: 'not on GET', holds: ({ method }) => method !== 'GET' };

/** The codes of a status that follow from what the document shows of an operation. */
const usualCodes: { readonly [status: number]: { readonly [C in ProblemCode]?: Rule } } = {
  400: {
    malformed_request: exceptGet,
    invalid_json: exceptGet,
    wrong_type: withBody,
    invalid_query: always,
    invalid_idempotency_key: withKey,
    invalid_entity_tag: {
      words: 'operations with `If-Match` or `If-None-Match`',
      holds: (operation) => takesIfNoneMatch(operation) || resourceOf(operation) !== undefined,
    },
    validation_failed: {
      words: 'not on GET, nor with both a JSON body and a 422',
      holds: (operation) =>
        exceptGet.holds(operation) && !(withBody.holds(operation) && ownStatusesOf(operation).includes(422)),
    },
  },
  401: {
    unauthorized: always,
    invalid_credential: always,
    user_required: { words: 'operations for access tokens alone', holds: ({ caller }) => caller === 'user' },
    users_only: always,
  },
  403: {
    key_only: { words: 'operations for API keys alone', holds: ({ caller }) => caller === 'key' },
    scope_missing: {
      words: 'operations for which a key needs a scope',
      holds: (operation) => scopesOf(operation).length > 0,
    },
  },
  409: { idempotency_key_in_use: withKey },
  422: { validation_failed: withBody, idempotency_key_reused: withKey },
};

/** The codes of a status in the order of the table of problems. An operation without a 422 reports invalid values as 400. */
function knownCodesOf(status: number): ProblemCode[] {
  const known = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status);
  return status === 400 ? [...known, 'validation_failed'] : known;
}

function usualCodesOf(operation: Operation, status: number): ProblemCode[] {
  return knownCodesOf(status).filter((code) => usualCodes[status]?.[code]?.holds(operation) === true);
}

function codeNames(codes: readonly ProblemCode[]): string {
  return `${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

function codeWords(
  codes: readonly ProblemCode[],
  rules: { readonly [C in ProblemCode]?: Rule } = {},
): string {
  const words = codes.map((code) => {
    const when = rules[code]?.words ?? '';
    return `\`${code}\` ${problems[code].title}${when === '' ? '' : ` (${when})`}`;
  });
  return `${words.join('; ')}.`;
}

/** What a shared response says of its codes; `isSame`: all operations with the status have the same. */
function refusalWords(status: number, isSame: boolean): string {
  const codes = knownCodesOf(status);
  const rules = usualCodes[status] ?? {};
  if (isSame) return codeWords(codes);
  const usual = codes.filter((code) => rules[code] !== undefined);
  const named = codes.filter((code) => rules[code] === undefined);
  return [
    ...(usual.length === 0 ? [] : [`Unless an operation names its codes: ${codeWords(usual, rules)}`]),
    ...(named.length === 0 ? [] : [`Where an operation names them: ${codeWords(named)}`]),
  ].join(' ');
}

/** An error response with some codes in its words. */
function refusal(status: number, problem: Schema, words: string): Part {
  const [code] = knownCodesOf(status);
  if (code === undefined) throw new Error(`no problem has the status ${status}`);
  return {
    description: words,
    headers: { ...requestIdHeader, ...statusHeaders[status] },
    content: {
      'application/problem+json': {
        schema: problem,
        example: {
          type: `https://confab.example/problems/${code}`,
          title: problems[code].title,
          status,
          detail: 'A sentence about this request.',
          instance: '/api/apps/product-42',
          code,
          request_id: '9f2c41d07a35-1',
        },
      },
    },
  };
}

/** The response with the error statuses that every operation can return. */
function commonRefusal(problem: Schema): Part {
  const [status = 0] = commonStatuses;
  const words = commonStatuses.map((each) => `${each} ${codeWords(commonCodesOf(each))}`).join(' ');
  return {
    ...refusal(status, problem, `With these statuses and codes: ${words}`),
    headers: Object.assign({}, requestIdHeader, ...commonStatuses.map((each) => statusHeaders[each])),
  };
}

/** The error responses of some operations. */
export type Refusals = ReturnType<typeof createRefusals>;

/** Describes how some operations refuse. */
export function createRefusals(operations: readonly Operation[]) {
  const namesOf = new Map<number, Set<string>>();
  for (const operation of operations)
    for (const status of listedStatusesOf(operation)) {
      const names = namesOf.get(status) ?? new Set<string>();
      namesOf.set(status, names.add(codeNames(problemCodesOf(operation, status))));
    }
  const isSame = (status: number): boolean => namesOf.get(status)?.size === 1;
  return {
    /** The error responses of one of them, by status. */
    of(operation: Operation): Part {
      const own = listedStatusesOf(operation).map((status) => {
        const names = codeNames(problemCodesOf(operation, status));
        const isUsual = isSame(status) || names === codeNames(usualCodesOf(operation, status));
        const reference = { $ref: `#/components/responses/${nameOfStatus(status)}` };
        return [status, isUsual ? reference : { ...reference, description: names }] as const;
      });
      return { ...Object.fromEntries(own), default: { $ref: '#/components/responses/Refused' } };
    },

    /** The responses that these refer to, by name. */
    named(problem: Schema): Part {
      const statuses = [...namesOf.keys()].sort((a, b) => a - b);
      return {
        ...Object.fromEntries(
          statuses.map((status) => [
            nameOfStatus(status),
            refusal(status, problem, refusalWords(status, isSame(status))),
          ]),
        ),
        Refused: commonRefusal(problem),
      };
    },
  };
}
