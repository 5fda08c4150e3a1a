import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentKind, contentKinds } from 'confab-testing/content.ts';
import { makeApp, makeBlob, usePeople } from 'confab-testing/fixtures.ts';
import { type Answer, freshUid, useServer } from 'confab-testing/server.ts';

/**
 * Every way in which an author could bring back what staff put in the trash or held, tried on every kind of content. What
 * a user can send about content is in the contract; each operation that changes content is in one of these ways.
 */

const server = useServer({}, { isQuiet: true });
const [author, visitor] = usePeople(server, 'Author', 'Visitor');

/** Content that staff took away, and what its author sends about it. */
type Case = {
  readonly kind: string;
  readonly app: { readonly id: number };
  readonly path: string;
  readonly id: number;
  readonly created: object;
  readonly creation: { readonly path: string; readonly key: string };
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
};

type Way = {
  readonly name: string;
  /** The kinds that have this way, where not all have it. */
  readonly of?: readonly string[];
  readonly status: number;
  readonly code?: string;
  readonly go: (item: Case) => Promise<Answer>;
};

const moderated = { status: 403, code: 'moderated' } as const;
const entries = ['comment', 'post', 'message'] as const;

const ways: readonly Way[] = [
  { name: 'restoring it', ...moderated, go: ({ send, path }) => send('POST', `${path}/restore`) },
  {
    name: 'trashing it, so that it is theirs, and restoring it',
    ...moderated,
    go: async ({ send, path }) => {
      await send('POST', `${path}/trash`);
      return await send('POST', `${path}/restore`);
    },
  },
  {
    name: 'editing its text',
    of: entries,
    ...moderated,
    go: ({ send, path }) => send('PATCH', path, { text: 'x' }),
  },
  {
    name: 'removing its attachments',
    of: entries,
    ...moderated,
    go: ({ send, path }) => send('PATCH', path, { attachments: [] }),
  },
  {
    name: 'editing its poll',
    of: entries,
    ...moderated,
    go: ({ send, path }) => send('PATCH', path, { options: [] }),
  },
  {
    name: 'renaming it',
    of: ['file'],
    ...moderated,
    go: ({ send, path }) => send('PATCH', path, { name: 'b.txt' }),
  },
  {
    name: 'replacing its content',
    of: ['file'],
    ...moderated,
    go: async ({ send, path }) => send('PATCH', path, { blob_id: await makeBlob(author) }),
  },
  {
    name: 'restoring an earlier version of it',
    of: ['file'],
    ...moderated,
    go: ({ send, path }) => send('POST', `${path}/versions/1/restore`),
  },
  ...[{}, { replace: true }].map((fields) => ({
    name: `uploading a file with its name${'replace' in fields ? ', to replace it' : ''}`,
    of: ['file'],
    ...moderated,
    go: async ({ send, creation, created }: Case) => {
      const blob_id = await makeBlob(author);
      return await send('POST', creation.path, { ...created, blob_id, ...fields });
    },
  })),
  // As one who moderates their app they get the refusal of an author, and else that of one who does not.
  { name: 'approving it', status: 403, go: ({ send, path }) => send('POST', `${path}/approve`) },
  {
    name: 'sending the request again that made it',
    status: 201,
    go: ({ send, creation, created }) =>
      send('POST', creation.path, created, { 'idempotency-key': creation.key }),
  },
  {
    name: 'reacting to it',
    of: entries,
    status: 404,
    go: ({ send, path }) => send('POST', `${path}/reactions`, { content: '👍' }),
  },
  {
    name: 'commenting on it',
    of: ['post', 'file'],
    status: 404,
    go: ({ send, path }) => send('POST', `${path}/comments`, { text: 'x' }),
  },
  {
    name: 'subscribing to it',
    of: ['post', 'file'],
    status: 404,
    go: ({ send, path }) => send('POST', `${path}/subscribe`),
  },
];

/** What staff do to it. */
const verdicts = { trash: 'put in the trash', hold: 'held' } as const;

