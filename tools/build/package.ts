import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { guideNames, guideSources, picturesIn } from 'confab-server/src/http/docs/guides.ts';
import { root } from '../places.ts';
import { bundleServer } from './bundle.ts';

const source = path.join(root, 'src');

/** Fills the folder of the package, which has its manifest and `bin`, with everything else that it carries. */
export async function buildPackage(server: string): Promise<void> {
  const dist = path.join(server, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await bundleServer({ source, dist });
  // The style sheets and scripts of pages, which the server reads from where its modules are.
  cpSync(source, dist, { recursive: true, filter: (file) => !file.endsWith('.ts') });
  // `confab webhook` verifies with the module of the client, which is in the same place beside `server/src/` and `dist/`.
  cpSync(path.join(root, 'clients/js/webhooks.js'), path.join(server, 'clients/js/webhooks.js'));
  // The guides with their pictures and the page of the knobs, which the server reads from the folder `docs` beside `server/src/` and `dist/`.
  rmSync(path.join(server, 'docs'), { recursive: true, force: true });
  const guides = guideNames.map((name) => `${name}.md`);
  const others = ['webhook-vectors.json', 'confab.schema.json', 'elements-knobs.html'];
  for (const file of [...guides, ...picturesIn(guideSources()), ...others])
    cpSync(path.join(root, 'docs', file), path.join(server, 'docs', file));
  // The web components, laid out as their package is, without the types and without what would make it a package here.
  const kit = path.join(root, 'node_modules/@weavy/uikit-web');
  const kitCopy = path.join(dist, 'uikit-web');
  cpSync(path.join(kit, 'dist'), path.join(kitCopy, 'dist'), {
    recursive: true,
    filter: (file) => file !== path.join(kit, 'dist/types'),
  });
  cpSync(path.join(kit, 'LICENSE.md'), path.join(kitCopy, 'LICENSE.md'));
  const { name, version, license } = JSON.parse(readFileSync(path.join(kit, 'package.json'), 'utf8'));
  writeFileSync(path.join(kitCopy, 'package.json'), JSON.stringify({ name, version, license }));
  // The document that the server serves, which is in the same place beside `server/src/` and `dist/`.
  const openApi: unknown = JSON.parse(readFileSync(path.join(root, 'openapi.json'), 'utf8'));
  writeFileSync(path.join(server, 'openapi.json'), JSON.stringify(openApi));
}
