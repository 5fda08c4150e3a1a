import type { TSchema } from 'typebox';

/**
 * The common part of operations on a single item of any kind: everything but their paths, targets and texts.
 * An operation with another caller or another status overrides it.
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

/**
 * Changes whether a user is notified of the thing, and returns the thing. Every user who sees it may do this.
 */
export function subscribing<D extends TSchema>(detail: D) {
  return { ...changing(detail), caller: 'user', concurrentBy: 'caller', errors: [401, 404] } as const;
}

/** Deletes one thing. */
export const deleting = {
  method: 'DELETE',
  caller: 'any',
  effect: 'change',
  success: { 204: null },
  errors: [400, 401, 403, 404],
} as const;
