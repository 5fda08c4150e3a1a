/**
 * Checks that no policy can be forgotten or weakened unnoticed: `npx node proof/policies.ts`.
 *
 * In a copy of the sources it removes the policy of each operation, then weakens each by one level, and checks what
 * notices: the compiler, because the function of the operation has nothing to work with, or else a test of the access
 * matrix that names the operation. Prints a table and exits with 1 if nothing notices. `--only TEXT` selects the
 * operations with that text. The access tests run on SQLite.
 */

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { assemble } from 'confab-tools/assembly.ts';
import { root } from 'confab-tools/places.ts';

/** The text and position of the policy of an operation. */
type Written = { readonly operation: Operation; readonly file: string; readonly policy: string };

const { only } = readFlags({ only: '' });
using folder = temporaryFolder('policies');
const copy = folder.path;
const contractFolder = join(copy, 'contract/src');

// The tests assemble the copy. What the server serves of the elements and of the console is made here.
await assemble();
for (const name of [
  ...['contract', 'importers', 'server', 'clients/js', 'testing', 'tools', 'docs', 'console/src'],
  ...['elements/dist', 'console/dist', 'package.json', 'openapi.json'],
])
  cpSync(join(root, name), join(copy, name), { recursive: true });
linkPackages();
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
  compilerOptions: object;
};
writeFileSync(
  join(copy, 'tsconfig.json'),
  JSON.stringify({ compilerOptions, include: ['contract/src', 'importers/src', 'server/src'] }),
);
const originals = new Map(
  readdirSync(contractFolder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(contractFolder, name), 'utf8')]),
);

/** Gives the copy the packages that are installed here; those of the tree itself are the copies. */
function linkPackages(): void {
  const [installed, linked] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(linked);
  for (const entry of readdirSync(installed, { withFileTypes: true })) {
    // What is remembered of the tree here, such as when it was assembled, is not true of the copy.
    if (entry.name.startsWith('.') && entry.name !== '.bin') continue;
    const from = join(installed, entry.name);
    symlinkSync(entry.isSymbolicLink() ? readlinkSync(from) : from, join(linked, entry.name));
  }
}

/** From the name of an operation to the end of its policy. */
function patternOf(id: string): RegExp {
  return new RegExp(`(^  ${id}: \\{(?:(?!^  \\w+: \\{)[^])*?)\\bon: (\\{[^}]*\\}|'\\w+'),?`, 'm');
}

function written(): Written[] {
  return operationList.flatMap((operation) => {
    for (const [file, text] of originals) {
      const [, , policy] = patternOf(operation.id).exec(text) ?? [];
      if (policy !== undefined) return [{ operation, file, policy }];
    }
    return [];
  });
}

/**
 * The same policy one level weaker; undefined where nothing but its removal is weaker. An operation for API keys is
 * weakened by accepting access tokens as well.
 */
