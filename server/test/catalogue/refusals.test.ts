import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits, type ProblemBody } from 'confab-contract/fields.ts';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import {
  type BodyPlace,
  makeTargets,
  placesOf,
  pointerTo,
  type Targets,
  textAt,
} from 'confab-testing/catalogue/contract-places.ts';
import { decidedEarly } from 'confab-testing/catalogue/early.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

let targets: Targets;
let visitorToken: string;
const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });
before(async () => {
  targets = await makeTargets(server);
  visitorToken = (await signInGuest(server)).access_token;
});
const watch = useStoreWatch(server);

const bodies = operationList.filter(({ body }) => body !== undefined);
const mebibyte = 1024 * 1024;
/** The most bytes of a problem: 20 errors whose pointers have 128 characters of at most six bytes each. */
const refusalBytesMax = 24 * 1024;
const strict = { prefer: 'handling=strict' };

/** What an operation is called with; who is signed out is another visitor each time. */
async function credentialFor({ id, caller }: Operation): Promise<string> {
  if (id === 'signOut') return (await signInGuest(server)).access_token;
  if (caller === 'visitor') return visitorToken;
  return caller === 'user' ? targets.token : server.key;
}

async function send(
  operation: Operation,
  { query = '', text, headers = {} }: { query?: string; text?: string; headers?: Record<string, string> },
): Promise<Answer> {
  return await server.call(operation.method, targets.pathOf(operation) + query, text, {
    as: await credentialFor(operation),
    headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
}

function pointersOf(answer: Answer): (string | undefined)[] {
  return ((answer.body as ProblemBody).errors ?? []).map(({ pointer }) => pointer);
}

function isOfType({ schema }: BodyPlace, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

function isFreeForm({ schema }: BodyPlace): boolean {
  return schema.format === 'metadata' || schema.type === undefined;
}

const nameOf = ({ operation, path }: BodyPlace) => `${operation.id} at ${pointerTo(path) || 'the root'}`;

/** Fails unless the body was refused with a small response and without a change. */
function assertRefused(answer: Answer): void {
  assert.ok(answer.status === 400 || answer.status === 422, `${answer.status} ${answer.text.slice(0, 500)}`);
  assert.ok(Buffer.byteLength(answer.text) <= refusalBytesMax, `${answer.text.length} characters`);
  const { errors = [] } = answer.body as ProblemBody;
  assert.ok(errors.length >= 1 && errors.length <= 20, `${errors.length} errors`);
  assert.equal(watch.hasChanged(), false);
}

/** As many copies of an item, which counts as two values at most, as a body holds with `around` around them. */
function manyOf(item: string, around: (items: string) => string): string {
  const room = mebibyte - around('').length - 2;
  const count = Math.min(Math.floor((room + 1) / (item.length + 1)), limits.bodyValuesMax / 2 - 20);
  return around(`[${`${item},`.repeat(count - 1)}${item}]`);
}

// The size of a problem does not grow with the request. The places come from the contract.
describe('as many as a body may have', () => {
  const arrays = bodies.flatMap(placesOf).filter((place) => isOfType(place, 'array'));
  for (const place of arrays)
    test(`wrong items for ${nameOf(place)} are refused in a few kilobytes`, async () => {
      for (const item of decidedEarly(['1', '{}', 'null', '""', '[]', 'true', '"x y",1'])) {
        watch.hasChanged();
        const text = manyOf(item, (items) => textAt(place.path, items));
        assertRefused(await send(place.operation, { text }));
      }
    });

  const freeForms = bodies.flatMap(placesOf).filter(isFreeForm);
  for (const place of freeForms)
    test(`values for ${nameOf(place)} are refused in a few kilobytes`, async () => {
      for (const item of decidedEarly(['1', '{}', '1e400', '9007199254740993', '1e-7', '"\\u0000"'])) {
        watch.hasChanged();
        const text = manyOf(item, (items) => textAt([...place.path, 'a'], items));
        assertRefused(await send(place.operation, { text }));
      }
    });

  const objects = bodies.flatMap(placesOf).filter((place) => isOfType(place, 'object') && !isFreeForm(place));
  for (const place of objects)
    test(`unknown names for ${nameOf(place)} are refused in a few kilobytes, strictly`, async () => {
      const many = Array.from({ length: 15_000 }, (_, index) => `"p${index}":1`).join(',');
      const one = `"${'\\u0001'.repeat(170_000)}":1`;
      for (const members of decidedEarly([many, one])) {
        watch.hasChanged();
        const answer = await send(place.operation, {
          text: textAt(place.path, `{${members}}`),
          headers: strict,
        });
        assertRefused(answer);
        assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
      }
    });
});

// Nested fields and items are checked like top-level fields.
describe('inside a body', () => {
  const inner = bodies
    .flatMap(placesOf)
    .filter(
      ({ path }) => path.length > 1 && path.at(-1) !== '[]' && path.length > path.lastIndexOf('[]') + 1,
    );

  test('objects and items exist', () => {
    const names = inner.map(nameOf);
    for (const name of ['initApp at /user/name', 'addMembers at /0/uid', 'updateComment at /options/0/id'])
      assert.ok(names.includes(name), name);
  });

  for (const place of inner) {
    test(`null counts as absent for ${nameOf(place)}`, async () => {
      const answer = await send(place.operation, { text: textAt(place.path, 'null') });
      assert.notEqual((answer.body as ProblemBody | undefined)?.code, 'wrong_type', answer.text);
    });

    if (!isFreeForm(place) || isOfType(place, 'object'))
      test(`a wrong type is named for ${nameOf(place)}`, async () => {
        const wrong = isOfType(place, 'object') || isOfType(place, 'array') ? '"x"' : '[[]]';
        watch.hasChanged();
        const answer = await send(place.operation, { text: textAt(place.path, wrong) });
        assertRefused(answer);
        assert.equal(answer.body.code, 'wrong_type');
        assert.deepEqual(pointersOf(answer)[0], pointerTo(place.path));
      });
  }

  const objects = bodies.flatMap(placesOf).filter((place) => isOfType(place, 'object') && !isFreeForm(place));
  for (const place of objects)
    test(`an unknown name is a fault only strictly for ${nameOf(place)}`, async () => {
      const text = textAt([...place.path, 'a/b~c'], '{"is_suspended":"false"}');
      const pointer = `${pointerTo(place.path)}/a~1b~0c`;
      watch.hasChanged();
      const refused = await send(place.operation, { text, headers: strict });
      assertRefused(refused);
      assert.ok(pointersOf(refused).includes(pointer), refused.text);
      const lenient = await send(place.operation, { text });
      assert.ok(!lenient.text.includes(pointer), lenient.text);
      // A lock would refuse what is tried after it.
      const unlock = place.operation.id.replace(/^lock/, 'unlock');
      const undo = operationList.find(({ id }) => id === unlock);
      if (undo !== undefined && undo !== place.operation) await send(undo, {});
    });
});

// In strict mode every operation refuses an invalid query, even one that it does not use.
describe('strict handling', () => {
  for (const operation of operationList)
    test(`of ${operation.id} refuses an unknown parameter and confirms that it was applied`, async () => {
      const answer = await send(operation, { query: '?nonsense=1', headers: strict });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.code, 'invalid_query');
      assert.deepEqual(
        answer.body.errors.map(({ parameter }: { parameter: string }) => parameter),
        ['nonsense'],
      );
      assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
    });

  test('names 20 parameters and counts the rest', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `p${index}=1`).join('&');
    const listed = await server.call('GET', `/api/apps?${names}`, undefined, { headers: strict });
    assert.equal(listed.body.errors.length, 20);
    assert.equal(listed.body.more_errors, 130);
    const expanded = await server.call('GET', `/api/apps?expand=${'x,'.repeat(5000)}`, undefined, {
      headers: strict,
    });
    assert.equal(expanded.status, 400);
    assert.equal(expanded.body.more_errors, 4980);
    assert.ok(expanded.text.length < refusalBytesMax);
  });

  test('is requested only by that word', async () => {
    for (const prefer of ['handling=strictly', 'handling=lenient', 'xhandling=strict', 'handling="strict'])
      assert.equal(
        (await server.call('GET', '/api/apps?nonsense=1', undefined, { headers: { prefer } })).status,
        200,
      );
    for (const prefer of ['handling="strict"', 'wait=5, Handling = Strict', 'handling=strict; x=y'])
      assert.equal(
        (await server.call('GET', '/api/apps?nonsense=1', undefined, { headers: { prefer } })).status,
        400,
      );
  });
});

