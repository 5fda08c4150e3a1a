import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRowCount, decidedEarly } from 'confab-testing/catalogue/early.ts';
import { type FieldRow, fieldRows, fieldsOf, textOf, unknownRows } from 'confab-testing/catalogue/fields.ts';
import { nested, notArrays, notObjects, unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import {
  acceptedBody,
  assertEach,
  assertInTurn,
  invalidOf,
  makeWorld,
  operationNamed,
  pathOf,
  successOf,
  type World,
  withBody,
} from 'confab-testing/catalogue/rows.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

let world: World;
let rows = 0;
const server = useServer();
before(async () => {
  world = await makeWorld(server);
});
const watch = useStoreWatch(server);

const jsonType = 'application/json';

function send(
  id: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = { 'content-type': jsonType },
): Promise<Answer> {
  return server.call(operationNamed(id).method, pathOf(world, id), body, { headers });
}

/** An accepted body with one field replaced. */
function bodyWith(id: string, field: string, value: unknown): string {
  const accepted = Object.entries(acceptedBody(world, id) as object).filter(([key]) => key !== field);
  return textOf(Object.fromEntries([...accepted.map(([key, member]) => [key, member])])).replace(
    /\}$/,
    `${accepted.length > 0 ? ',' : ''}${JSON.stringify(field)}:${textOf(value)}}`,
  );
}

/** A value as JSON represents it: minus zero becomes zero. */
function asKept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(JSON.parse(textOf(value))));
}

function isList(id: string): boolean {
  return Array.isArray(acceptedBody(world, id));
}

// A body that is not JSON, or not of the type that the operation takes, is 400 and changes nothing.
describe('an unreadable body', () => {
  for (const id of withBody)
    test(`of ${id}`, async () => {
      watch.hasChanged();
      rows += await assertEach(
        [...unreadableTexts, ...(isList(id) ? notArrays : notObjects)],
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({ expected: 400, answer: await send(id, text) }),
      );
      assert.equal(watch.hasChanged(), false);
    });

  for (const id of ['trashApp', 'restoreApp', 'removeMember', 'deleteWebhook'])
    test(`of ${id}, which accepts none but declares 400`, async () => {
      rows += await assertEach(
        unreadableTexts,
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({ expected: 400, answer: await send(id, text) }),
      );
      assert.equal(watch.hasChanged(), false);
    });

  for (const id of ['subscribeApp', 'unsubscribeApp'])
    test(`of ${id}, which accepts none and declares no 400, is ignored`, async () => {
      const path = pathOf(world, id);
      await server.call('PUT', `/api/apps/${world.app}/members/${world.user}`);
      rows += await assertEach(
        unreadableTexts,
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({
          expected: 200,
          answer: await server.call('POST', path, text, { as: world.token }),
        }),
      );
    });
});

// An empty body counts as absent, whatever its content type, because existing clients declare JSON on every call.
describe('an empty body', () => {
  const expected: { readonly [operation: string]: number } = {
    createApp: 422,
    updateApp: 200,
    upsertApp: 422,
    addMember: 204,
    addMembers: 400,
    removeMembers: 400,
    createAppComment: 201,
    createFileComment: 201,
    createPostComment: 201,
    updateComment: 200,
    registerWebhook: 422,
    updateWebhook: 200,
    trashApp: 200,
    restoreApp: 200,
    removeMember: 204,
  };
  for (const [id, status] of Object.entries(expected))
    test(`of ${id}`, async () => {
      rows += await assertEach(
        decidedEarly([jsonType, 'application/json;charset=utf-8', 'text/plain', undefined]),
        (type) => String(type),
        async (type) => ({
          expected: status,
          answer: await send(id, '', type === undefined ? {} : { 'content-type': type }),
        }),
      );
    });
});

