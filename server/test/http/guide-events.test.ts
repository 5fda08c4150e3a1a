import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { type Started, watch } from 'confab-testing/command.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { poll } from 'confab-testing/poll.ts';
import { type Answer, useServer } from 'confab-testing/server.ts';
import { root as project } from 'confab-tools/places.ts';
import { createEventRetention } from '../../src/features/events/retention.ts';

const dayMs = 86_400_000;
const clock = movableClock();
const server = useServer({}, { clock });
const folder = mkdtempSync(join(tmpdir(), 'confab-events-'));
after(() => rmSync(folder, { recursive: true }));
symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
const [code = ''] = readGuide('events.md').codeIn('js');
writeFileSync(join(folder, 'copy.mjs'), code);

let running: Started | undefined;

/** Runs the program of the guide unchanged. */
function follow(): Started {
  running = watch(
    spawn(process.execPath, ['copy.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH, CONFAB_URL: server.url, CONFAB_KEY: server.key },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  return running;
}

afterEach(() => running?.child.kill('SIGKILL'));

async function kill(program: Started): Promise<void> {
  program.child.kill('SIGKILL');
  assert.equal(await program.ended, 'SIGKILL', program.said.stderr);
}

/** The texts of all comments by their ids, as the server lists them. */
async function served(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (let next: string | undefined = '/api/comments?top=100'; next !== undefined; ) {
    const { body, headers }: Answer = await server.call('GET', next);
    for (const { id, text } of body.data ?? []) texts[id] = text ?? '';
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(server.url, '');
  }
  return texts;
}

/** The same as the program has it, and the position up to which it has applied the log. */
function copied(): { readonly texts: Record<string, string>; readonly position: number } {
  const db = new DatabaseSync(join(folder, 'copy.db'), { readOnly: true, timeout: 5000 });
  try {
    const rows = db.prepare('select id, json from comments order by id').all();
    return {
      texts: Object.fromEntries(rows.map((row) => [row.id, JSON.parse(String(row.json)).text ?? ''])),
      position: Number(db.prepare('select after from position').get()?.after ?? 0),
    };
  } finally {
    db.close();
  }
}

/** Waits until a program has applied what there is, which is not changed meanwhile, and compares. */
async function expectCopy(program: Started): Promise<void> {
  const expected = await served();
  assert.ok(Object.keys(expected).length > 50);
  const { body } = await server.call('GET', `/api/events?before=${Number.MAX_SAFE_INTEGER}&top=1`);
  const newest = Number(body.data?.[0]?.position);
  await poll('the log to be applied', () => {
    assert.equal(program.child.exitCode, null, program.said.stderr);
    return copied().position >= newest ? true : undefined;
  });
  assert.deepEqual(copied().texts, expected);
}

/** Writes, edits, trashes, restores and deletes comments of an app, and trashes and restores the app. */
async function write(count: number): Promise<void> {
  const app = await makeApp(server);
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await server.create(`/api/apps/${app.id}/comments`, { text: `words ${n}` });
    ids.push(id);
    const earlier = ids[Math.floor(n / 2)] ?? id;
    if (n % 3 === 0) await server.call('PATCH', `/api/comments/${earlier}`, { text: `edited ${n}` });
    if (n % 5 === 0) await server.call('POST', `/api/comments/${earlier}/trash`);
    if (n % 10 === 0) await server.call('POST', `/api/comments/${earlier}/restore`);
    if (n % 7 === 0) await server.call('DELETE', `/api/comments/${earlier}`);
    if (n === 20) await server.call('POST', `/api/apps/${app.id}/trash`);
    if (n === 20) await server.call('POST', `/api/apps/${app.id}/restore`);
  }
  const gone = await makeApp(server);
  await server.create(`/api/apps/${gone.id}/comments`, { text: 'gone with its app' });
  for (const change of ['trash', 'restore']) await server.call('POST', `/api/apps/${gone.id}/${change}`);
  await server.call('DELETE', `/api/apps/${gone.id}`);
}

// Readers copy the code of the guide, so this runs it unchanged, beside writers and kills.
describe('the copy of the guide to events', () => {
  test('has what the server has, after kills and after the log has lost events', {
    timeout: 120_000,
  }, async () => {
    await write(40);
    const first = follow();
    await Promise.all([write(40), write(40)]);
    await expectCopy(first);
    assert.equal(first.said.stdout, 'started anew\n');
    await kill(first);

    // It goes on where it was, as every event is kept.
    await write(30);
    const second = follow();
    await expectCopy(second);
    assert.equal(second.said.stdout, '');
    await kill(second);

    await write(30);
    clock.move(31 * dayMs);
    const { db } = server.running;
    const retention = createEventRetention({ db, clock, days: 30 });
    await poll('the notifier to be past all events', async () => {
      while (await retention.sweep());
      const { body } = await server.call('GET', '/api/events?after=0&top=100');
      return body.data?.length === 1 ? true : undefined;
    });
    const third = follow();
    await Promise.all([write(40), write(40)]);
    await expectCopy(third);
    assert.equal(third.said.stdout, 'started anew\n');
    await kill(third);
  });
});
