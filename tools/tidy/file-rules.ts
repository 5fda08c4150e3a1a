import type { Finding, Rule, TextFile, Tree } from './tree.ts';

/** A rule about files: their place, their size, their text. */
interface FileRule extends Rule {
  readonly check: (file: TextFile) => readonly { readonly line: number; readonly message: string }[];
}

const bannedFolders = new Set([
  'common',
  'helper',
  'helpers',
  'interfaces',
  'misc',
  'services',
  'types',
  'util',
  'utils',
]);

const mockLibrary =
  /^(sinon|jest|vitest|testdouble|td|nock|msw|mockery|proxyquire|rewire|esmock|quibble|.*[-/]?mock(s|ito|ed)?([-/].*)?)$/;

/** The rules for every file of the repository. */
export const fileRules: readonly FileRule[] = [
  {
    id: 'banned-folder',
    why: 'a folder without a noun has no owner and collects everything',
    check: (file) => {
      const folder = file.path
        .split('/')
        .slice(0, -1)
        .find((name) => bannedFolders.has(name));
      return folder === undefined || !isCode(file)
        ? []
        : [{ line: 1, message: `folder "${folder}": put the code with the noun it serves` }];
    },
  },
  {
    id: 'barrel-file',
    why: 'an index that re-exports a folder hides the graph; only the contract has a list',
    check: (file) =>
      isCode(file) && /(^|\/)index\.ts$/.test(file.path) && file.path !== 'contract/src/index.ts'
        ? [{ line: 1, message: 'index.ts: import the module that has the thing' }]
        : [],
  },
  {
    id: 'machine-path',
    why: 'a path of one machine does not exist on the next',
    check: (file) =>
      matchingLines(file, /(?<![\w.~:/-])\/(?:work|tmp|root|Users)\/|\/home\/[a-z]+\/[\w.]/).map(
        ({ line, match }) => ({
          line,
          message: `path of one machine: ${match}`,
        }),
      ),
  },
  {
    id: 'registry-host',
    why: 'an install must not depend on a package registry that others cannot reach',
    check: (file) =>
      /(^|\/)(package-lock\.json|\.npmrc)$/.test(file.path)
        ? matchingLines(
            file,
            /(?:"resolved": "|registry *= *)(?!https:\/\/registry\.npmjs\.org\/|file:)[a-z+]+:\/\/[^/"\s]+/,
          ).map(({ line, match }) => ({ line, message: `registry of one machine: ${match}` }))
        : [],
  },
  {
    id: 'mock-library',
    why: 'mocks echo the code; the fakes of this project are three and its own',
    check: (file) =>
      /(^|\/)package\.json$/.test(file.path)
        ? declaredPackages(file)
            .filter((name) => mockLibrary.test(name))
            .map((name) => ({ line: lineContaining(file, `"${name}"`), message: `mock library ${name}` }))
        : [],
  },
  {
    id: 'readme-commands',
    why: 'a reader starts and tests a fresh clone with one command each',
    check: (file) =>
      file.path === 'README.md'
        ? ['npm ci && npm start', 'npm ci && npm test']
            .filter((command) => !file.text.includes(command))
            .map((command) => ({ line: 1, message: `the command "${command}" is missing` }))
        : [],
  },
];

/** Applies the file rules to the whole tree. */
export function checkFiles(tree: Tree): Finding[] {
  return tree.files.flatMap((file) =>
    fileRules.flatMap((rule) =>
      rule.check(file).map((found) => ({ path: file.path, rule: rule.id, ...found })),
    ),
  );
}

function isCode(file: TextFile): boolean {
  return /\.(?:ts|tsx|js)$/.test(file.path) && !/^(?:clients\/js|conformance)\/index\.js$/.test(file.path);
}

function matchingLines(file: TextFile, pattern: RegExp): { line: number; match: string }[] {
  return file.text.split('\n').flatMap((text, index) => {
    const match = pattern.exec(text)?.[0];
    return match === undefined ? [] : [{ line: index + 1, match }];
  });
}

function lineContaining(file: TextFile, words: string): number {
  return file.text.slice(0, Math.max(0, file.text.indexOf(words))).split('\n').length;
}

function declaredPackages(file: TextFile): string[] {
  const manifest = JSON.parse(file.text) as Record<string, Record<string, string> | undefined>;
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
}
