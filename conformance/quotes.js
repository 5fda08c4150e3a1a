/** The sentences that a check quotes. */

import { decided } from './decisions.js';
import { operationRows, specified } from './specification.js';

/**
 * A sentence of the specification.
 * @param {keyof typeof specified} key
 * @returns {import('./index.d.ts').Quote}
 */
export function says(key) {
  return { ...specified[key], isDecision: false };
}

/**
 * The row of an operation in the specification.
 * @param {keyof typeof operationRows} id
 * @returns {import('./index.d.ts').Quote}
 */
export function row(id) {
  return { ...operationRows[id], isDecision: false };
}

/**
 * A sentence of the decisions of Confab where the specification is silent.
 * @param {keyof typeof decided} key
 * @returns {import('./index.d.ts').Quote}
 */
export function decides(key) {
  return { ...decided[key], isDecision: true };
}
