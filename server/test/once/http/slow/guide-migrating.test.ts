import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ImportKind, importKinds } from 'confab-contract/import-words.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { watch } from 'confab-testing/command.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { exportOf, kindsOfImports } from 'confab-testing/import-kinds.ts';
import { importAll } from 'confab-testing/imports.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { useServer } from 'confab-testing/server.ts';
import { standInKey, startWeavyStandIn } from 'confab-testing/weavy-stand-in.ts';
import { root as project } from 'confab-tools/places.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-migrating-'));
after(() => rmSync(folder, { recursive: true }));
const guide = readGuide('migrating.md');
const page = readFileSync(join(project, 'docs/migrating.md'), 'utf8');
const sections = page.split(/^## /m);

/** Runs commands of the guide in a temporary folder, with the `confab` of this repository. */
async function run(code: string, env: Record<string, string>): Promise<string> {
  const path = `${join(project, 'server/bin')}:${process.env.PATH}`;
  const { said, ended } = watch(
    spawn('sh', ['-e', '-c', code], {
      cwd: folder,
      env: { PATH: path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  assert.equal(await ended, 0, `${code}${said.stdout}${said.stderr}`);
  return said.stdout;
}

/** The section about a system: the one whose command imports its file. */
function sectionOf(kind: ImportKind): string {
  const found = sections.filter((section) => section.includes(`\nconfab import ${kind} `));
  // The common part shows the command of Disqus as well.
  const [own, ...others] = found.filter((section) => !section.startsWith('The way'));
  assert.ok(own !== undefined, `a section imports ${kind}`);
  assert.equal(others.length, 0, `one section imports ${kind}`);
  return own;
}

/** The small export of a system. */
function bytesOf(kind: ImportKind): Uint8Array<ArrayBuffer> {
  const expected = kindsOfImports.find((each) => each.kind === kind);
  return exportOf(expected ?? { file: `${kind}.xml` });
}

// A reader runs these commands and compares what they say, so each guide is followed as it stands.
describe('moving from', () => {
  for (const kind of importKinds)
    test(`${kind} says what the guide shows`, async () => {
      const section = sectionOf(kind);
      const [, command = '', output = ''] =
        /```sh\n(confab import [^\n]*)\n```\n\n```\n([\s\S]*?)\n```/.exec(section) ?? [];
      const [, , , file = ''] = command.split(' ');
      const bytes = bytesOf(kind);
      writeFileSync(join(folder, file), file.endsWith('.gz') ? gzipSync(bytes) : bytes);
      const said = await run(command, { CONFAB_DATA_DIR: `data-${kind}` });
      assert.equal(said.trimEnd(), output);
      assert.match(section, /\*\*Export/);
      assert.match(section, /\]\(https?:\/\//, 'the section names its sources');
      assert.match(section, /^\| Taken over \| Not taken over \|$/m);
    });
});

// A server that is read while it runs has no file: a stand-in answers for it.
describe('moving from a running server', () => {
  test('of Weavy says what the guide shows', async () => {
    using source = await startWeavyStandIn();
    const section = sections.find((each) => each.startsWith('Weavy\n')) ?? '';
    const [, command = '', output = ''] =
      /```sh\n(confab import weavy [^\n]*)\n```\n\n```\n([\s\S]*?)\n```/.exec(section) ?? [];
    writeFileSync(join(folder, 'weavy.key'), `${standInKey}\n`);
    const said = await run(command.replace('https://weavy.garden.example', source.url), {
      CONFAB_DATA_DIR: 'data-weavy',
    });
    assert.equal(said.trimEnd().replace(new URL(source.url).host, 'weavy.garden.example'), output);
    assert.match(section, /^\| Taken over \| Not taken over \|$/m);
  });
});

describe('the way of the guide', () => {
  const server = useServer({
    CONFAB_CORS_ORIGINS: 'https://garden.example',
    CONFAB_PAGES_VISITORS: 'write',
    CONFAB_SIGN_IN: 'guest',
  });
  const env = () => ({ U: `${server.url}/api`, KEY: server.key });

  test('finds the imported comments where readers find them', async () => {
    await importAll(server, disqusExport(3, { page: 'garden.example/blog/peas' }));
    const code = guide.codeBelow('### 4. Check', 'sh');
    const answers = (await run(code.replaceAll(/ +#.*$/gm, '; echo'), env())).trim().split('\n');
    const [imports, apps, counts] = answers.map((answer) => JSON.parse(answer));
    assert.deepEqual(imports.data[0].made.comments, 3);
    assert.deepEqual(
      apps.data.map(({ uid }: { uid: string }) => uid),
      ['garden.example~blog~peas'],
    );
    assert.deepEqual(counts, { counts: [3] });
  });

  test('gives pages and authors the names that the site has', async () => {
    const rename = guide.codeBelow('## How comments find their page', 'sh');
    assert.match(await run(rename, env()), /"uid":"garden\.example~vegetables~peas"/);
    const list = await server.read('/api/apps/garden.example~vegetables~peas/comments?expand=created_by');
    const [first] = list.data as unknown as readonly { created_by: { id: number; uid: string } }[];
    const author = guide.codeBelow('## Your own users as authors', 'sh');
    await run(author, { ...env(), AUTHOR: first?.created_by.uid ?? '' });
    // The token that the site issues for its user is one of the author.
    const token = await server.token('user-42');
    assert.equal(
      (await server.call('GET', '/api/user', undefined, { as: token })).body.id,
      first?.created_by.id,
    );
  });

  // Not every machine has the program.
  if (spawnSync('jq', ['--version']).status === 0)
    test('opens pages that were imported before', async () => {
      await server.create('/api/apps', { uid: 'closed-to-visitors', type: 'comments', access: 'write' });
      await run(guide.codeBelow('## Open pages that are there', 'sh'), env());
      assert.equal((await server.read('/api/apps/closed-to-visitors')).visitors, 'write');
    });

  test('names the uid of each address', () => {
    const rows = [...page.matchAll(/^\| `(https?:[^`]*)` \| `([^`]*)` \|$/gm)];
    assert.ok(rows.length > 5);
    for (const [, address = '', uid] of rows) assert.equal(pageUid(address), uid);
  });
});
