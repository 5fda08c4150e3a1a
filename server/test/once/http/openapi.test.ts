import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operationList } from 'confab-contract/index.ts';
import { problems } from 'confab-contract/problem.ts';
import { scopesOf } from 'confab-contract/scopes.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import Type from 'typebox';
import { version } from '../../../src/config/config.ts';
import { openApi } from '../../../src/http/openapi/openapi.ts';
import {
  commonStatuses,
  errorStatusesOf,
  problemCodesOf,
} from '../../../src/http/openapi/operation-facts.ts';
import { createSchemas } from '../../../src/http/openapi/schemas.ts';
import { withSharedParts } from '../../../src/http/openapi/shared-parts.ts';
import { tagSentences } from '../../../src/http/openapi/tags.ts';
import { assertExamples, descriptionsIn, followedIn, isFragment, undescribed } from './openapi-checks.ts';

const document = openApi(operationList, { version: '1.2.3', url: '/' }) as any;
/** The most bytes of the document without white space. Decisions 0138 and 0187. */
const bytesMax = 640_000;
/** Every operation with its description, which has the parameters of its path as well. */
const every = operationList.map((operation) => {
  const { parameters = [], ...methods } = document.paths[operation.path];
  const described = methods[operation.method.toLowerCase()];
  return {
    operation,
    described: { ...described, parameters: [...parameters, ...(described.parameters ?? [])] },
  };
});

const followed = (part: any): any => followedIn(document, part);

/** The properties of a schema and those that are required, with those of what it extends. */
function flattened({ allOf = [], properties = {}, required = [] }: any): {
  properties: any;
  required: string[];
} {
  const parts = allOf.map((part: any) => flattened(followed(part)));
  return {
    properties: Object.assign({}, ...parts.map((part: any) => part.properties), properties),
    required: [...new Set<string>([...parts.flatMap((part: any) => part.required), ...required])].sort(),
  };
}

/** Whether an operation has a code that follows from what the document shows of it, by the words after its title. */
const isUsual: { readonly [words: string]: (method: string, described: any) => boolean } = {
  '': () => true,
  'operations with a JSON body': (_, described) => takesJson(described),
  'operations with `Idempotency-Key`': (_, described) => takesHeader(described, 'Idempotency-Key'),
  'operations with `If-Match` or `If-None-Match`': (_, described) =>
    takesHeader(described, 'If-Match') || takesHeader(described, 'If-None-Match'),
  'not on GET': (method) => method !== 'GET',
  'not on GET, nor with both a JSON body and a 422': (method, described) =>
    method !== 'GET' && !(takesJson(described) && described.responses[422] !== undefined),
  'operations for access tokens alone': (_, { security }) => schemesOf(security) === 'accessToken',
  'operations for API keys alone': (_, { security }) => schemesOf(security) === 'apiKey',
  'operations for which a key needs a scope': (_, described) => described['x-key-scopes'] !== undefined,
};

function takesJson({ requestBody }: any): boolean {
  return requestBody?.content['application/json'] !== undefined;
}

function takesHeader({ parameters }: any, name: string): boolean {
  return parameters.some((parameter: any) => followed(parameter).name === name);
}

function schemesOf(security: object[] = document.security): string {
  return security.flatMap((each) => Object.keys(each)).join();
}

/** The codes of a refusal, as a reader of the document alone finds them. */
function documentedCodes(operation: any, status: number): string[] {
  const response = operation.described.responses[status];
  const codesIn = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code);
  if (response.description !== undefined) return codesIn(response.description);
  const { description } = followed(response);
  const [, usual] = /^Unless an operation names its codes: (.*?)\.(?: Where an|$)/.exec(description) ?? [];
  const isOne = !/^(?:Unless|Where) an operation/.test(description);
  return (usual ?? (isOne ? description.slice(0, -1) : '')).split('; ').flatMap((each: string) => {
    const [, code = '', words = ''] = /^`(\w+)` [^(]*?(?: \((.*)\))?$/.exec(each) ?? [];
    const holds = isUsual[words];
    assert.ok(holds !== undefined, `nobody knows whether an operation is "${words}"`);
    return holds(operation.operation.method, operation.described) ? [code] : [];
  });
}

