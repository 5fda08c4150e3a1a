import type { TSchema } from 'typebox';

/**
 * What operations on one thing have in common, whatever the thing is: everything but their paths, targets and texts. An
 * operation that another caller may send, or that returns another status, declares that after it.
 */

/** Gets one thing. */
export function getting<D extends TSchema>(detail: D) {
  return {
    method: 'GET',
    caller: 'any',
    effect: 'read',
    success: { 200: detail },
    errors: [401, 404],
  } as const;
}

/** Changes the state of one thing by a request without a body, and returns it. */
export function changing<D extends TSchema>(detail: D) {
  return {
    method: 'POST',
    caller: 'any',
    effect: 'change',
    success: { 200: detail },
    errors: [400, 401, 403, 404],
  } as const;
}

/** Changes what a user is notified of, which every user who sees the thing may do, and returns the thing. */
export function subscribing<D extends TSchema>(detail: D) {
  return { ...changing(detail), caller: 'user', errors: [401, 404] } as const;
}

/** Deletes one thing. */
export const deleting = {
  method: 'DELETE',
  caller: 'any',
  effect: 'change',
  success: { 204: null },
  errors: [400, 401, 403, 404],
} as const;
