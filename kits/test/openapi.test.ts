import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { root } from 'confab-tools/places.ts';

// Programs that read the document of the interface stumble over what a schema of OpenAPI cannot express.
test('openapi.json passes the strictest rules of the linter of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const source = readFileSync(join(root, 'openapi.json'), 'utf8');
  const problems = await lintFromString({ source, config });
  assert.deepEqual(
    problems.map((problem) => `${problem.ruleId}: ${problem.message}`),
    [],
  );
});
