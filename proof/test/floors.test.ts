import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { versionTag } from 'confab-server/src/http/answers/entity-tags.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';
import { createDataFolder } from 'confab-testing/stores/databases.ts';
import { floorFiles, prepareFloor } from '../bench/floors.ts';
import { headersOf, startFloor } from '../bench/servers.ts';

/** The header fields whose values differ from one request to the next. */
const changing: ReadonlySet<string> = new Set(['date', 'x-request-id']);

type Request = { readonly path: string; readonly text?: string };

/** The answer to a request, without what differs from one server or moment to the next. */
async function answerOf(url: string, token: string, { path, text }: Request) {
  const headers = { ...headersOf(token, text !== undefined), 'accept-encoding': 'identity' };
  const created = text === undefined ? {} : { method: 'POST', body: JSON.stringify({ text }) };
  const answer = await fetch(url + path, { ...created, headers });
  const body = Buffer.from(await answer.arrayBuffer()).toString();
  const fields = [...answer.headers]
    .filter(([name]) => !changing.has(name))
    .map(([name, value]) => {
      // What is left of a limit, and for how long.
      if (name === 'ratelimit') return [name, value.replaceAll(/=\d+/g, '=')];
      if (name === 'location') return [name, value.replace(url, '')];
      // That of a new comment depends on the time in its body.
      if (name === 'etag' && text !== undefined) return [name, value === `"${versionTag(body)}"`];
      return [name, value];
    });
  return { status: answer.status, fields, body: text === undefined ? body : withoutTimes(body) };
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
}

/** What a store has of comments, without the times. */
function rowsOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = [
    'select * from entries order by id',
    "select * from events where action = 'comment_created' order by id",
    "select * from tallies where kind = 'comment' order by parent_id",
    "select rowid from entry_search where entry_search match 'floored' order by rowid",
  ];
  const rows = tables.map((select) => database.prepare(select).all());
  database.close();
  return withoutTimes(JSON.stringify(rows)).replaceAll(/"created_at":\d+/g, '"created_at":TIME');
}

// A floor that does less than Confab would flatter nobody but itself.
describe('the floor of the benchmark', () => {
  const server = useServer();

  async function useFloor(t: { after(work: () => Promise<void>): void }, token: string, paths: string[]) {
    const folder = join(await createDataFolder(), 'floor');
    await prepareFloor(
      { url: server.url, token, store: join(server.folder, 'confab.db') },
      { paths, folder },
    );
    const floor = await startFloor(folder);
    t.after(() => floor.stop());
    return { url: floor.url, store: floorFiles(folder).store };
  }

  test('reads to the byte what Confab reads', async (t) => {
    const { token } = await makeUser(server, { name: 'Writer' });
    const { id: appId } = await makeApp(server, { access: 'write' });
    const ids: number[] = [];
    for (let number = 0; number < 30; number += 1) {
      const text = `comment ${number} with **Markdown** and ünïcode`;
      ids.push((await makeComment(server, appId, { text }, { as: token })).id);
    }
    const list = `/api/apps/${appId}/comments`;
    const paths = [list, `${list}?skip=3`, `${list}?skip=20`, ...ids.map((id) => `/api/comments/${id}`)];
    const floor = await useFloor(t, token, paths);
    for (const path of paths)
      assert.deepEqual(
        await answerOf(floor.url, token, { path }),
        await answerOf(server.url, token, { path }),
        path,
      );
  });

  test('creates to the byte what Confab creates, and stores the same rows', async (t) => {
    const { token } = await makeUser(server, { name: 'Writer "of" ünïcode' });
    const apps = [await makeApp(server, { access: 'write' }), await makeApp(server, { access: 'write' })];
    const floor = await useFloor(t, token, []);
    const texts = [
      'floored',
      'a *floored* `text` & <more>',
      'FLOORED\n\n- ünïcode\n- 日本',
      'floored '.repeat(25),
    ];
    for (const [index, text] of [...texts, ...texts].entries()) {
      const path = `/api/apps/${apps[index % 2]?.id}/comments`;
      const created = await answerOf(server.url, token, { path, text });
      assert.deepEqual(await answerOf(floor.url, token, { path, text }), created, text);
      assert.equal(created.status, 201);
    }
    assert.equal(rowsOf(floor.store), rowsOf(join(server.folder, 'confab.db')));
  });
});
