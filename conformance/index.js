import { accessChecks } from './checks/access.js';
import { answerChecks } from './checks/answers.js';
import { appChecks } from './checks/apps.js';
import { commentChecks } from './checks/comments.js';
import { credentialChecks } from './checks/credentials.js';
import { deliveryChecks } from './checks/deliveries.js';
import { errorChecks } from './checks/errors.js';
import { formChecks } from './checks/forms.js';
import { limitChecks } from './checks/limits.js';
import { listChecks } from './checks/lists.js';
import { memberChecks } from './checks/members.js';
import { webhookChecks } from './checks/webhooks.js';
import { decided } from './decisions.js';
import { operations as byId } from './operations.js';
import { runChecks } from './run.js';
import { fieldTexts, operationRows, specified } from './specification.js';

/** @typedef {import('./index.d.ts').Quote} Quote */

/** @type {readonly import('./index.d.ts').Check[]} */
export const checks = [
  ...credentialChecks,
  ...appChecks,
  ...memberChecks,
  ...accessChecks,
  ...commentChecks,
  ...listChecks,
  ...webhookChecks,
  ...deliveryChecks,
  ...errorChecks,
  ...limitChecks,
  ...formChecks,
  // They look at the answers of all that run before them.
  ...answerChecks,
];

/** @type {readonly Quote[]} */
export const sentences = [
  ...Object.values(operationRows).map((quote) => ({ ...quote, isDecision: false })),
  ...Object.values(specified).map((quote) => ({ ...quote, isDecision: false })),
  ...Object.values(decided).map((quote) => ({ ...quote, isDecision: true })),
];

/** @type {readonly Quote[]} */
export const fields = Object.values(fieldTexts).flatMap(({ section, lines }) =>
  lines.map((text) => ({ section, text, isDecision: false })),
);

export const operations = [...byId.values()].map(({ id, method, path, statuses }) => ({
  id,
  method,
  path,
  statuses,
}));

/**
 * @param {import('./index.d.ts').Options} options
 * @returns {Promise<import('./index.d.ts').Report>}
 */
export async function run(options) {
  return await runChecks(checks, options);
}
