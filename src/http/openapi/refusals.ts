import type { Operation } from '../../contract/operation.ts';
import { type ProblemCode, problems } from '../../kernel/problem.ts';
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
 * operation can return, as 4XX and 5XX, and the codes that most operations have with a status.
 */

/** Part of the document: plain data, ready for JSON. */
export type Part = { readonly [name: string]: unknown };

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
 * others are in the responses for all of 4XX and 5XX.
 */
function listedStatusesOf(operation: Operation): number[] {
  const own = ownStatusesOf(operation);
  return errorStatusesOf(operation).filter((status) => {
    const common = commonCodesOf(status);
    return own.includes(status) || problemCodesOf(operation, status).some((code) => !common.includes(code));
  });
}

function codeNames(codes: readonly ProblemCode[]): string {
  return `${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

function codeWords(codes: readonly ProblemCode[]): string {
  return `${codes.map((code) => `\`${code}\` ${problems[code].title}`).join('; ')}.`;
}

/** The shared response of an error status; `usual` are the codes that most operations have. */
function refusal(status: number, problem: Schema, usual?: string): Part {
  const known = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status);
  const [code] = known;
  if (code === undefined) throw new Error(`no problem has the status ${status}`);
  const { title } = problems[code];
  // An operation that declares no 422 reports invalid values as 400.
  return {
    description: `${usual === undefined ? '' : `Where an operation does not say otherwise: ${usual} `}${codeWords(status === 400 ? [...known, 'validation_failed'] : known)}`,
    headers: { ...requestIdHeader, ...statusHeaders[status] },
    content: {
      'application/problem+json': {
        schema: problem,
        example: {
          type: `https://confab.example/problems/${code}`,
          title,
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

/** The response of the error statuses of a class that every operation can return. */
function commonRefusal(hundreds: number, problem: Schema): Part {
  const statuses = commonStatuses.filter((status) => Math.floor(status / 100) === hundreds);
  const [status = 0] = statuses;
  const { content } = refusal(status, problem);
  return {
    description: `With these statuses and codes: ${statuses.map((each) => `${each} ${codeWords(commonCodesOf(each))}`).join(' ')}`,
    headers: Object.assign({}, requestIdHeader, ...statuses.map((each) => statusHeaders[each])),
    content,
  };
}

/** The error responses of some operations. */
export type Refusals = ReturnType<typeof createRefusals>;

/** Describes how some operations refuse. */
export function createRefusals(operations: readonly Operation[]) {
  const counts = new Map<number, Map<string, number>>();
  for (const operation of operations)
    for (const status of listedStatusesOf(operation)) {
      const codes = codeNames(problemCodesOf(operation, status));
      const known = counts.get(status) ?? new Map<string, number>();
      counts.set(status, known.set(codes, (known.get(codes) ?? 0) + 1));
    }
  const usual = new Map(
    [...counts].map(([status, known]) => [
      status,
      [...known].reduce((most, each) => (each[1] > most[1] ? each : most))[0],
    ]),
  );
  return {
    /** The error responses of one of them, by status. */
    of(operation: Operation): Part {
      const own = listedStatusesOf(operation).map((status) => {
        const codes = codeNames(problemCodesOf(operation, status));
        const isUsual = codes === usual.get(status);
        const reference = { $ref: `#/components/responses/${nameOfStatus(status)}` };
        return [status, isUsual ? reference : { ...reference, description: codes }] as const;
      });
      return {
        ...Object.fromEntries(own),
        '4XX': { $ref: '#/components/responses/Refused' },
        '5XX': { $ref: '#/components/responses/Failed' },
      };
    },

    /** The responses that these refer to, by name. */
    named(problem: Schema): Part {
      const statuses = [...counts.keys()].sort((a, b) => a - b);
      return {
        ...Object.fromEntries(
          statuses.map((status) => {
            const isOne = counts.get(status)?.size === 1;
            return [nameOfStatus(status), refusal(status, problem, isOne ? undefined : usual.get(status))];
          }),
        ),
        Refused: commonRefusal(4, problem),
        Failed: commonRefusal(5, problem),
      };
    },
  };
}
