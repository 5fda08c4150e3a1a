/**
 * Runs the command line: from the sources in a checkout, from the JavaScript built of them in the package, because Node
 * strips no types below node_modules. An older Node can read this file as well, and says what is missing.
 */

import { existsSync } from 'node:fs';

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `confab: Node 24 or later is needed, and the node in PATH is ${process.versions.node}: install a later one from https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  const source = new URL('../../src/cli.ts', import.meta.url);
  await import(existsSync(source) ? source.href : '../dist/cli.js');
}
