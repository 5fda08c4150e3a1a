import { execFileSync } from 'node:child_process';
import { type ImportGraph, reachable, readImports } from '../tidy/import-graph.ts';
import { readTree } from '../tidy/tree.ts';

/**
 * Which tests a change touches. A test that starts a server loads every file, so imports alone would name nearly all
 * tests for any change. Therefore a change is followed through the files that import it only up to those that put the
 * server together, and the tests of a folder are those in the folder of the same name below `test`.
 */

/** The files that put everything together: what they import does not reach those who import them. */
const assemblies: readonly string[] = [
  'src/main.ts',
  'src/handlers.ts',
  'src/contract/index.ts',
  'src/cli.ts',
];

/** Files without imports that every test depends on. */
const everywhere = /^(package(-lock)?\.json|tsconfig\.json|scripts\/test(\/|\.ts))/;

/** The files that differ from the main branch, committed or not, and those that git does not know yet. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  return [
    ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
  ];
}

/** The folder below `test` that mirrors a file of the sources: of a feature, its contract, or a layer. */
function mirrorOf(file: string): string | undefined {
  const [, feature] = /^src\/(features\/[^/]+)\//.exec(file) ?? [];
  const [, contract] = /^src\/contract\/(.*)\.ts$/.exec(file) ?? [];
  const [, layer] = /^src\/([^/]+)\//.exec(file) ?? [];
  if (feature !== undefined) return `test/${feature}/`;
  return contract === undefined ? layer && `test/${layer}/` : `test/features/${contract}/`;
}

/**
 * Of `tests`, those that some changed files touch: those that import what the change reaches, and those in the folders
 * that mirror it. All of them when an assembly or what every test depends on has changed.
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

/** Of `tests`, those that the difference from the main branch touches. */
export function testsOfChange(tests: readonly string[]): string[] {
  return touchedTests(changedFiles(), { tests, graph: readImports(readTree(process.cwd())) });
}