// Names are counted before the body is parsed, because parsing an object with very many of them takes long.
describe('a body with very many property names', () => {
  const named = (count: number) =>
    `{"unknown":{${Array.from({ length: count - 1 }, (_, n) => `"u${n}":1`).join(',')}}}`;

  for (const id of withBody.filter((name) => !name.endsWith('s')))
    test(`of ${id}`, async () => {
      rows += await assertEach(
        decidedEarly([19_000, 20_001, 90_000]),
        (count) => `${count} names`,
        async (count) => {
          const text = named(count);
          const accepted = JSON.stringify(acceptedBody(world, id)).slice(1);
          const body = accepted === '}' ? text : `${text.slice(0, -1)},${accepted}`;
          const answer = await send(id, body);
          return { expected: count <= 20_000 ? successOf(id) : 400, answer };
        },
      );
    });

  test('may have any number of them inside its texts', async () => {
    const answer = await send('createAppComment', JSON.stringify({ text: '":'.repeat(30_000) }));
    assert.equal(answer.status, 201);
  });
});

// Values are counted before the body is parsed, because each takes time until the field that holds too many is refused.
describe('a body with very many values', () => {
  const valued = (count: number) => `{"unknown":[${'1,'.repeat(count - 3)}1]}`;

  for (const id of withBody.filter((name) => !name.endsWith('s')))
    test(`of ${id}`, async () => {
      rows += await assertEach(
        decidedEarly([90_000, 100_000, 100_001, 500_000]),
        (count) => `${count} values`,
        async (count) => {
          const accepted = JSON.stringify(acceptedBody(world, id)).slice(1);
          const values = count - (accepted.match(/[,[{]/g)?.length ?? 0);
          const text = accepted === '}' ? valued(values + 1) : `${valued(values).slice(0, -1)},${accepted}`;
          const answer = await send(id, text);
          assert.equal(answer.body?.code, count <= 100_000 ? undefined : 'invalid_json');
          return { expected: count <= 100_000 ? successOf(id) : 400, answer };
        },
      );
    });

  test('may have any number of them inside its texts', async () => {
    const answer = await send('createAppComment', JSON.stringify({ text: ',{['.repeat(21_000) }));
    assert.equal(answer.status, 201);
  });
});

// Depth is checked before anything walks the value, so that no stack overflows and nothing takes long.
describe('a deep body', () => {
  for (const id of withBody.filter((name) => !name.endsWith('s')))
    test(`of ${id}`, async () => {
      for (const kind of ['array', 'object'] as const)
        rows += await assertInTurn(
          decidedEarly([63, 64, 65, 5000, 100_000]),
          (depth) => `${depth} levels of ${kind}`,
          async (depth) => {
            const text = nested(depth, kind);
            const accepted = JSON.stringify(acceptedBody(world, id)).slice(1);
            const body = accepted === '}' ? text : `${text.slice(0, -1)},${accepted}`;
            const started = processorMs();
            const answer = await send(id, body);
            assert.ok(processorMs() - started < 1000, `${depth} levels took long`);
            return { expected: depth <= 64 ? successOf(id) : 400, answer };
          },
        );
    });
});

// Bodies are uncompressed JSON in UTF-8, with exactly one content type that says so.
describe('the type of a body', () => {
  const types: readonly (readonly [Record<string, string>, number | 'ok'])[] = [
    [{ 'content-type': 'application/json' }, 'ok'],
    [{ 'content-type': 'APPLICATION/JSON' }, 'ok'],
    [{ 'content-type': 'application/json; charset=utf-8' }, 'ok'],
    [{ 'content-type': 'application/json;charset=UTF-8' }, 'ok'],
    [{ 'content-type': 'application/json; charset="utf-8"' }, 'ok'],
    [{ 'content-type': 'application/json; charset=utf8' }, 'ok'],
    [{ 'content-type': 'application/json; boundary=x' }, 'ok'],
    [{ 'content-type': 'application/json ; charset=utf-8' }, 'ok'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 415],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }, 415],
    [{ 'content-type': 'application/json; charset=us-ascii' }, 415],
    [{ 'content-type': 'application/jsonx' }, 415],
    [{ 'content-type': 'application/json, text/plain' }, 415],
    [{ 'content-type': 'application/json+x' }, 415],
    [{ 'content-type': 'application/vnd.x+json' }, 415],
    [{ 'content-type': 'application/merge-patch+json' }, 415],
    [{ 'content-type': 'application/json-patch+json' }, 415],
    [{ 'content-type': 'application/problem+json' }, 415],
    [{ 'content-type': 'application/x-ndjson' }, 415],
    [{ 'content-type': 'text/json' }, 415],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'text/plain;charset=UTF-8' }, 415],
    [{ 'content-type': 'text/html' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 415],
    [{ 'content-type': 'multipart/form-data' }, 415],
    [{ 'content-type': 'application/xml' }, 415],
    [{ 'content-type': 'application/octet-stream' }, 415],
    [{ 'content-type': 'application' }, 415],
    [{ 'content-type': 'json' }, 415],
    [{ 'content-type': '/' }, 415],
    [{ 'content-type': '*/*' }, 415],
    [{ 'content-type': jsonType, 'content-encoding': 'identity' }, 'ok'],
    [{ 'content-type': jsonType, 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': jsonType, 'content-encoding': 'br' }, 415],
    [{ 'content-type': jsonType, 'content-encoding': 'deflate, gzip' }, 415],
    [{ 'content-type': jsonType, 'content-encoding': 'zstd' }, 415],
  ];
  for (const id of withBody)
    test(`of ${id}`, async () => {
      rows += await assertEach(
        decidedEarly(types),
        ([headers]) => JSON.stringify(headers),
        async ([headers, expected]) => ({
          expected: expected === 'ok' ? successOf(id) : expected,
          answer: await send(id, JSON.stringify(acceptedBody(world, id)), headers),
        }),
      );
    });
});

// A body of one mebibyte is accepted, and one byte more is refused.
describe('the size of a body', () => {
  const mebibyte = 1024 * 1024;
  for (const id of withBody)
    test(`of ${id}`, async () => {
      const text = JSON.stringify(acceptedBody(world, id));
      rows += await assertEach(
        decidedEarly([
          [mebibyte, successOf(id)],
          [mebibyte + 1, 413],
          [2 * mebibyte, 413],
        ] as const),
        ([size]) => `${size} bytes`,
        async ([size, expected]) => ({ expected, answer: await send(id, text.padEnd(size)) }),
      );
    });
});

// Each field is checked for its type first and then for its rules, and a refused request changes nothing.
describe('the fields of a body', () => {
  for (const id of withBody) {
    const own = fieldRows.filter(({ field }) => fieldsOf[id]?.includes(field));
    // The bodies of lists have none.
    if (own.length === 0) continue;
    const nameOf = ({ field, name }: FieldRow) => `${field}: ${name}`;
    const attempt = async ({ field, value, expected }: FieldRow) => ({
      expected: { ok: successOf(id), 'wrong type': 400, 'broken rule': invalidOf(id) }[expected],
      answer: await send(id, bodyWith(id, field, value)),
    });

    test(`of ${id} that are refused`, async () => {
      watch.hasChanged();
      const refused = own.filter(({ expected }) => expected !== 'ok');
      rows += await assertEach(refused, nameOf, async (row) => {
        const outcome = await attempt(row);
        const places = outcome.answer.body.errors?.map((error: { pointer: string }) => error.pointer) ?? [];
        assert.ok(
          places.some((place: string) => place.startsWith(`/${row.field}`)),
          `${row.field} is not named in ${JSON.stringify(outcome.answer.body)}`,
        );
        return outcome;
      });
      assert.equal(watch.hasChanged(), false);
    });

    test(`of ${id} that are accepted`, async () => {
      rows += await assertEach(
        own.filter(({ expected }) => expected === 'ok'),
        nameOf,
        async (row) => {
          const outcome = await attempt(row);
          const isShown = ['name', 'description', 'metadata', 'text'].includes(row.field);
          if (isShown && row.value !== null)
            assert.deepEqual(outcome.answer.body[row.field], asKept(row.value));
          return outcome;
        },
      );
    });

    test(`of ${id} that are unknown`, async () => {
      rows += await assertEach(unknownRows, nameOf, attempt);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
  }

  test('are in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'bodies', rows, least: { sqlite: 4000, postgres: 300 } });
  });
});
