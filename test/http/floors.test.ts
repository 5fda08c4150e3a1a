import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keepAnswers } from '../../scripts/bench/floors.ts';
import { headersOf, startFloor } from '../../scripts/bench/servers.ts';
import { makeApp, makeComment, makeUser } from '../support/fixtures.ts';
import { useServer } from '../support/server.ts';
import { createDataFolder } from '../support/stores/databases.ts';

/** The header fields whose values differ from one request to the next. */
const changing: ReadonlySet<string> = new Set(['date', 'x-request-id']);

async function answerOf(url: string, token: string) {
  const headers = { ...headersOf(token, false), 'accept-encoding': 'identity' };
  const answer = await fetch(url, { headers });
  const fields = [...answer.headers]
    .filter(([name]) => !changing.has(name))
    // What is left of a limit, and for how long.
    .map(([name, value]) => [name, name === 'ratelimit' ? value.replaceAll(/=\d+/g, '=') : value]);
  return { status: answer.status, fields, body: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
}

// A floor that sends less than Confab would flatter nobody but itself.
describe('the floor of the benchmark', () => {
  const server = useServer();

  test('gives the answers of Confab to the byte', async (t) => {
    const { token } = await makeUser(server, { name: 'Writer' });
    const { id: appId } = await makeApp(server, { access: 'write' });
    const ids: number[] = [];
    for (let number = 0; number < 30; number += 1) {
      const text = `comment ${number} with **Markdown** and ünïcode`;
      ids.push((await makeComment(server, appId, { text }, { as: token })).id);
    }
    const list = `/api/apps/${appId}/comments`;
    const paths = [list, `${list}?skip=3`, `${list}?skip=20`, ...ids.map((id) => `/api/comments/${id}`)];
    const file = join(await createDataFolder(), 'answers.db');
    await keepAnswers({ url: server.url, token }, { paths, file });
    const floor = await startFloor(file, `${file}.log`);
    t.after(() => floor.stop());
    for (const path of paths)
      assert.deepEqual(
        await answerOf(floor.url + path, token),
        await answerOf(server.url + path, token),
        path,
      );
  });
});