// Third-party tools accept the document without warnings; kits/test/openapi.test.ts asks a linter.
describe('the OpenAPI document', () => {
  test('is valid for an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.equal(valid, true, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  test('describes every property of every schema, every parameter and every named schema', () => {
    assert.deepEqual(undescribed(document, ''), []);
    for (const { operation, described } of every)
      for (const parameter of described.parameters)
        assert.notEqual(followed(parameter).description, '', `${operation.id} ${followed(parameter).name}`);
    const nameless = Object.entries<any>(document.components.schemas).filter(
      ([, schema]) => schema.description === undefined,
    );
    assert.deepEqual(
      nameless.map(([name]) => name),
      [],
    );
  });

  test('reports a property without a description', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { description: 'B.' } } };
    assert.deepEqual(undescribed({ Thing: schema }, ''), ['/Thing.a']);
  });

  test('describes everything in sentences', () => {
    const operations = every.map(({ described: { responses: _, ...asked } }) => asked);
    // Responses say in a word that something is done, or name codes.
    const { responses: _, ...components } = document.components;
    const descriptions = new Set(descriptionsIn([components, document.webhooks, operations]));
    assert.ok(descriptions.size > 400);
    assert.deepEqual([...descriptions].filter(isFragment), []);
    for (const fragment of ['In bytes.', 'of a picture, in pixels.', 'The size in bytes'])
      assert.ok(isFragment(fragment), fragment);
  });

  test('is the same each time it is generated', () => {
    const again = openApi(operationList, { version: '1.2.3', url: '/' });
    assert.equal(JSON.stringify(again), JSON.stringify(document));
  });

  // Generators and people read all of it.
  test('is at most 640 KB without white space', () => {
    const { length } = Buffer.from(JSON.stringify(document));
    assert.ok(length <= bytesMax, `${length} bytes`);
  });
});

// What schemas have alike is there once, and none of them loses anything by it.
describe('a schema in the document', () => {
  test('has the properties that it has in the contract, and requires the same', () => {
    const schemas = createSchemas();
    for (const operation of operationList) {
      for (const schema of Object.values(operation.success)) if (schema !== null) schemas.use(schema);
      if (operation.body !== undefined) schemas.useBody({ ...operation, body: operation.body });
    }
    const declared = Object.entries(schemas.named()).filter(([, { properties }]) => properties !== undefined);
    assert.ok(declared.length > 150);
    for (const [name, schema] of declared) {
      const { properties, required } = flattened(document.components.schemas[name]);
      assert.deepEqual(
        Object.keys(properties).sort(),
        Object.keys(schema['properties'] as object).sort(),
        name,
      );
      assert.deepEqual(required, [...((schema['required'] ?? []) as string[])].sort(), name);
    }
  });

  test('has its own properties besides those of the schema that it extends', () => {
    const [base, own] = document.components.schemas.Conversation.allOf;
    assert.deepEqual(base, { $ref: '#/components/schemas/App' });
    assert.deepEqual(Object.keys(own.properties), [
      'last_message_id',
      'last_message',
      'is_pinned',
      'is_unread',
    ]);
    assert.deepEqual(Object.keys(document.components.schemas.Page.properties), ['start', 'end', 'count']);
    assert.deepEqual(document.components.schemas.AppList.allOf[0], { $ref: '#/components/schemas/Page' });
  });

  test('cannot extend a schema whose properties it has not', () => {
    const object = (properties: object, required: string[] = []) => ({
      type: 'object',
      required,
      properties,
    });
    const text = { type: 'string' };
    const shared = (Conversation: object) =>
      withSharedParts({
        ...document,
        components: { schemas: { App: object({ id: text, uid: text }, ['id']), Conversation } },
      });
    assert.throws(() => shared(object({ id: text }, ['id'])), /uid of Conversation is not that of App/);
    assert.throws(
      () => shared(object({ id: text, uid: { type: 'integer' } }, ['id'])),
      /uid of Conversation/,
    );
    assert.throws(() => shared(object({ id: text, uid: text })), /id of Conversation/);
    assert.throws(() => shared({ type: 'string' }), /Conversation is not an object/);
    const { Conversation } = shared(object({ id: text, uid: text, more: text }, ['id', 'more'])).components
      .schemas;
    assert.deepEqual(Conversation?.['allOf'], [
      { $ref: '#/components/schemas/App' },
      { type: 'object', required: ['more'], properties: { more: text } },
    ]);
  });
});

