import { accessChecks } from './checks/access.js';
import { answerChecks } from './checks/answers.js';
import { appChecks } from './checks/apps.js';
import { commentChecks } from './checks/comments.js';
import { credentialChecks } from './checks/credentials.js';
import { deliveryChecks } from './checks/deliveries.js';
import { errorChecks } from './checks/errors.js';
import { limitChecks } from './checks/limits.js';
import { listChecks } from './checks/lists.js';
import { memberChecks } from './checks/members.js';
import { webhookChecks } from './checks/webhooks.js';
import { runChecks } from './run.js';

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
  // They look at the answers of all that run before them.
  ...answerChecks,
];

/**
 * @param {import('./index.d.ts').Options} options
 * @returns {Promise<import('./index.d.ts').Report>}
 */
export async function run(options) {
  return await runChecks(checks, options);
}
