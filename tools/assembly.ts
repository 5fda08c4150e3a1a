import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { guideNames, guideSources, picturesIn } from 'confab-server/src/http/docs/guides.ts';
import { filesBelow, madeFiles } from './made-files.ts';
import { root } from './places.ts';

/** The folders whose files all that is made depends on, and in which it lies. */
const folders = [
  'clients',
  'console/{src,generate,dist}',
  'contract/src',
  'docs',
  'elements/{src,themes,generate,dist}',
  'server/{docs,openapi*.json,generate}',
  'server/src/http/{elements,console,docs}',
  'tools',
];
const files = ['openapi*.json', 'elements/*', 'package-lock.json'];

/** Remembers of which files the last assembly was made. */
const stampFile = path.join(root, 'node_modules/.cache/confab-assembly');

function stamp(): string {
  const hash = createHash('sha256');
  const patterns = [...files, ...folders.flatMap((folder) => [folder, `${folder}/**`])];
  for (const file of globSync(patterns, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/test/**'],
  }).sort()) {
    const facts = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (facts?.isFile() === true) hash.update(`${file} ${facts.mtimeMs} ${facts.size}\n`);
  }
  return hash.digest('hex');
}

/** Makes what is missing or older than its sources. The root depends on what that needs, so `npm ci --omit=dev` is enough. */
export async function assemble(): Promise<void> {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return;
  for await (const { files: made, folder } of madeFiles('built')) {
    if (folder !== undefined)
      for (const file of filesBelow(folder)) if (!(file in made)) rmSync(path.join(root, file));
    for (const [file, text] of Object.entries(made)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
  }
  giveToServer();
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp());
}

/** Copies what the server reads of the other packages and of the guides to where the published package has it. */
function giveToServer(): void {
  const server = path.join(root, 'server');
  copyFolder('elements/dist', path.join(server, 'src/http/elements/built'));
  copyFolder('console/dist', path.join(server, 'src/http/console/built'));
  rmSync(path.join(server, 'docs'), { recursive: true, force: true });
  const giveDocs = (names: readonly string[]) => {
    for (const name of names) cpSync(path.join(root, 'docs', name), path.join(server, 'docs', name));
  };
  giveDocs(guideNames.map((name) => `${name}.md`));
  // The pictures are those that the guides show, which are read from where they were just copied to.
  giveDocs(picturesIn(guideSources()));
  giveDocs(['webhook-vectors.json', 'confab.schema.json', 'elements-knobs.html']);
  for (const name of ['openapi.json', 'openapi-second-form.json']) {
    const openApi: unknown = JSON.parse(readFileSync(path.join(root, name), 'utf8'));
    writeFileSync(path.join(server, name), JSON.stringify(openApi));
  }
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  // A checkout without that package has a server without its pages.
  if (existsSync(path.join(root, from))) cpSync(path.join(root, from), to, { recursive: true });
}