// The document contains everything that the contract declares about an operation.
describe('an operation in the document', () => {
  test('has every status, parameter and body that it has in the contract', () => {
    assert.equal(
      Object.values<any>(document.paths).flatMap(({ parameters: _, ...methods }) => Object.keys(methods))
        .length,
      operationList.length,
    );
    for (const { operation, described } of every) {
      assert.equal(described.operationId, operation.id);
      for (const status of [...Object.keys(operation.success), ...operation.errors, 'default'])
        assert.ok(followed(described.responses[status]), `${operation.id} ${status}`);
      const names = described.parameters.map((parameter: any) => followed(parameter).name);
      assert.equal(new Set(names).size, names.length, operation.id);
      for (const name of [
        ...Object.keys(operation.params ?? {}),
        ...Object.keys(operation.query?.properties ?? {}),
        ...(operation.list === undefined
          ? []
          : ['q', 'tag', 'trashed', 'order_by', 'top', 'skip', 'count_only']),
      ])
        assert.ok(names.includes(name), `${operation.id} ${name}`);
      assert.equal(
        described.requestBody !== undefined,
        operation.body !== undefined || operation.upload !== undefined || operation.takesText === true,
        operation.id,
      );
      assert.ok(operation.tag in tagSentences, `the tag ${operation.tag} has a sentence`);
    }
  });

  test('is refused only with statuses and codes that the server sends', () => {
    const sent = new Set<number>(Object.values(problems).map(({ status }) => status));
    for (const { operation, described } of every)
      for (const name of Object.keys(described.responses)) {
        const status = Number(name);
        if (status < 400 || name === 'default') continue;
        assert.ok(sent.has(status), `${operation.id} declares ${status}, which nothing sends`);
        assert.notDeepEqual(problemCodesOf(operation, status), [], `${operation.id} ${status} has no code`);
      }
    for (const status of commonStatuses) assert.ok(sent.has(status));
  });

  test('is documented only with problems that the server sends', () => {
    const folder = resolve(import.meta.dirname, '../../../src');
    const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== join('kernel', 'problem.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const unsent = Object.keys(problems).filter((each) => !new RegExp(`(?<!code === )'${each}'`).test(code));
    assert.deepEqual(unsent, []);
  });

  test('names only problems that not every operation of its kind has', () => {
    const named = Object.entries(problems).flatMap(([code, each]) =>
      'scope' in each && (each.scope === 'named' || each.scope === 'list') ? [code] : [],
    );
    for (const { operation } of every)
      for (const code of operation.problems ?? []) {
        assert.ok(named.includes(code), `${operation.id} names ${code}`);
        const { status } = problems[code as keyof typeof problems];
        assert.ok(errorStatusesOf(operation).includes(status), `${operation.id} declares ${status}`);
      }
  });

  test('has the codes of its own refusals with each status', () => {
    const codesOf = (id: string, status: number) => {
      const found = every.find(({ operation }) => operation.id === id);
      assert.ok(found !== undefined, id);
      return documentedCodes(found, status);
    };
    assert.ok(!codesOf('createApp', 400).includes('embed_failed'));
    assert.ok(codesOf('createEmbed', 400).includes('embed_failed'));
    assert.deepEqual(codesOf('getApp', 400), ['invalid_query', 'invalid_entity_tag']);
    assert.ok(!codesOf('createApp', 403).includes('manage_forbidden'));
    assert.ok(codesOf('updateApp', 403).includes('directory_forbidden'));
    assert.match(followed({ $ref: '#/components/responses/Refused' }).description, /400 `invalid_query`/);
    assert.deepEqual(codesOf('getApp', 401), ['unauthorized', 'invalid_credential', 'users_only']);
    for (const each of every)
      for (const status of Object.keys(each.described.responses).map(Number))
        if (status >= 400)
          assert.deepEqual(
            documentedCodes(each, status),
            problemCodesOf(each.operation, status),
            `${each.operation.id} ${status}`,
          );
  });

  test('accepts null only for fields that PATCH and PUT can clear', () => {
    const { properties } = document.components.schemas.AppPatch;
    assert.deepEqual(properties.name.type, ['string', 'null']);
    assert.deepEqual(properties.access.enum, ['none', 'read', 'write', null]);
    assert.equal(properties.uid.type, 'string');
    assert.equal(document.components.schemas.AppCreate.properties.name.type, 'string');
  });

  test('states who may call it, and which scopes an API key needs', () => {
    const callers = (id: string) => {
      const { security = document.security, 'x-key-scopes': needed } =
        every.find(({ operation }) => operation.id === id)?.described ?? {};
      return { security, needed };
    };
    const [accessToken, apiKey] = [{ accessToken: [] }, { apiKey: [] }];
    assert.deepEqual(callers('createApp'), { security: [accessToken, apiKey], needed: ['apps'] });
    assert.deepEqual(callers('registerWebhook'), { security: [apiKey], needed: ['webhooks'] });
    assert.deepEqual(callers('subscribeApp'), { security: [accessToken], needed: undefined });
    assert.deepEqual(callers('getComment'), { security: [accessToken, apiKey, {}], needed: ['read'] });
    assert.deepEqual(callers('getSignIn').security, []);
    for (const { operation, described } of every) {
      assert.deepEqual(described['x-key-scopes'] ?? [], scopesOf(operation), operation.id);
      const { security = document.security } = described;
      // OpenAPI 3.1 allows scopes here, but linters know them for OAuth alone.
      assert.deepEqual(
        security.flatMap((each: object) => Object.values(each).flat()),
        [],
        operation.id,
      );
      const takesKey = security.some((each: object) => 'apiKey' in each);
      assert.equal(takesKey, operation.caller === 'any' || operation.caller === 'key', operation.id);
    }
  });

  test('has limits and defaults of lists', () => {
    const { top } = document.components.parameters;
    assert.deepEqual(top.schema, { type: 'integer', minimum: 1, maximum: 100, default: 25 });
    const order = document.paths['/api/apps'].get.parameters.find((each: any) => each.name === 'order_by');
    assert.ok(order.schema.enum.includes('created_at desc'));
    assert.equal(order.schema.default, 'id');
  });

  test('has valid examples of each body and each response', () => {
    assert.ok(assertExamples(document) > operationList.length);
  });

  test('uses the uid of a user for users and that of an app for apps', () => {
    const { schemas } = document.components;
    for (const name of ['User', 'UserDetail', 'UserCreate', 'UserPatch', 'AppMember', 'AutocompleteUser'])
      assert.deepEqual(flattened(schemas[name]).properties.uid.examples, ['ada'], name);
    for (const name of ['App', 'AppItem', 'AppCreate', 'AppPatch', 'AppPut'])
      assert.deepEqual(flattened(schemas[name]).properties.uid.examples, ['product-42'], name);
    assert.deepEqual(schemas.AppInit.properties.user.properties.uid.examples, ['ada']);
    const app = document.components.examples.App.value;
    assert.equal(app.uid, 'product-42');
    assert.equal(app.created_by.uid, 'ada');
    const { examples } = document.webhooks.delivery.post.requestBody.content['application/json'];
    const joined = examples.member_added.value;
    assert.equal(joined.app.uid, 'product-42');
    assert.equal(joined.member.uid, 'ada');
  });

  test('calls only irreversible operations permanent', () => {
    for (const { operation } of every) {
      const words = `${operation.summary} ${operation.description ?? ''}`;
      if (/permanently|cannot be undone|no way back|for good|once there/.test(words))
        assert.equal(operation.method, 'DELETE', `${operation.id}: ${words}`);
    }
  });

  test('cannot share the name of a schema with another schema', () => {
    const schemas = createSchemas();
    schemas.use(Type.Object({ a: Type.String() }, { $id: 'Thing' }));
    assert.throws(() => schemas.use(Type.Object({ a: Type.Integer() }, { $id: 'Thing' })), /called Thing/);
  });
});

// The server serves the generated document, which it does not make again, with its own address.
test('the server serves the generated document with its own address', async (t) => {
  const url = 'https://confab.example/$&';
  const server = await startTestServer({ CONFAB_PUBLIC_URL: url });
  t.after(() => server.close());
  const { status, body } = await server.call('GET', '/openapi.json', undefined, { as: null });
  assert.equal(status, 200);
  const file = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8'));
  assert.deepEqual(body, { ...file, servers: [{ ...file.servers[0], url }] });
  assert.deepEqual(body, JSON.parse(JSON.stringify(openApi(operationList, { version, url }))));
});
