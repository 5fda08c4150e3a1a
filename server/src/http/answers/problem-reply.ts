import type { ProblemBody } from 'confab-contract/fields.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { Problem, problems } from 'confab-contract/problem.ts';
import type { Log } from '../../kernel/log.ts';
import { isOfUnreadBody } from '../bodies/unread-body.ts';
import type { Fields } from '../request.ts';
import type { Answer } from './answer.ts';

/** The parameters of every problem body. */
export type ProblemContext = {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  /** The public address of this server, without a trailing slash. */
  readonly publicUrl: string;
};

/** The problem that the caller gets for `error`. Unexpected errors are logged in full and returned as a 500. */
export function toProblem(error: unknown, context: ProblemContext, log: Log): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new Problem('malformed_request', 'The body ended early.', { cause: error });
  log.error({ err: error, request_id: context.requestId }, 'a request failed for a reason of ours');
  return new Problem('internal_error', 'The server could not answer this request. Its log says why.');
}

/** The status of a problem from an operation: one that declares no 422 returns 400 instead. */
function statusOf(problem: Problem, operation: Operation | undefined): number {
  const { code, status } = problem;
  if (code === 'validation_failed' && operation !== undefined && !operation.errors.includes(422)) return 400;
  return status;
}

/** The RFC 9457 body of a problem. */
export function problemBody(problem: Problem, context: ProblemContext): ProblemBody {
  return {
    type: `${context.publicUrl}/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: statusOf(problem, context.operation),
    detail: problem.detail,
    instance: context.path,
    code: problem.code,
    ...(problem.errors.length > 0 ? { errors: [...problem.errors] } : {}),
    ...(problem.moreErrors > 0 ? { more_errors: problem.moreErrors } : {}),
    request_id: context.requestId,
  };
}

/** The response with a problem. */
export function problemAnswer(
  problem: Problem,
  context: ProblemContext & { readonly isStrict: boolean },
): Answer {
  const { operation, isStrict } = context;
  const status = statusOf(problem, operation);
  const headers: Fields = { ...problem.headers, 'content-type': 'application/problem+json; charset=utf-8' };
  if (operation !== undefined && isStrict) headers['preference-applied'] = 'handling=strict';
  if (status === 401) headers['www-authenticate'] ??= 'Bearer';
  if (status === 503) headers['retry-after'] = '5';
  // The rest of an unread body would be parsed as the next request.
  if (isOfUnreadBody(status)) headers.connection = 'close';
  return { status, headers, body: JSON.stringify(problemBody(problem, context)) };
}
