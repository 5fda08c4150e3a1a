import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, usePeople } from 'confab-testing/fixtures.ts';
import { type Caller, use, useServer } from 'confab-testing/server.ts';

const server = useServer({}, { isQuiet: true });
const [ada, ben, reader] = usePeople(server, 'Ada', 'Ben', 'Reader');

// Whoever looks after a community reads what one user wrote, in all apps that they see.
for (const kind of ['comments', 'posts', 'messages'] as const)
  describe(`the list of ${kind} of an author`, () => {
    const types = { comments: 'comments', posts: 'posts', messages: 'chat' } as const;
    const written = use(async () => {
      const type = types[kind];
      const open = await makeApp(server, { type, access: 'write' });
      const closed = await makeApp(server, { type, members: { write: [ada, ben] } });
      const write = async (by: Caller, app: number, fields: object = {}) =>
        (
          await by.create(`/api/apps/${app}/${kind}` as '/api/apps/1/comments', {
            text: `words of ${kind}`,
            ...fields,
          })
        ).id as number;
      const ids = {
        shown: await write(ada, open.id),
        tagged: await write(ada, open.id, { tags: ['good'] }),
        closed: await write(ada, closed.id),
        trashed: await write(ada, open.id),
        ofBen: await write(ben, open.id, { tags: ['good'] }),
      };
      await ada.call('POST', `/api/${kind}/${ids.trashed}/trash` as '/api/comments/1/trash');
      return ids;
    });
    const list = async (by: Caller, query: string) => {
      const body = await by.read(`/api/${kind}?${query}` as '/api/comments');
      const ids = body.data.map(({ id }: { id: number }) => id);
      const { count } = await by.read(`/api/${kind}?count_only=true&${query}` as '/api/comments');
      assert.deepEqual([body.count, count], [ids.length, ids.length], query);
      return ids;
    };

    test('has what they wrote in the apps that the caller sees, and nothing of others', async () => {
      const { shown, tagged, closed, trashed, ofBen } = written;
      const of = `author_id=${ada.id}`;
      assert.deepEqual(await list(server, of), [shown, tagged, closed]);
      assert.deepEqual(await list(ben, of), [shown, tagged, closed]);
      assert.deepEqual(await list(reader, of), [shown, tagged]);
      assert.deepEqual(await list(server, `author_id=${ben.id}`), [ofBen]);
      assert.deepEqual(await list(server, `${of}&trashed=true`), [trashed]);
      assert.deepEqual(await list(server, `${of}&trashed=null`), [shown, tagged, closed, trashed]);
      assert.deepEqual(await list(server, 'author_id=999999'), []);
    });

    test('can be searched, limited to a tag and sorted', async () => {
      const { shown, tagged, closed } = written;
      const of = `author_id=${ada.id}`;
      for (const by of [server, reader]) {
        const all = by === server ? [shown, tagged, closed] : [shown, tagged];
        assert.deepEqual(await list(by, `${of}&q=${kind}`), all);
        assert.deepEqual(await list(by, `${of}&q=${kind}+-nothing`), []);
        assert.deepEqual(await list(by, `${of}&tag=good`), [tagged]);
        assert.deepEqual(await list(by, `${of}&tag=good&q=words`), [tagged]);
        for (const order of ['id', 'created_at'])
          assert.deepEqual(await list(by, `${of}&order_by=${order}+desc`), all.toReversed());
      }
    });

    test('refuses a bad id where it is asked to be strict, and ignores it otherwise', async () => {
      const path = `/api/${kind}?author_id=ada` as '/api/comments';
      const strict = await server.call('GET', path, undefined, { headers: { prefer: 'handling=strict' } });
      assert.equal(strict.status, 400);
      assert.equal(strict.body.errors[0].parameter, 'author_id');
      assert.equal((await server.call('GET', path)).status, 200);
    });
  });