async function makeCase(kind: string, verb: keyof typeof verdicts, role: string | null): Promise<Case> {
  const { type, list: noun } = contentKind(kind);
  const app = await makeApp(server, { type, access: 'write' });
  if (role !== null) await server.call('PUT', `/api/apps/${app.id}/members/${author.uid}`, { role });
  const send: Case['send'] = async (method, path, body, headers = {}) =>
    (await author.call(method, path, body, { headers })) as Answer;
  const blob = await makeBlob(author);
  const created =
    kind === 'file'
      ? { blob_id: blob, name: 'a.txt' }
      : { text: 'words', blobs: [blob], options: [{ text: 'yes' }] };
  const creation = { path: `/api/apps/${app.id}/${noun}`, key: freshUid('key') };
  const { status, text, body } = await send('POST', creation.path, created, {
    'idempotency-key': creation.key,
  });
  assert.equal(status, 201, text);
  const path = `/api/${noun}/${body.id}`;
  if (kind === 'file') await send('PATCH', path, { blob_id: await makeBlob(author), backup: true });
  assert.equal((await server.call('POST', `${path}/${verb}`)).status, 200);
  return { kind, app, path, id: body.id, created, creation, send };
}

/** It does not exist for others: not by its id, not in a list, not in a search. */
async function assertAway({ app, path, kind, id }: Case): Promise<void> {
  const { list: noun } = contentKind(kind);
  assert.equal((await visitor.call('GET', path)).status, 404);
  for (const list of [`/api/apps/${app.id}/${noun}`, `/api/apps/${app.id}/${noun}?q=words`]) {
    const { body } = await visitor.call('GET', list);
    assert.ok(!(body.data as { id: number }[]).some((item) => item.id === id), list);
  }
}

let tries = 0;

for (const [verb, state] of Object.entries(verdicts) as [keyof typeof verdicts, string][])
  for (const role of [null, 'moderator', 'manager'])
    describe(`what staff ${state} does not come back by its author${role === null ? '' : `, a ${role},`}`, {
      concurrency: 8,
    }, () => {
      for (const { name, of = Object.keys(contentKinds), status, code, go } of ways)
        test(name, async () => {
          for (const kind of of) {
            const item = await makeCase(kind, verb, role);
            const answer = await go(item);
            tries += 1;
            // Approving is for what is held: the trash is not there for it.
            const expected = name === 'approving it' && verb === 'trash' ? 404 : status;
            assert.equal(answer.status, expected, `${kind}: ${answer.text}`);
            if (code !== undefined && answer.status === 403) assert.equal(answer.body.code, code, kind);
            await assertAway(item);
          }
        });

      test('restoring what it is in', async () => {
        for (const kind of Object.keys(contentKinds)) {
          const item = await makeCase(kind, verb, role);
          for (const move of ['trash', 'restore'])
            assert.equal((await server.call('POST', `/api/apps/${item.app.id}/${move}`)).status, 200);
          await assertAway(item);
        }
        const app = await makeApp(server, { type: 'posts', access: 'write' });
        const post = (await author.create(`/api/apps/${app.id}/posts`, { text: 'above' })).id;
        const { id } = await author.create(`/api/posts/${post}/comments`, { text: 'words' });
        await server.call('POST', `/api/comments/${id}/${verb}`);
        for (const move of ['trash', 'restore']) await author.call('POST', `/api/posts/${post}/${move}`);
        assert.equal((await visitor.call('GET', `/api/comments/${id}`)).status, 404);
        for (const by of [server, visitor])
          assert.deepEqual((await by.read(`/api/posts/${post}/comments`)).data, []);
        const { data } = await author.read(`/api/posts/${post}/comments`);
        // Its author has it in the list while it is held, and not once it is in the trash.
        assert.deepEqual(
          data.map((item) => [item.id, item.is_held]),
          verb === 'hold' ? [[id, true]] : [],
        );
      });
    });

test('are as many tries as were made', (t) => {
  const each = ways.reduce((sum, { of = Object.keys(contentKinds) }) => sum + of.length, 0);
  t.diagnostic(
    `${tries} tries to bring something back, in ${ways.length} ways: ${ways.map(({ name }) => name).join('; ')}`,
  );
  assert.equal(tries, each * 3 * Object.keys(verdicts).length);
});
