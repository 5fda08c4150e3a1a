import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { watch } from 'confab-testing/command.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';
import { root as project } from 'confab-tools/places.ts';
import { commandLine } from '../../../../src/commands/program.ts';
import { guideNames } from '../../../../src/http/docs/guides.ts';

const jwtSecret = 'a secret of more than thirty-two characters';
const server = useServer({
  CONFAB_JWT_ISSUER: 'https://id.example.com',
  CONFAB_JWT_AUDIENCE: 'confab',
  CONFAB_JWT_SECRET: jwtSecret,
});
const folder = mkdtempSync(join(tmpdir(), 'confab-guides-'));
after(() => rmSync(folder, { recursive: true }));

const comments = readGuide('comments.md');

/** Runs a token endpoint of the guide; returns the user of its token and the status of another path. */
async function visit(program: string, args: readonly string[]): Promise<unknown[]> {
  const port = await freePort();
  const { child, said, ended } = watch(
    spawn(program, args, {
      env: {
        PATH: process.env.PATH,
        PORT: `${port}`,
        CONFAB_URL: server.url,
        CONFAB_KEY: server.key,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  try {
    const site = `http://127.0.0.1:${port}`;
    const answer = await poll('the site to answer', () =>
      fetch(`${site}/confab-token?refresh=true`).catch(() => undefined),
    );
    assert.equal(answer.status, 200, said.stderr);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { access_token } = (await answer.json()) as { access_token: string };
    const { body } = await server.call('GET', '/api/user', undefined, { as: access_token });
    return [body.uid, body.display_name, (await fetch(`${site}/other`)).status];
  } finally {
    child.kill();
    await ended;
  }
}

// Readers copy the code of the guides, so these tests run it unchanged.
describe('the token end point of the guide', () => {
  const expected = ['user-42', 'Ada Lovelace', 401];

  test('returns tokens, in Node', async () => {
    const code = comments.codeBelow('### Node (run)', 'js');
    assert.deepEqual(await visit(process.execPath, ['--input-type=module', '-e', code]), expected);
  });

  // A machine without Python, such as a bare container, has nothing to run it with.
  if (spawnSync('python3', ['--version']).status === 0)
    test('returns tokens, in Python', async () => {
      const code = comments.codeBelow('### Python (run)', 'python');
      assert.deepEqual(await visit('python3', ['-c', code]), expected);
    });

  if (spawnSync('php', ['--version']).status === 0)
    test('is PHP', () => {
      const { status, stderr } = spawnSync('php', ['-l'], { input: comments.codeBelow('### PHP', 'php') });
      assert.equal(status, 0, String(stderr));
    });
});

/** Runs commands of a guide in a temporary folder, with the `confab` of this repository. */
async function run(code: string, env: Record<string, string> = {}): Promise<string> {
  const { said, ended } = watch(
    spawn('sh', ['-e', '-c', code], {
      cwd: folder,
      env: { PATH: `${join(project, 'server/bin')}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  assert.equal(await ended, 0, `${code}${said.stdout}${said.stderr}`);
  return said.stdout;
}

describe('the commands of the guides', () => {
  test('create a page with a key', async () => {
    const code = comments.codeBelow('## Who may write', 'sh');
    assert.match(await run(code, { CONFAB_URL: server.url, KEY: server.key }), /"uid":"product-42"/);
  });

  test('import comments', async () => {
    for (const name of ['wordpress.xml', 'disqus.xml'])
      copyFileSync(join(project, 'importers/fixtures', name), join(folder, name));
    writeFileSync(join(folder, 'disqus.xml.gz'), gzipSync(readFileSync(join(folder, 'disqus.xml'))));
    const [upload = '', start = '', stop = '', undo = '', look = '', bring = ''] =
      readGuide('imports.md').codeIn('sh');
    const env = { U: `${server.url}/api`, KEY: server.key };
    // Not every machine has the program.
    if (spawnSync('jq', ['--version']).status === 0) {
      const wait = `while [ "$(curl -s "$U/imports/$ID" -H "Authorization: Bearer $KEY" | jq -r .state)" = reading ]; do sleep 0.1; done`;
      const states = await run([upload, wait, start, undo].join('\n'), env);
      assert.match(states, /"state":"running".*"state":"undoing"/s);
      assert.match(await run(`${upload}\n${stop}`, env), /"state":"stopped"/);
    }
    assert.match(await run(look), /To import/);
    assert.equal((await run(bring)).match(/^Made: /gm)?.length, 2);
  });

  test('prepare going live', async () => {
    const [keys = '', backup = '', doctor = ''] = readGuide('going-live.md').codeIn('sh');
    assert.match(await run(keys), /site/);
    await run(backup.replaceAll('/backups/confab', './backups'));
    await run(doctor);
  });

  test('check a proxy', async () => {
    const check = readGuide('proxy.md').codeBelow('## Check it', 'sh');
    assert.equal(await run(check, { CONFAB_PUBLIC_URL: server.url }), '200\n200\n');
  });

  test('get tokens of users, and sign them', async () => {
    const [issue = '', , show = ''] = readGuide('users.md').codeIn('sh');
    const here = issue.replace('http://127.0.0.1:8080', server.url);
    assert.match(await run(here, { KEY: server.key }), /"access_token":"wyu_\w+".*"expires_in":3600/);
    const [code = ''] = readGuide('users.md').codeIn('js');
    const args = ['--input-type=module', '-e', `${code}console.log(token);`];
    const env = { ...process.env, CONFAB_JWT_SECRET: jwtSecret };
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: project, env });
    assert.match(await run(show, { U: `${server.url}/api`, TOKEN: stdout.trim() }), /"uid":"ada"/);
  });

  test('send a request again with its key', async () => {
    const [app, TOKEN] = [await makeApp(server, { access: 'write' }), await server.token('ada')];
    const code = readGuide('durability.md').codeBelow('## Retries', 'sh').replace('product-42', app.uid);
    const env = { U: `${server.url}/api`, TOKEN, JSON: 'Content-Type: application/json' };
    // Not every machine has the program.
    const send = () => run(`uuidgen() { echo 0b0f8f4e; }\n${code}`, env);
    const first = await send();
    assert.match(first, /"text":"Once"/);
    assert.equal(await send(), first);
  });

  test('keep a community', async () => {
    const user = async (uid: string) => await server.token(uid);
    await user('carol');
    const moderator = await user('bob');
    await server.call('PUT', '/api/apps/product-42', { type: 'comments', access: 'write' });
    const { id } = await server.create('/api/apps/product-42/comments', { text: 'words' });
    const env = { U: `${server.url}/api`, KEY: server.key, MODERATOR: moderator, COMMENT: String(id) };
    const [member = '', everywhere = '', held = ''] = readGuide('keeping-a-community.md').codeIn('sh');
    await run(member, env);
    assert.match(await run(everywhere, env), /"role":"moderator"/);
    assert.match(await run(held, env), /"is_held":true/);
    await server.call('PATCH', `/api/comments/${id}`, { text: 'other words' });
    const codes = readGuide('keeping-a-community.md').codeIn('sh');
    const codeWith = (part: string) => run(codes.find((code) => code.includes(part)) ?? '', env);
    assert.match(await codeWith('/revisions'), /"text":"words"/);
    assert.match(await codeWith('/events?after=0'), /"kind":"api_key"/);
    assert.match(await codeWith('/access?user=bob'), /"moderate":\{"is_allowed":true,"rule":"moderator"/);
    const guide = readGuide('keeping-a-community.md');
    assert.match(await run(guide.codeBelow('## Approval', 'sh'), env), /"approval":"newcomers"/);
    assert.match(await run(guide.codeBelow('## Locking', 'sh'), env), /"locked_at":/);
  });

  test('report a comment and decide on the report', async () => {
    const [reader, moderator] = [await server.token('reader'), await server.token('decider')];
    await server.call('PUT', '/api/apps/reported', { type: 'comments', access: 'write' });
    await server.call('PUT', '/api/apps/reported/members/decider', { role: 'moderator' });
    const { id } = await server.create('/api/apps/reported/comments', { text: 'words' });
    const guide = readGuide('keeping-a-community.md');
    const U = `${server.url}/api`;
    const made = await run(guide.codeBelow('## Reports', 'sh'), { U, TOKEN: reader, COMMENT: String(id) });
    assert.match(made, /"reason":"spam"/);
    const { body } = await server.call('GET', '/api/reports');
    const env = { U, MODERATOR: moderator, REPORT: String(body.data?.[0]?.id) };
    assert.match(
      await run(guide.codeBelow('### Deciding on reports', 'sh'), env),
      /"state":"resolved","report_count":1/,
    );
  });

  test('have each new comment sent to the owner', async () => {
    const guide = readGuide('keeping-a-community.md');
    const [choice, owner] = guide.codeIn('sh').filter((code) => /new_comments|users\/owner/.test(code));
    const env = { U: `${server.url}/api`, KEY: server.key };
    const made = await run(owner ?? '', env);
    assert.match(made, /"role":"moderator"/);
    const [, TOKEN = ''] = /"access_token":"(.*?)"/.exec(made) ?? [];
    assert.match(await run(choice ?? '', { ...env, TOKEN }), /owner@example.com.*"new_comments":true/);
  });

  test('set rules, and try a text with them', async () => {
    await server.call('PUT', '/api/apps/product-42', { type: 'comments', access: 'write' });
    await server.token('ada');
    const guide = readGuide('keeping-a-community.md');
    const env = { U: `${server.url}/api`, KEY: server.key };
    assert.match(await run(guide.codeBelow('### A set to begin with', 'sh'), env), /"version":1/);
    const tested = await run(guide.codeBelow('### Try a text', 'sh'), env);
    assert.deepEqual(JSON.parse(tested), JSON.parse(guide.codeBelow('### Try a text', 'json')));
    await server.call('PUT', '/api/moderation/rules', { version: 1, rules: [] });
  });

  test('are complete', () => {
    for (const name of guideNames)
      for (const code of readGuide(`${name}.md`).codeIn('sh'))
        assert.equal(spawnSync('sh', ['-n', '-c', code]).status, 0, `${name}: ${code}`);
  });

  test('of Confab have the arguments and flags that they name', () => {
    const pages = ['../README.md', ...guideNames.map((name) => `${name}.md`)];
    const commands = pages.flatMap((name) => readGuide(name).codeIn('sh').flatMap(commandsIn));
    assert.ok(commands.length > 40);
    for (const command of commands) assertParses(command);
  });

  test('of Confab with a wrong flag, argument or choice are noticed', () => {
    for (const wrong of [
      'import disqus a.xml --dry',
      'import disqus',
      'import disqus a.xml b.xml',
      'import drupal a.xml',
      'import disqus a.xml --replies both',
      'key make site',
    ])
      assert.throws(() => assertParses(wrong.split(' ')), Error, wrong);
  });
});

/** The words of each `confab …` in a shell script, without `confab`; also of `npx confab` and of those in `$( )`. */
function commandsIn(code: string): string[][] {
  const lines = code.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((line) =>
    [
      ...line.matchAll(/(?:^|[;(|]\s*|&&\s*|^\S+=\S+\s+|\bsudo (?:-\S+ \S+ )*|\bnpx )confab( [^;|)&#>]*)/g),
    ].map(([, words = '']) => [...words.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word)),
  );
}

/** Asserts that a command and its flags exist, without running it. Throws otherwise. */
function assertParses(words: readonly string[]): void {
  let command = commandLine();
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    [command, rest] = [next, rest.slice(1)];
  }
  const shown = `confab ${words.join(' ')}`;
  const { operands, unknown } = command.parseOptions(rest);
  assert.deepEqual(unknown, [], shown);
  const wanted = command.registeredArguments;
  assert.ok(operands.length <= wanted.length, `${shown}: no such command, or too many arguments`);
  assert.ok(operands.length >= wanted.filter(({ required }) => required).length, `${shown}: too few`);
}