// A problem names every invalid field, whether the schema or a feature found it, up to 20.
describe('the faults of one body', () => {
  const cases: readonly [id: string, body: unknown, pointers: readonly string[]][] = [
    [
      'createApp',
      {
        uid: '12',
        type: 'forum',
        access: 'all',
        name: 'x'.repeat(257),
        tags: ['a', '', 'x'.repeat(65)],
        metadata: { a: '\0' },
      },
      ['/uid', '/type', '/access', '/name', '/tags/1', '/tags/2', '/metadata/a'],
    ],
    ['createApp', { type: 'forum', tags: [''] }, ['/uid', '/type', '/tags/0']],
    ['updateApp', { uid: null, access: 'all', tags: [''] }, ['/uid', '/access', '/tags/0']],
    [
      'initApp',
      { app: { type: 'forum', tags: [''] }, user: { uid: 'ada', email: 'x', picture: 'x' } },
      ['/app/uid', '/app/type', '/app/tags/0', '/user/email', '/user/picture'],
    ],
    [
      'createAppComment',
      { text: 'x'.repeat(65_537), tags: ['', ''], blobs: [0], options: [{ text: ' ' }] },
      ['/text', '/tags/0', '/tags/1', '/blobs/0', '/options/0/text'],
    ],
    [
      'updateComment',
      { embed_id: 0, tags: [''], options: [{}] },
      ['/embed_id', '/tags/0', '/options/0/text'],
    ],
    [
      'createUser',
      { uid: '12', email: 'x', picture: 987_654_321, directory: '0', tags: [''], name: 'x'.repeat(257) },
      ['/uid', '/email', '/picture', '/directory', '/tags/0', '/name'],
    ],
    [
      'updateUser',
      { uid: '12', email: 'x', picture: 'data:image/png;base64,AAAA', tags: [''] },
      ['/uid', '/email', '/picture', '/tags/0'],
    ],
    ['issueToken', { expires_in: 1, email: 'x', tags: [''] }, ['/expires_in', '/email', '/tags/0']],
    ['createFile', { name: '/', tags: [''] }, ['/blob_id', '/name', '/tags/0']],
    ['updateFile', { blob_id: 0, name: '/', tags: [''] }, ['/blob_id', '/name', '/tags/0']],
    [
      'createExternalBlob',
      {
        provider: ' ',
        link: 'x',
        name: '/',
        embed: 'ftp://x/',
        media_type: 'x',
        size: -1,
        raw: 'x'.repeat(65_537),
      },
      ['/provider', '/link', '/name', '/embed', '/media_type', '/size', '/raw'],
    ],
    [
      'registerWebhook',
      { payload_url: 'x', secret: 'whsec_x', triggers: ['a', 'comments', 'b'] },
      ['/payload_url', '/secret', '/triggers/0', '/triggers/2'],
    ],
    [
      'updateWebhook',
      { payload_url: 'x', secret: '', triggers: ['a'] },
      ['/payload_url', '/secret', '/triggers/0'],
    ],
    ['rotateWebhookSecret', { secret: 'whsec_x', overlap_seconds: -1 }, ['/secret', '/overlap_seconds']],
    [
      'createConversation',
      { members: ['a b', 'ada', 0], type: 'comments', name: 'x'.repeat(257) },
      ['/members/0', '/members/2', '/type', '/name'],
    ],
    [
      'addMembers',
      [{ access: 'all' }, {}, { uid: 'ada', access: 'x' }],
      ['/0/access', '/0/uid', '/1/uid', '/2/access'],
    ],
  ];
  for (const [id, body, pointers] of cases)
    test(`of ${id} are named at once: ${pointers.join(' ')}`, async () => {
      const operation = operationList.find((known) => known.id === id);
      assert.ok(operation !== undefined);
      watch.hasChanged();
      const answer = await send(operation, { text: JSON.stringify(body) });
      assertRefused(answer);
      assert.equal(answer.body.code, 'validation_failed');
      assert.deepEqual(pointersOf(answer).sort(), [...pointers].sort());
    });

  for (const [method, path, pointers] of [
    ['PUT', '/api/apps/12', ['/access', '/tags/0', '/type', '/uid']],
    ['PUT', '/api/users/12', ['/email', '/tags/0', '/uid']],
  ] as const)
    test(`of ${method} ${path} are named with the uid in the path`, async () => {
      const isUser = path.startsWith('/api/users');
      const answer = await server.call(
        method,
        path,
        isUser ? { email: 'x', tags: [''] } : { type: 'x', access: 'x', tags: [''] },
      );
      assert.equal(answer.status, 422);
      assert.deepEqual(pointersOf(answer).sort(), pointers);
    });

  test('are counted beyond the twentieth', async () => {
    const tags = Array.from({ length: 90 }, () => '');
    const answer = await server.call('POST', '/api/apps', { uid: '12', type: 'forum', tags });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.errors.length, 20);
    assert.equal(answer.body.more_errors, 72);
    assert.equal(
      (await server.call('POST', '/api/apps', { uid: '12', type: 'forum' })).body.more_errors,
      undefined,
    );
  });

  test('of a wrong type come first, followed by the broken rules', async () => {
    const answer = await server.call('POST', '/api/apps', { uid: '12', type: 'comments', name: 5 });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'wrong_type');
    assert.deepEqual(pointersOf(answer), ['/name', '/uid']);
  });

  test('keep the picture of a refused user out of the store', async () => {
    const picture =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    watch.hasChanged();
    assert.equal(
      (await server.call('POST', '/api/users', { uid: 'drawn', email: 'x', picture })).status,
      422,
    );
    assert.equal(watch.hasChanged(), false);
  });
});
