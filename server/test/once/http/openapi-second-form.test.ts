import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operationList } from 'confab-contract/index.ts';
import { operationsInSecondForm, secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import { version } from '../../../src/config/config.ts';
import { openApiInSecondForm } from '../../../src/http/openapi/openapi.ts';
import { tagSentences } from '../../../src/http/openapi/tags.ts';
import { assertExamples, descriptionsIn, followedIn, isFragment, undescribed } from './openapi-checks.ts';

const document = openApiInSecondForm({ version: '1.2.3', url: '/' }) as any;
const all = operationsInSecondForm();
/**
 * The most bytes of the document without white space: that of the first form, and a quarter for what is beside it. It may
 * go down, never up.
 */
const bytesMax = 750_000;
const schemaOf = (name: string): any => document.components.schemas[name];

// The second form has a document of its own, because that of the first is the specification's.
describe('the OpenAPI document of the second form', () => {
  test('is valid for an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.equal(valid, true, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  test('describes every property and every named schema, in sentences', () => {
    assert.deepEqual(undescribed(document, ''), []);
    for (const [name, schema] of Object.entries<any>(document.components.schemas))
      assert.notEqual(schema.description, undefined, name);
    const { responses: _, ...components } = document.components;
    const asked = Object.values<any>(document.paths).flatMap((methods) =>
      Object.values<any>(methods).map(({ responses: __, ...operation }) => operation),
    );
    assert.deepEqual(descriptionsIn([components, asked]).filter(isFragment), []);
    for (const { tag } of all) assert.ok(tag in tagSentences, `the tag ${tag} has a sentence`);
  });

  test('is at most 750 KB without white space', () => {
    const { length } = Buffer.from(JSON.stringify(document));
    assert.ok(length <= bytesMax, `${length} bytes`);
  });

  test('has valid examples of each body and each response', () => {
    assert.ok(assertExamples(document) > operationList.length);
  });

  test('is the same each time it is generated', () => {
    const again = openApiInSecondForm({ version: '1.2.3', url: '/' });
    assert.equal(JSON.stringify(again), JSON.stringify(document));
  });
});

describe('an operation in the document of the second form', () => {
  test('is there, in the place of the one that it replaces', () => {
    assert.equal(
      all.length,
      operationList.length + secondFormOperationList.filter(({ replaces }) => replaces !== true).length,
    );
    for (const { id, method, path, success } of all) {
      const described = document.paths[path][method.toLowerCase()];
      assert.equal(described.operationId, id);
      for (const status of Object.keys(success))
        assert.ok(followedIn(document, described.responses[status]), `${id} ${status}`);
    }
    for (const { id } of secondFormOperationList)
      assert.ok(
        all.some((each) => each.id === id),
        id,
      );
  });

  test('is asked for with the header', () => {
    const source = { $ref: '#/components/parameters/Source' };
    for (const { id, method, path } of all) {
      const { parameters: shared = [], ...methods } = document.paths[path];
      const own = methods[method.toLowerCase()].parameters ?? [];
      assert.ok(
        [...shared, ...own].some((each: any) => each.$ref === source.$ref),
        id,
      );
    }
    const { pattern } = followedIn(document, source).schema;
    assert.match('@weavy/uikit-web@32.2.0', new RegExp(pattern));
  });

  test('answers in the second form, and what the log has in the first', () => {
    assert.equal(schemaOf('Comment').allOf[1].properties.reactions.type, 'object');
    assert.ok(schemaOf('User').required.includes('is_agent'));
    assert.equal('is_agent' in schemaOf('UserInFirstForm').properties, false);
    const events = JSON.stringify(schemaOf('Event'));
    assert.doesNotMatch(events, /schemas\/User"/);
    assert.equal(document.webhooks, undefined);
  });
});

test('the server serves the document with its own address', async (t) => {
  const url = 'https://confab.example/$&';
  const server = await startTestServer({ CONFAB_PUBLIC_URL: url });
  t.after(() => server.close());
  const { status, body, headers } = await server.call('GET', '/openapi-second-form.json', undefined, {
    as: null,
    headers: { origin: 'https://page.example' },
  });
  const first = await server.call('GET', '/openapi.json', undefined, {
    as: null,
    headers: { origin: 'https://page.example' },
  });
  assert.equal(status, 200);
  for (const name of ['access-control-allow-origin', 'content-type', 'cache-control', 'vary'])
    assert.equal(headers.get(name), first.headers.get(name), name);
  const file = JSON.parse(readFileSync(resolve(root, 'openapi-second-form.json'), 'utf8'));
  assert.deepEqual(body, { ...file, servers: [{ ...file.servers[0], url }] });
  assert.deepEqual(body, JSON.parse(JSON.stringify(openApiInSecondForm({ version, url }))));
});
