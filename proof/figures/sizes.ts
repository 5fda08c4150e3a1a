import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { lastRelease } from 'confab-testing/harness/last-release.ts';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { buildPackage } from 'confab-tools/build/package.ts';
import { root } from 'confab-tools/places.ts';
import { elementsFiles } from '../../elements/generate/elements-files.ts';
import type { FigureRow } from './data.ts';

/** How large everything is: what is installed, what is sent to browsers, the document of the interface, the sources. */

const megabyte = 1e6;
const kilobyte = 1e3;

/** The most bytes of the OpenAPI document without white space, in kB. */
const mostOfDocument = 600;

/** The folders of a part of the sources, and those below them that are other parts. */
type Part = { readonly in: readonly string[]; readonly less?: readonly string[] };

/** Where tests are. */
const testFolders = ['**/test', '**/tests', 'testing'] as const;
/** Where the contract and the readers of exports were when they were folders of the server. */
const onceInServer = ['src/contract', 'src/features/imports/reading'] as const;

/** The parts of the sources: each owner's, and the tests of all. 0.1.0 has them in other folders, which are named too. */
const lineParts: { readonly [name: string]: Part } = {
  'the server': { in: ['server', 'src'], less: [...testFolders, ...onceInServer] },
  'the contract': { in: ['contract', onceInServer[0]], less: testFolders },
  'the readers of exports': { in: ['importers', onceInServer[1]], less: testFolders },
  'the console': { in: ['console'], less: testFolders },
  'the elements': { in: ['elements'], less: testFolders },
  'the client libraries': { in: ['clients', 'client'], less: testFolders },
  'the conformance kit': { in: ['conformance'], less: testFolders },
  'the proofs, benchmarks and tools': { in: ['proof', 'tools', 'scripts'], less: testFolders },
  'the tests': { in: testFolders },
};
/** What is code. Releases before the packages had what is bundled in git. */
const codeFiles = ['*.ts', '*.tsx', '*.js', '*.css', '*.grit', '*.py', '*.go'] as const;
const notCode = ['**/built', '**/fixtures'] as const;
const guideFiles = ['*.md'] as const;

function bytesBelow(folder: string): number {
  return globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' }).reduce(
    (sum, name) => sum + lstatSync(join(folder, name)).size,
    0,
  );
}

/** The lines of the files of a part in a commit; null where git does not know the commit. */
function linesOf(commit: string, part: Part, patterns: readonly string[]): number | null {
  const specs = part.in.flatMap((path) =>
    patterns.map((pattern) => `:(glob)${path === '' ? '' : `${path}/`}**/${pattern}`),
  );
  const others = [...(part.less ?? []), ...notCode].map((path) => `:(exclude,glob)${path}/**`);
  const { status, stdout } = spawnSync('git', ['grep', '-I', '-c', '', commit, '--', ...specs, ...others], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  // No file matches.
  if (status === 1) return 0;
  if (status !== 0) return null;
  const counts = stdout
    .trim()
    .split('\n')
    .map((line) => Number(line.slice(line.lastIndexOf(':') + 1)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A file of the last release; undefined where git does not know it. */
function ofRelease(file: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['show', `${lastRelease.commit}:${file}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? stdout : undefined;
}

function compactKb(json: string | undefined): number | null {
  return json === undefined ? null : Buffer.byteLength(JSON.stringify(JSON.parse(json))) / kilobyte;
}

type Manifest = {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
};

function directCount(manifest: string | undefined): number | null {
  if (manifest === undefined) return null;
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(manifest) as Manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies }).length;
}

/** The folders of all packages that the server installs. */
function installedPackages(): string[] {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspace', 'confab-server'];
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const lines = stdout
    .split('\n')
    .filter((line) => line.includes('/node_modules/') && !line.endsWith('/confab-server'));
  return [...new Set(lines)];
}

type Row = readonly [name: string, unit: string, value: number | null, release: number | null, most?: number];

async function packageRows(): Promise<Row[]> {
  using folder = temporaryFolder('sizes');
  const server = join(folder.path, 'confab-server');
  for (const name of ['package.json', 'bin', 'LICENSE', 'README.md'])
    cpSync(join(root, 'server', name), join(server, name), { recursive: true });
  await buildPackage(server);
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: server,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { size, unpackedSize } = firstOf(JSON.parse(packed));
  const code = globSync('dist/**/*.js', { cwd: server, exclude: (name) => name === 'uikit-web' })
    .filter((name) => !name.includes('/uikit-web/') && !name.includes('/built/'))
    .reduce((sum, name) => sum + lstatSync(join(server, name)).size, 0);
  const packages = installedPackages();
  const installed = packages.reduce((sum, place) => sum + bytesBelow(place), 0);
  return [
    ['the package confab-server, as it is downloaded', 'MB', size / megabyte, null],
    ['the same, unpacked', 'MB', unpackedSize / megabyte, null],
    ['the code of the server in it (the bundle)', 'MB', code / megabyte, null],
    ['packages that it depends on, unpacked', 'MB', installed / megabyte, null],
    ['packages that it depends on, in all', 'packages', packages.length, null],
  ];
}

type Packed = { readonly size: number; readonly unpackedSize: number };

/** npm prints a list of packages, or an object of them by name. */
function firstOf(packed: readonly Packed[] | { readonly [name: string]: Packed }): Packed {
  const [first] = Object.values(packed);
  if (first === undefined) throw new Error('npm has packed nothing');
  return first;
}

async function elementRows(): Promise<Row[]> {
  const entry = (await elementsFiles())['elements/dist/elements.js'] ?? '';
  return [
    ['the script of the elements for a reader', 'bytes', Buffer.byteLength(entry), null],
    ['the same, compressed with brotli', 'bytes', brotliCompressSync(entry).byteLength, null],
  ];
}

function documentRows(): Row[] {
  const own = readFileSync(join(root, 'openapi.json'), 'utf8');
  const manifest = readFileSync(join(root, 'server/package.json'), 'utf8');
  return [
    [
      'openapi.json without white space',
      'kB',
      compactKb(own),
      compactKb(ofRelease('openapi.json')),
      mostOfDocument,
    ],
    // The only manifest of 0.1.0 is that of its root.
    [
      'direct dependencies of the server',
      'packages',
      directCount(manifest),
      directCount(ofRelease('package.json')),
    ],
  ];
}

function lineRows(): Row[] {
  const { commit } = lastRelease;
  const of = (part: Part, patterns: readonly string[]) =>
    [linesOf('HEAD', part, patterns), linesOf(commit, part, patterns)] as const;
  return [
    ...Object.entries(lineParts).map(([name, part]): Row => [name, 'lines', ...of(part, codeFiles)]),
    ['guides and decisions', 'lines', ...of({ in: [''] }, guideFiles)],
  ];
}

function toRow([name, unit, value, release, most]: Row): FigureRow {
  const aim = most === undefined ? {} : { aim: { of: 'own', most } };
  return { name, unit, values: { own: value, release }, ...aim };
}

/** The sizes of this checkout, and those of the last release that its history alone shows. */
export async function measureSizes(): Promise<{ sizes: FigureRow[]; lines: FigureRow[] }> {
  const sizes = [...(await packageRows()), ...(await elementRows()), ...documentRows()];
  return { sizes: sizes.map(toRow), lines: lineRows().map(toRow) };
}