function weaker({ operation, policy }: Written): string | undefined {
  if (operation.caller === 'key') return `${policy}, caller: 'any'`;
  if (policy.includes("app: 'manage'")) return policy.replace("'manage'", "'write'");
  const [, right] = /\{ \w+: '(\w+)'/.exec(policy) ?? [];
  return right === undefined || right === 'read' ? undefined : policy.replace(`'${right}'`, "'read'");
}

/** Writes the contract with the policies of some operations replaced; an empty text removes one. */
function write(changes: ReadonlyMap<Written, string>): void {
  const texts = new Map(originals);
  for (const [{ operation, file }, policy] of changes) {
    const text = texts.get(file) ?? '';
    const start = text.search(new RegExp(`^  ${operation.id}: \\{`, 'm'));
    const next = text.slice(start + 1).search(/^ {2}\w+: \{/m);
    const end = next === -1 ? text.length : start + 1 + next;
    const changed = text
      .slice(start, end)
      .replace(patternOf(operation.id), (_, before: string) =>
        policy === '' ? before : `${before}on: ${policy},`,
      )
      // The last one with a name counts.
      .replace(policy.includes("caller: 'any'") ? "caller: 'key'," : '', '');
    texts.set(file, text.slice(0, start) + changed + text.slice(end));
  }
  for (const [file, text] of texts) writeFileSync(join(contractFolder, file), text);
}

/** The files of the copy in which the compiler finds an error. */
function faultyFiles(): ReadonlySet<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy], { encoding: 'utf8', cwd: copy });
  return new Set(
    [...stdout.matchAll(/^((?:contract|importers|server)\/[^(]+)\(\d+,/gm)].map(([, file = '']) => file),
  );
}

/** The changes that the compiler notices: it finds an error in a file that names the operation. */
function noticedByCompiler(changes: ReadonlyMap<Written, string>): ReadonlySet<Written> {
  write(changes);
  const texts = [...faultyFiles()]
    .filter((file) => !file.startsWith('contract/src/'))
    .map((file) => readFileSync(join(copy, file), 'utf8'));
  return new Set(
    [...changes.keys()].filter(({ operation }) =>
      texts.some((text) => new RegExp(`\\.${operation.id}\\b`).test(text)),
    ),
  );
}

/** Rounds in which each contract file has one change at most, so that an error belongs to one operation. */
function rounds(changes: readonly (readonly [Written, string])[]): ReadonlyMap<Written, string>[] {
  const all: Map<Written, string>[] = [];
  for (const [each, policy] of changes) {
    const round = all.find((some) => ![...some.keys()].some(({ file }) => file === each.file)) ?? new Map();
    if (!all.includes(round)) all.push(round);
    round.set(each, policy);
  }
  return all;
}

/** The names of the access tests that fail with some changes. */
function failingTests(changes: ReadonlyMap<Written, string>): string[] {
  write(changes);
  const access = readdirSync(join(copy, 'server/test/access')).filter((name) => name.endsWith('.test.ts'));
  const files = [
    'server/test/once/conformance/key-rights.test.ts',
    ...access.map((name) => `server/test/access/${name}`),
  ];
  const { stdout } = spawnSync(process.execPath, ['tools/test.ts', '--engine=sqlite', ...files], {
    encoding: 'utf8',
    cwd: copy,
    maxBuffer: 2 ** 30,
  });
  return [...stdout.matchAll(/^\s*✖ (.*) \([\d.]+ms\)$/gm)].map(([, name = '']) => name);
}

function tellRow(what: string, { operation, policy }: Written, by: string): void {
  console.log(
    `${operation.id.padEnd(34)} ${policy.replaceAll(/\s+/g, ' ').slice(0, 40).padEnd(42)} ${what.padEnd(10)} ${by}`,
  );
}

const all = written().filter(({ operation }) => operation.id.includes(only));
const undeclared = operationList.length - written().length;
console.log(`${all.length} operations with a policy, ${undeclared} without`);
let missed = 0;

const judged = all.filter(({ policy }) => !policy.includes('own:'));
const removed = new Map(judged.map((each) => [each, '']));
const noticed = noticedByCompiler(removed);
for (const each of judged) {
  if (!noticed.has(each)) missed += 1;
  tellRow('taken away', each, noticed.has(each) ? 'compiler' : 'NOBODY');
}

const weakened = judged.flatMap((each) => {
  const policy = weaker(each);
  return policy === undefined ? [] : [[each, policy] as const];
});
const left = new Map(weakened);
for (const round of rounds(weakened))
  for (const each of noticedByCompiler(round)) {
    tellRow('weakened', each, 'compiler');
    left.delete(each);
  }
const failing = left.size === 0 ? [] : failingTests(left);
for (const each of left.keys()) {
  const name = failing.find((test) => new RegExp(`\\b${each.operation.id}\\b`).test(test));
  if (name === undefined) missed += 1;
  tellRow('weakened', each, name === undefined ? 'NOBODY' : `test "${name}"`);
}
console.log(
  `${judged.length} taken away, ${weakened.length} weakened (${weakened.length - left.size} noticed by the compiler, ` +
    `${left.size} left to tests), ${missed} noticed by nobody`,
);
process.exitCode = missed === 0 ? 0 : 1;
