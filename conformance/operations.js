/** The 27 operations, read from their rows in the specification. */

import { operationRows } from './specification.js';

/** @typedef {keyof typeof operationRows} OperationId */

/**
 * @typedef {object} Operation
 * @property {OperationId} id
 * @property {string} method
 * @property {string} path with its parameters in braces
 * @property {readonly number[]} statuses every status that the row lists
 * @property {import('./index.d.ts').Quote} quote the row
 */

/** @type {ReadonlyMap<OperationId, Operation>} */
export const operations = new Map(
  Object.entries(operationRows).map(([key, { section, text }]) => {
    const id = /** @type {OperationId} */ (key);
    const cells = text.split('|').map((cell) => cell.trim());
    const [method = '', path = ''] = (cells[2] ?? '').split(' ');
    const statuses = (cells.at(-2) ?? '').split(', ').map(Number);
    return [id, { id, method, path, statuses, quote: { section, text, isDecision: false } }];
  }),
);

/**
 * One operation.
 * @param {OperationId} id
 * @returns {Operation}
 */
export function operationOf(id) {
  const found = operations.get(id);
  if (found === undefined) throw new TypeError(`no operation ${id}`);
  return found;
}

/** Statuses of HTTP itself that any operation may answer: of the method, the size, the rate and the load. */
export const transportStatuses = [405, 408, 413, 415, 429, 431, 503];
