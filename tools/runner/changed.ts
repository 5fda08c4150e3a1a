import { execFileSync } from 'node:child_process';
import { type ImportGraph, reachable, readImports } from '../tidy/import-graph.ts';
import { readTree } from '../tidy/tree.ts';

/**
 * Which tests a change affects. A test that starts a server loads every file, so imports alone would name nearly all
 * tests for any change. A change is therefore followed through the files that import it only up to those that compose
 * the server, and the tests of a folder are those in the folder of the same name below `test`.
 */

/** The files that compose everything: a change of what they import does not reach the files that import them. */
const assemblies: readonly string[] = [
  'server/src/main/main.ts',
  'server/src/main/handlers.ts',
  'contract/src/index.ts',
  'server/src/cli.ts',
];

/** Files without imports that every test depends on. */
const everywhere = /^(package(-lock)?\.json|tsconfig\.json|scripts\/test(\/|\.ts))/;

/** The files that differ from the main branch, committed or not, and the untracked ones. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  return [
    ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
  ];
}

/** The folder below `test` that mirrors a source file: of a feature, its contract, or a layer. */
function mirrorOf(file: string): string | undefined {
  const [, feature] = /^src\/(features\/[^/]+)\//.exec(file) ?? [];
  const [, contract] = /^src\/contract\/(.*)\.ts$/.exec(file) ?? [];
  const [, layer] = /^src\/([^/]+)\//.exec(file) ?? [];
  if (feature !== undefined) return `server/test/${feature}/`;
  return contract === undefined ? layer && `server/test/${layer}/` : `server/test/features/${contract}/`;
}

/**
 * The tests in `tests` that some changed files affect: those that import what the change reaches, and those in the
 * folders that mirror it. All of them when a composing file, or one that every test depends on, has changed.
 */
export function touchedTests(
  changed: readonly string[],
  { tests, graph }: { tests: readonly string[]; graph: ImportGraph },
): string[] {
  if (changed.some((file) => assemblies.includes(file) || everywhere.test(file))) return [...tests];
  const importers = new Map<string, Set<string>>();
  for (const { from, target, kind, isTypeOnly } of graph.imports) {
    if (kind !== 'file' || isTypeOnly || assemblies.includes(target)) continue;
    importers.set(target, (importers.get(target) ?? new Set()).add(from));
  }
  const reached = reachable(changed, importers);
  const folders = new Set([...reached].map(mirrorOf));
  return tests.filter(
    (test) =>
      reached.has(test) || [...folders].some((folder) => folder !== undefined && test.startsWith(folder)),
  );
}

/** The tests in `tests` that the difference from the main branch affects. */
export function testsOfChange(tests: readonly string[]): string[] {
  return touchedTests(changedFiles(), { tests, graph: readImports(readTree(process.cwd())) });
}
