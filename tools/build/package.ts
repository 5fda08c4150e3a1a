import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { kitPackages } from 'confab-server/src/http/kit/installed.ts';
import { assemble } from '../assembly.ts';
import { root } from '../places.ts';
import { bundleServer } from './bundle.ts';

const own = path.join(root, 'server');
const source = path.join(own, 'src');

/**
 * The licences of what the PDF viewer of the kit loads, from the npm package `pdfjs-dist` 5.6.205, whose files the kit
 * carries byte for byte without them.
 */
const pdfLicenses = fileURLToPath(new URL('licenses/pdfjs', import.meta.url));

/**
 * Fills the folder of the package, which has its manifest and `bin`, with everything else that it carries. That is the
 * folder of this checkout, or a copy of it elsewhere.
 */
export async function buildPackage(server = own): Promise<void> {
  await assemble();
  if (server !== own)
    for (const name of ['docs', 'openapi.json', 'openapi-second-form.json'])
      cpSync(path.join(own, name), path.join(server, name), { recursive: true });
  const dist = path.join(server, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await bundleServer({ source, dist });
  // The style sheets and scripts of pages, which the server reads from where its modules are.
  cpSync(source, dist, { recursive: true, filter: (file) => !file.endsWith('.ts') });
  for (const kit of kitPackages()) copyKit(kit, path.join(dist, 'uikit-web', kit.major));
}

/**
 * The web components, laid out as their package is, without types and what would make it a package here, and with the
 * licence of each part beside it.
 */
function copyKit({ folder, carried }: { folder: string; carried: readonly string[] }, copy: string): void {
  for (const part of carried)
    cpSync(path.join(folder, part), path.join(copy, part), {
      recursive: true,
      filter: (file) => file !== path.join(folder, 'dist/types'),
    });
  cpSync(path.join(folder, 'LICENSE.md'), path.join(copy, 'LICENSE.md'));
  const pdf = carried.find((part) => part.endsWith('/pdfjs'));
  if (pdf !== undefined) cpSync(pdfLicenses, path.join(copy, pdf), { recursive: true });
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ name, version, license }));
}
