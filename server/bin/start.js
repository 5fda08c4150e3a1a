/**
 * Runs the command line: from the sources in a checkout, from the JavaScript built of them in the package, because Node
 * strips no types below node_modules. An older Node can read this file as well, and says what is missing.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
// Earlier releases do not say that the client of an answer has gone that waits behind another one on its connection.
if (major < 24 || (major === 24 && minor < 16)) {
  console.error(
    `confab: Node 24.16 or later is needed, and the node in PATH is ${process.versions.node}: install a later one from https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  // The next start takes little more than half the processor time with the compiled code of this one. It lies beside the
  // code itself, so whoever can write there could also change the code; where the server may not write, there is none.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
  const source = new URL('../src/cli.ts', import.meta.url);
  if (process.argv[2] === 'serve' && !existsSync(new URL('../openapi.json', import.meta.url))) {
    // A checkout makes the pages and the guides of the server from its other packages.
    console.error('confab: this checkout has not made the pages of the server yet: run npm start');
    process.exitCode = 1;
  } else await import(existsSync(source) ? source.href : '../dist/cli.js');
}
