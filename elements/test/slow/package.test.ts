import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { startHost } from 'confab-testing/browser/host.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { npmNetwork, registryFault } from 'confab-testing/network/npm-network.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import { publint } from 'publint';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'confab-elements-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const clean = { HOME: join(folder, 'home'), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
const project = join(folder, 'project');
const guide = readGuide('elements.md');

/** The versions that the project of a user has; those of the tools are of the checkout. */
const toolsOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).devDependencies;
const tools = { ...toolsOf('.'), ...toolsOf('elements') };
const dependencies = {
  react: '^19.0.0',
  'react-dom': '^19.0.0',
  '@types/react': '^19.0.0',
  '@types/react-dom': '^19.0.0',
  esbuild: tools.esbuild,
  svelte: '^5.0.0',
  typescript: tools.typescript,
  vite: '^7.0.0',
  vue: '^3.5.0',
};

/** What a product has: the components, the tags in JSX, and the DOM, of which the last lines are wrong. */
const app = `import { createRoot } from 'react-dom/client';
import { useRef, useState } from 'react';
import { ConfabComments, ConfabCount, ConfabNotifications, ConfabReactions } from 'confab-elements/react';
import type { ConfabCommentsElement, ConfabTexts } from 'confab-elements';

declare const SERVER: string;
const texts: ConfabTexts = { heading: 'Opinions', comments: { one: '{count} opinion', other: '{count} opinions' } };

function App() {
  const element = useRef<ConfabCommentsElement>(null);
  const [uid, setUid] = useState('first');
  const [times, setTimes] = useState(0);
  return (
    <>
      <button onClick={() => setUid('second')}>Second</button>
      <button onClick={() => setTimes(times + 1)}>Again</button>
      <ConfabComments key={times} ref={element} className="here" server={SERVER} uid={uid} texts={texts} sort="oldest" />
      <ConfabCount server={SERVER} uid={uid} />
      <ConfabNotifications server={SERVER} onOpen={(event) => console.log(event.detail.link?.id)} />
      <ConfabReactions server={SERVER} />
      <confab-count server={SERVER} uid="second" />
    </>
  );
}

createRoot(document.querySelector('main') as HTMLElement).render(<App />);

export function wrong() {
  document.querySelector('confab-comments')!.texts = { more: 'Further opinions' };
  document.addEventListener('confab-open', ({ detail }) => detail.plain);
  // @ts-expect-error there is no such order
  <ConfabComments sort="best" />;
  // @ts-expect-error there is no such text
  document.querySelector('confab-comments')!.texts = { nothing: '' };
}
`;

const frameworks = `import 'confab-elements/vue';
import 'confab-elements/svelte';
import type { GlobalComponents } from 'vue';
import type { SvelteHTMLElements } from 'svelte/elements';

export const count: Partial<SvelteHTMLElements['confab-count']> = { uid: 'first' };
export type Comments = GlobalComponents['confab-comments'];
`;

const page = `<!doctype html><meta charset="utf-8"><title>A product</title><link rel="icon" href="data:,">
<main></main><script type="module" src="SCRIPT"></script>`;

before(async () => {
  mkdirSync(clean.HOME);
  const network = npmNetwork(process.env);
  const fault = await registryFault({ ...clean, ...network }, clean.HOME);
  if (fault !== undefined) throw new Error(fault);
  const packed = ['pack', '-w', 'confab-elements', '-w', 'confab-client', '--pack-destination', folder];
  await run('npm', packed, { cwd: root });
  mkdirSync(project);
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: 'product', private: true, type: 'module', dependencies }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
      },
      include: ['app.tsx', 'frameworks.ts'],
    }),
    'index.html': page.replace('SCRIPT', '/app.tsx'),
    'app.tsx': app,
    'frameworks.ts': frameworks,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  await run('npm', ['install', tarball(), tarball('confab-client')], {
    cwd: project,
    env: {
      ...clean,
      ...network,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  });
});

function tarball(name = 'confab-elements'): string {
  const [file] = globSync(`${name}-*.tgz`, { cwd: folder });
  assert.ok(file !== undefined, 'npm pack made a file');
  return join(folder, file);
}

