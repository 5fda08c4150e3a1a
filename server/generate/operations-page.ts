import type { Operation } from 'confab-contract/operation.ts';
import { scopesOf } from 'confab-contract/scopes.ts';
import { ownStatusesOf } from '../src/http/openapi/operation-facts.ts';

const callers = {
  any: 'key or token',
  key: 'key',
  user: 'token',
  visitor: 'signed-in visitor',
  anyone: 'anyone',
} as const;

/** The table of operations as Markdown; `testOf` names the file that tries each. */
export function operationsPage(
  operations: readonly Operation[],
  testOf: { readonly [id: string]: string },
): string {
  const rows = operations.map((operation) => {
    const { id, method, path, caller, success, visitors, signedIn } = operation;
    const visiting =
      visitors !== undefined ? ', visitors' : signedIn !== undefined ? ', signed-in visitors' : '';
    const called = callers[caller] + visiting;
    const statuses = [...Object.keys(success).map(Number), ...ownStatusesOf(operation)].join(', ');
    const test = testOf[id] ?? '';
    const scopes = scopesOf(operation).join(', ');
    return `| \`${method} ${path}\` | ${called} | ${scopes} | ${statuses} | [${test}](../${test}) |`;
  });
  return `${[
    '<!-- Made by `npm run generate` from contract/src/ and testing/src/operation-tests.ts. -->',
    '',
    '# Operations',
    '',
    `All ${operations.length} operations, who may call them, the statuses they answer besides those of the transport,`,
    'and the test that tries each. `npm test` fails unless that test has had each of its operations succeed, and each',
    'answer of every test is held against the contract. Besides, each operation has its rows in the access matrix',
    '([server/test/access](../server/test/access)) and in the catalogue of bad input ([server/test/catalogue](../server/test/catalogue)).',
    '',
    '| Operation | Caller | Scope of a key | Statuses | Test |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`;
}
