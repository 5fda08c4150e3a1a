/**
 * Runs the scripts of `findings/`, or those whose name has a given word, and prints the packages of
 * each with what it has seen: `npm run findings`.
 * Exits with 1 where a finding does not hold.
 */

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [word = ''] = process.argv.slice(2);
const scripts = globSync('findings/*.sh')
  .filter((file) => basename(file).includes(word))
  .toSorted();
if (scripts.length === 0) throw new RangeError(`no finding has "${word}" in its name`);
for (const script of scripts) {
  const { status, stdout, stderr } = spawnSync('bash', [script], { encoding: 'utf8' });
  const holds = status === 0;
  const packages = readFileSync(script, 'utf8').match(/(?<= )\S+@\d[\w.-]*(?=[ \n])/g) ?? [];
  console.log(`${holds ? 'holds' : 'CHANGED'}: ${basename(script, '.sh')} (${packages.join(', ')})`);
  console.log((holds ? stdout : stdout + stderr).trimEnd().replaceAll(/^/gm, '  '));
  if (!holds) process.exitCode = 1;
}