async function tool(name: string, ...args: string[]): Promise<string> {
  const command = join(project, 'node_modules/.bin', name);
  const { stdout } = await run(command, args, { cwd: project, env: clean });
  return stdout;
}

// What is published is what others can import.
describe('confab-elements', () => {
  test('has nothing that publint objects to', async () => {
    const bytes = readFileSync(tarball());
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    assert.deepEqual(messages, []);
  });

  test('has nothing that bundlers take for the address of a file', () => {
    const script = readFileSync(join(root, 'elements/dist/elements.js'), 'utf8');
    assert.match(script, /import\.meta\.url/);
    assert.doesNotMatch(script, /new URL\([^()]*import\.meta/);
  });

  test('has types for React, Vue, Svelte and the DOM', async () => {
    assert.equal(await tool('tsc', '-p', '.').catch(({ stdout }) => stdout), '');
  });

  test('is drawn by a server as its tag, with what is inside of it', async () => {
    const script = `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { ConfabComments } from 'confab-elements/react';
      const texts = { more: 'More' };
      console.log(renderToString(createElement(ConfabComments, { uid: 'a', texts, className: 'b' }, 'Before')));`;
    writeFileSync(join(project, 'draw.mjs'), script);
    const { stdout } = await run(process.execPath, ['draw.mjs'], { cwd: project, env: clean });
    assert.equal(stdout.trim(), '<confab-comments uid="a" class="b">Before</confab-comments>');
  });

  test('is drawn with the comments of a page by the code of the guide', async () => {
    const server = await startTestServer({});
    try {
      const { id } = await makeApp(server, {
        uid: 'blog.example.com~post',
        access: 'write',
        visitors: 'read',
      });
      await makeComment(await makeUser(server, { name: 'Ada' }), id, { text: 'Built in' });
      const codeOf = (heading: string, language: string) =>
        guide.codeBelow(heading, language).replace('https://confab.example.com', server.url);
      writeFileSync(join(project, 'eleventy.config.js'), codeOf('### Eleventy (run)', 'js'));
      writeFileSync(join(project, 'comments.jsx'), codeOf('### Next (run)', 'jsx'));
      const flags = ['--bundle', '--packages=external', '--format=esm', '--jsx=automatic'];
      await tool('esbuild', 'comments.jsx', ...flags, '--outfile=comments.mjs');
      const script = `
        import { renderToString } from 'react-dom/server';
        import { Comments } from './comments.mjs';
        import configure from './eleventy.config.js';
        configure({ addAsyncShortcode: async (name, draw) => console.log(name, await draw.call({ page: { url: '/post/' } })) });
        console.log(renderToString(await Comments({ path: '/post' })));`;
      writeFileSync(join(project, 'guide.mjs'), script);
      const { stdout } = await run(process.execPath, ['guide.mjs'], { cwd: project, env: clean });
      assert.match(
        stdout,
        /comments <script[^>]*><\/script>\n<confab-comments uid="blog\.example\.com~post"><ol>.*Built in/s,
      );
      assert.match(stdout, /<confab-comments server="[^"]+" uid="blog\.example\.com~post"><ol>.*Built in/s);
    } finally {
      await server.close();
    }
  });

  test('lets the cells of a table in React be commented on by the code of the guide', async () => {
    const [host, browser] = await Promise.all([startHost(), launchBrowser()]);
    const server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    try {
      const ada = await makeUser(server, { name: 'Ada' });
      const app = await makeApp(server, { uid: 'doc-8', access: 'write' });
      writeFileSync(
        join(project, 'prices.jsx'),
        readGuide('annotations.md').codeBelow('## A table in React (run)', 'jsx'),
      );
      writeFileSync(
        join(project, 'prices-page.jsx'),
        `import { createRoot } from 'react-dom/client';
import { Prices } from './prices.jsx';
createRoot(document.querySelector('main')).render(<Prices server="${server.url}" />);`,
      );
      const flags = ['--bundle', '--splitting', '--format=esm', '--outdir=prices', '--jsx=automatic'];
      await tool('esbuild', 'prices-page.jsx', ...flags, '--log-level=warning');
      for (const file of globSync('*.js', { cwd: join(project, 'prices') }))
        host.serve(`/prices/${file}`, {
          type: 'text/javascript',
          body: readFileSync(join(project, 'prices', file), 'utf8'),
        });
      host.serve('/confab-token', {
        type: 'application/json',
        body: JSON.stringify({ access_token: ada.token }),
      });
      const body = page.replace('SCRIPT', 'prices-page.js');
      const context = await newContext(browser, { locale: 'en-US' });
      const faults = watch(context, { origins: [host.url, server.url] });
      const opened = await context.newPage();
      await opened.goto(host.serve('/prices/index.html', { type: 'text/html', body }));
      await opened.locator('confab-annotations .opener').waitFor();
      await opened.locator('confab-annotations .add[aria-description="5.10"]').click();
      const panel = opened.locator('confab-annotations').getByRole('dialog');
      await panel.getByRole('textbox').fill('Is it not 4.90?');
      await panel.locator('[part~="send"]').click();
      await panel.locator('article[id^=comment]', { hasText: 'Is it not 4.90?' }).waitFor();
      const { data } = await ada.read(`/api/apps/${app.id}/comments?anchor=coffee/price`);
      assert.deepEqual(data[0].anchor, { key: 'coffee/price' });
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
      await server.close();
      await host.close();
    }
  });

  for (const name of ['vite', 'esbuild'])
    test(`shows comments in a React project of ${name}, and others when a property changes`, async () => {
      const [host, browser, server] = await Promise.all([startHost(), launchBrowser(), startTestServer({})]);
      try {
        const ada = await makeUser(server, { name: 'Ada' });
        for (const uid of ['first', 'second']) {
          const { id } = await makeApp(server, { uid, access: 'write', visitors: 'read' });
          await makeComment(ada, id, { text: `The ${uid} comment` });
        }
        await build(name, server.url);
        for (const file of globSync('**/*.{html,js}', { cwd: join(project, name) }))
          host.serve(`/${name}/${file}`, {
            type: file.endsWith('.js') ? 'text/javascript' : 'text/html',
            body: readFileSync(join(project, name, file), 'utf8'),
          });
        const context = await newContext(browser, { locale: 'en-US' });
        const faults = watch(context, { origins: [host.url, server.url] });
        const opened = await context.newPage();
        await opened.goto(`${host.url}/${name}/index.html`);
        const first = opened.locator('.here').getByRole('article');
        await first.getByText('The first comment').waitFor();
        await opened.getByRole('heading', { name: '1 opinion' }).waitFor();
        assert.equal(await first.count(), 1);
        await opened.getByRole('button', { name: 'Second' }).click();
        await first.getByText('The second comment').waitFor();
        // React sets properties on an element that is defined already.
        const drawn = await opened.locator('.here').elementHandle();
        await opened.getByRole('button', { name: 'Again' }).click();
        await drawn?.waitForElementState('hidden');
        await first.getByText('The second comment').waitFor();
        assert.deepEqual(faults, []);
      } finally {
        await browser.close();
        await server.close();
        await host.close();
      }
    });
});

/** Builds the project for a server into a folder of the tool's name. */
async function build(name: string, server: string): Promise<void> {
  const define = JSON.stringify(server);
  if (name === 'vite') {
    const config = `export default { base: './', build: { outDir: 'vite' }, define: { SERVER: JSON.stringify(${define}) } };`;
    writeFileSync(join(project, 'vite.config.mjs'), config);
    await tool('vite', 'build', '--logLevel', 'warn');
    return;
  }
  const flags = ['--bundle', '--splitting', '--format=esm', '--outdir=esbuild', '--jsx=automatic'];
  await tool('esbuild', 'app.tsx', ...flags, `--define:SERVER=${define}`, '--log-level=warning');
  writeFileSync(join(project, 'esbuild/index.html'), page.replace('SCRIPT', 'app.js'));
}
