/**
 * Who may import whom. The rules use the compiler's own syntax trees because dependency-cruiser does not read
 * TypeScript 7: it reports a tree full of violations as clean.
 *
 * Every file of `server/src/` belongs to exactly one layer by its place and name; a layer lists the layers it may import. A
 * file that fits no layer is an error, so that a new folder is a decision and not an accident. A large feature may have
 * folders of its own, one level deep; its stores are private to the feature, not to the folder.
 */

import { builtinModules } from 'node:module';
import { cycles, type Import, type ImportGraph, reachable, readImports } from './import-graph.ts';
import type { Finding, Rule, Tree } from './tree.ts';

type LayerName =
  | 'root'
  | 'setup'
  | 'config'
  | 'kernel'
  | 'db'
  | 'driver'
  | 'net'
  | 'storage'
  | 'events'
  | 'fragment'
  | 'access'
  | 'shape'
  | 'second-form'
  | 'binding'
  | 'store'
  | 'domain'
  | 'routes'
  | 'http'
  | 'workers'
  | 'backup'
  | 'realtime';

interface Layer {
  readonly name: LayerName;
  readonly files: RegExp;
  /** Layers whose values and types it may import; the root may import any. */
  readonly may: readonly LayerName[];
  /** Layers from which it may import only types. */
  readonly mayAsTypes?: readonly LayerName[];
  readonly why: string;
}

/** The first layer whose pattern fits a path is the layer of that file. */
const layers: readonly Layer[] = [
  {
    name: 'root',
    files: /^server\/src\/(main\/|commands\/|cli\.ts$)/,
    may: [],
    why: 'the composition root builds everything',
  },
  {
    name: 'setup',
    files: /^server\/src\/setup\//,
    may: ['setup', 'backup', 'domain', 'events', 'driver', 'db', 'storage', 'config', 'kernel'],
    why: 'it opens what a server and a command alike need of a configuration, so it knows neither',
  },
  {
    name: 'config',
    files: /^server\/src\/config\//,
    may: ['config', 'kernel'],
    why: 'settings are read before anything else exists, so they repeat a value that they share with it',
  },
  {
    name: 'kernel',
    files: /^server\/src\/kernel\//,
    may: ['kernel'],
    why: 'the kernel is the vocabulary of every layer, so it can know none of them',
  },
  {
    name: 'driver',
    files:
      /^server\/src\/db\/(sqlite\/|postgres\/|move\/|migrations\/|(open-inspection|schema-indexes|store-address)\.ts$)/,
    may: ['driver', 'db', 'kernel'],
    why: 'an engine is chosen in the composition root; everything else knows only what engines have in common',
  },
  {
    name: 'db',
    files: /^server\/src\/db\//,
    may: ['db', 'kernel'],
    why: 'the database layer stores any feature, so it knows none',
  },
  {
    name: 'net',
    files: /^server\/src\/net\//,
    may: ['net', 'kernel'],
    why: 'outbound HTTP is guarded in one place that has no other job',
  },
  {
    name: 'storage',
    files: /^server\/src\/storage\//,
    may: ['storage', 'kernel'],
    why: 'a place of bytes knows neither what they are nor who may have them',
  },
  {
    name: 'events',
    files: /^server\/src\/events\//,
    may: ['events', 'db', 'kernel'],
    why: 'every feature appends to the log, so the log knows no feature',
  },
  {
    name: 'fragment',
    files: /^server\/src\/(features\/[^/]+|access)\/([^/]+\/)?[^/]+\.sql\.ts$/,
    may: ['fragment', 'db', 'kernel'],
    why: 'columns and conditions that the stores of several features share; it runs nothing',
  },
  {
    name: 'store',
    files: /^server\/src\/(features\/[^/]+|access|second-form)\/([^/]+\/)?[^/]+\.store\.ts$/,
    may: ['fragment', 'db', 'kernel'],
    why: 'a store holds SQL and decides nothing',
  },
  {
    name: 'access',
    files: /^server\/src\/access\//,
    may: ['access', 'fragment', 'db', 'kernel'],
    why: 'who may do what is decided below every feature, with nothing of any',
  },
  {
    name: 'shape',
    files: /^server\/src\/second-form\/(shapes|live)\//,
    may: ['shape', 'access', 'fragment', 'db', 'kernel'],
    why: 'a shape is made of the rows that a feature gives it, so it knows no feature',
  },
  {
    name: 'second-form',
    files: /^server\/src\/second-form\//,
    may: ['second-form', 'shape', 'access', 'binding', 'domain', 'fragment', 'events', 'db', 'net', 'kernel'],
    why: 'the operations of the second form use the rules of features, and no feature knows of them',
  },
  {
    name: 'routes',
    files: /^server\/src\/features\/[^/]+\/[^/]+\.routes\.ts$/,
    may: ['access', 'http', 'kernel'],
    why: 'a route binds its own feature to HTTP and does nothing else',
  },
  {
    name: 'binding',
    files: /^server\/src\/binding\//,
    may: ['binding', 'access', 'db', 'kernel'],
    mayAsTypes: ['http'],
    why: 'an operation is run with the right that its contract declares, whatever HTTP and the features do',
  },
  {
    name: 'domain',
    files: /^server\/src\/features\/[^/]+\/([^/]+\/)?[^/]+\.ts$/,
    may: ['access', 'binding', 'domain', 'shape', 'fragment', 'events', 'db', 'kernel', 'net', 'storage'],
    why: 'rules of a feature are independent of HTTP and of the engine that stores it',
  },
  {
    name: 'http',
    files: /^server\/src\/http\//,
    may: ['http', 'kernel'],
    why: 'the HTTP layer serves any feature; what it needs of one is passed in',
  },
  {
    name: 'workers',
    files: /^server\/src\/workers\//,
    may: ['workers', 'domain', 'events', 'db', 'net', 'kernel'],
    why: 'a loop drives features through their domain functions',
  },
  {
    name: 'backup',
    files: /^server\/src\/backup\//,
    may: ['backup', 'domain', 'driver', 'db', 'storage', 'workers', 'kernel'],
    why: 'a backup copies the files of a store and of its blobs, and a server runs without it',
  },
  {
    name: 'realtime',
    files: /^server\/src\/realtime\//,
    may: ['realtime', 'access', 'binding', 'workers', 'domain', 'shape', 'events', 'db', 'http', 'kernel'],
    why: 'live connections read the log and ask features for rights; nothing depends on them',
  },
];

/** Packages that only some files may import. */
const packagePlaces: readonly (Rule & { readonly packages: RegExp; readonly files: RegExp })[] = [
  {
    id: 'contract-builtins',
    why: 'the contract is data for the server, the clients and browsers, which have no modules of Node',
    packages: /^node:/,
    files: /^(?!contract\/src\/)/,
  },
  {
    id: 'router-in-http',
    why: 'what routes requests and reads forms can be replaced by changing one folder',
    packages: /^(find-my-way|fastify|@fastify\/.+)$/,
    files: /^server\/src\/http\//,
  },
  {
    id: 'undici-in-net',
    why: 'a request that leaves another way is not checked against private addresses',
    packages: /^undici(\/|$)/,
    files: /^server\/src\/net\//,
  },
  {
    id: 'sqlite-in-db',
    why: 'connections, pragmas and transactions have one owner',
    packages: /^(node:)?sqlite$|^(better-sqlite3|pg)$/,
    files: /^server\/src\/db\//,
  },
  {
    id: 'kysely-in-sql',
    why: 'SQL is written in server/src/db/ and in stores, nowhere else',
    packages: /^kysely(\/|$)/,
    files: /^server\/src\/(db\/|.+\.(store|sql)\.ts$)/,
  },
  {
    id: 'ws-in-realtime',
    why: 'what a socket may do to the server is decided in one place',
    packages: /^ws$/,
    files: /^server\/src\/realtime\//,
  },
  {
    id: 'aws-in-bucket-client',
    why: 'an optional package is loaded in one place, which says what to do where it is missing',
    packages: /^@aws-sdk\//,
    files: /^server\/src\/storage\/bucket-(client|errors)\.ts$/,
  },
  {
    id: 'opentelemetry-in-traces',
    why: 'it is large, and loaded only where the operator wants traces',
    packages: /^@opentelemetry\//,
    files: /^server\/src\/net\/traces\.ts$/,
  },
  {
    id: 'mcp-in-protocol',
    why: 'it is large, and loaded only with the first message of a program',
    packages: /^@modelcontextprotocol\//,
    files: /^server\/src\/http\/mcp\/protocol\.ts$/,
  },
  {
    id: 'prom-client-in-metrics',
    why: 'parts report to the interface of the kernel, which declares every metric',
    packages: /^prom-client$/,
    files: /^server\/src\/http\/metrics\.ts$/,
  },
  {
    id: 'sharp-in-picture-process',
    why: 'pictures of strangers are decoded where a crash costs nothing else',
    packages: /^sharp$/,
    files: /^server\/src\/workers\/picture-process\.ts$/,
  },
];

const serverManifest = 'server/package.json';

/** Rules that do not concern one layer or package. */
const others = {
  'store-private': 'a store is private to its feature: ask its domain module',
  'root-imported': 'the composition root imports everything, so an import of it closes a cycle',
  'server-imports-command': 'a server runs without the command line, which starts it',
  'source-imports-test': 'the program must run without its tests and generators',
  'outside-package': 'what a package uses of another is what its package.json declares and the other exports',
  'unknown-place': 'every file of server/src/ belongs to a layer',
  'computed-import': 'an import nobody can read cannot be checked',
  'undeclared-package':
    'a package runs with what its package.json declares alone; its tests and generators also with "devDependencies"',
  'unused-package': 'whoever installs the server installs everything that server/package.json declares',
  'no-feature-cycle': 'features in a circle cannot be read, tested or removed one at a time',
  'no-orphan': 'a module that neither the program nor a script loads is dead',
} as const;

/** Every import rule; each layer has one that carries its name. */
export const importRules: readonly Rule[] = [
  ...layers
    .filter((layer) => layer.name !== 'root')
    .map((layer) => ({ id: layerRuleId(layer), why: layer.why })),
  ...packagePlaces,
  ...Object.entries(others).map(([id, why]) => ({ id, why })),
];

/** Applies the import rules to the whole tree. */
export function checkImports(tree: Tree): Finding[] {
  const graph = readImports(tree);
  const fromSource = graph.imports.filter((entry) => entry.from.startsWith('server/src/'));
  return [
    ...checkPlaces(tree),
    ...graph.computed
      .filter((entry) => entry.from.startsWith('server/src/'))
      .map((entry) => finding(entry, 'computed-import', 'the imported module is computed')),
    ...fromSource.flatMap((entry) =>
      entry.kind === 'file' ? checkFileImport(entry) : checkPackagePlace(entry),
    ),
    ...graph.imports
      .filter(({ kind, from }) => kind === 'package' && from.startsWith('contract/src/'))
      .flatMap(checkPackagePlace),
    ...checkOutside(tree, graph),
    ...checkDeclared(tree, graph),
    ...checkFeatureCycles(fromSource),
    ...checkOrphans(tree, graph),
  ];
}

function checkPlaces(tree: Tree): Finding[] {
  return tree.modules
    .filter((module) => module.path.startsWith('server/src/') && layerOf(module.path) === undefined)
    .map((module) =>
      finding({ from: module.path, line: 1 }, 'unknown-place', 'the file belongs to no layer'),
    );
}

/** At most one finding per import: the most telling rule wins. */
function checkFileImport(entry: Import): Finding[] {
  if (/^server\/(test|generate)\//.test(entry.target))
    return [finding(entry, 'source-imports-test', `imports ${entry.target}`)];
  const from = layerOf(entry.from);
  const to = layerOf(entry.target);
  if (from === undefined || to === undefined) return [];
  if (from.name === 'root')
    return entry.from.startsWith('server/src/main/') && entry.target.startsWith('server/src/commands/')
      ? [finding(entry, 'server-imports-command', `imports ${entry.target}`)]
      : [];
  if (to.name === 'root') return [finding(entry, 'root-imported', `imports ${entry.target}`)];
  if (from.may.includes(to.name)) return [];
  const isOwn = featureOf(entry.from) === featureOf(entry.target);
  if (to.name === 'store') {
    return (from.name === 'domain' || from.name === 'access') && isOwn
      ? []
      : [finding(entry, 'store-private', `imports ${entry.target}`)];
  }
  if (from.name === 'routes' && to.name === 'domain' && isOwn) return [];
  const rule = { id: layerRuleId(from), why: from.why };
  if (!from.mayAsTypes?.includes(to.name)) return [finding(entry, rule, `imports ${entry.target}`)];
  return entry.isTypeOnly
    ? []
    : [finding(entry, rule, `imports ${entry.target} as a value; only "import type" is allowed`)];
}

function checkPackagePlace(entry: Import): Finding[] {
  return packagePlaces
    .filter((place) => place.packages.test(entry.target) && !place.files.test(entry.from))
    .map((place) => finding(entry, place, `imports ${entry.target}`));
}

/** What is bundled into a package that is published, so whoever installs it installs none of them. */
const bundled: Readonly<Record<string, readonly string[]>> = {
  'server/': ['confab-client', 'confab-contract', 'confab-importers'],
  'elements/': ['confab-client', 'confab-contract', 'lit'],
};

/** Finds the folder of the package that a file belongs to; the root's is empty. */
function packagesOf(tree: Tree): (file: string) => string {
  const folders = tree.files
    .filter(({ path }) => path.endsWith('/package.json'))
    .map(({ path }) => path.slice(0, -'package.json'.length))
    .sort((a, b) => b.length - a.length);
  return (file) => folders.find((folder) => file.startsWith(folder)) ?? '';
}

/** Whether a file is part of what its package is for, not one of its tests, generators or tools. */
function isShipped(file: string): boolean {
  return /^(server|contract|importers|elements|console)\/src\/|^clients\/js\/[^/]+$/.test(file);
}

/** Whether a file is in a folder beside the workspaces, which uses what they have installed. */
function isBeside(file: string): boolean {
  return /^(kits|proof)\//.test(file);
}

function checkOutside(tree: Tree, graph: ImportGraph): Finding[] {
  const packageOf = packagesOf(tree);
  return (
    graph.imports
      .filter(({ kind, from, target }) => kind === 'file' && packageOf(from) !== packageOf(target))
      // The guides belong to every package; suites and figures look at the whole tree.
      .filter(({ from, target }) => !target.startsWith('docs/') && !isBeside(from))
      .map((entry) => finding(entry, 'outside-package', `imports ${entry.target}`))
  );
}

function checkDeclared(tree: Tree, graph: ImportGraph): Finding[] {
  // An optional package is used in one place, which explains what to do where it is missing.
  const program = declaredIn(tree, serverManifest, ['dependencies', 'optionalDependencies']);
  const imports = graph.imports.filter((entry) => entry.kind === 'package' && !isBuiltin(entry.target));
  const packageOf = packagesOf(tree);
  const forAll = declaredIn(tree, 'package.json', ['devDependencies']);
  const allowed = new Map<
    string,
    { readonly shipped: ReadonlySet<string>; readonly development: ReadonlySet<string> }
  >();
  const allowedIn = (folder: string) => {
    const manifest = `${folder}package.json`;
    const development = declaredIn(tree, manifest, ['devDependencies']);
    const shipped = new Set([
      ...declaredIn(tree, manifest, ['dependencies', 'optionalDependencies', 'peerDependencies']),
      ...(bundled[folder] ?? []).filter((name) => development.has(name)),
    ]);
    allowed.set(folder, { shipped, development });
    return { shipped, development };
  };
  const anywhere = new Set(
    tree.files
      .filter(({ path }) => /(^|\/)package\.json$/.test(path))
      .flatMap((manifest) => [
        (JSON.parse(manifest.text) as { name: string }).name,
        ...declaredIn(tree, manifest.path, ['dependencies', 'optionalDependencies', 'devDependencies']),
      ]),
  );
  const undeclared = imports.filter(({ from, target }) => {
    if (isBeside(from)) return !anywhere.has(packageName(target));
    const folder = packageOf(from);
    const { shipped, development } = allowed.get(folder) ?? allowedIn(folder);
    const name = packageName(target);
    return !shipped.has(name) && (isShipped(from) || !(development.has(name) || forAll.has(name)));
  });
  const used = new Set(
    imports
      .filter(({ from }) => /^(server|contract|importers)\/src\//.test(from))
      .map(({ target }) => packageName(target)),
  );
  return [
    ...undeclared.map((entry) =>
      finding(entry, 'undeclared-package', `imports ${entry.target}, which is not declared`),
    ),
    ...[...program]
      .filter((name) => !used.has(name))
      .map((name) =>
        finding({ from: serverManifest, line: 1 }, 'unused-package', `server/src/ imports no ${name}`),
      ),
  ];
}

/** Circles of files are found by Biome (`noImportCycles`), which reads every folder; features are groups of files. */
function checkFeatureCycles(imports: readonly Import[]): Finding[] {
  const featureImports = imports.filter((entry) => {
    if (entry.kind !== 'file') return false;
    const [from, to] = [featureOf(entry.from), featureOf(entry.target)];
    const isBetween = [entry.from, entry.target].every((path) => path.startsWith('server/src/features/'));
    return isBetween && from !== to;
  });
  return cycles(edgesOf(featureImports, featureOf)).map((group) =>
    finding(firstInside(featureImports, group), 'no-feature-cycle', group.join(' ↔ ')),
  );
}

/** Generators are roots too: what the documents are generated from need not be loaded by the server. */
function checkOrphans(tree: Tree, graph: ImportGraph): Finding[] {
  const paths = tree.modules.map((module) => module.path);
  const roots = paths.filter((path) => layerOf(path)?.name === 'root' || !path.startsWith('server/src/'));
  const loaded = reachable(roots, edgesOf(graph.imports.filter((entry) => entry.kind === 'file')));
  return (
    paths
      // Declarations of types are read by the compiler alone.
      .filter((path) => path.startsWith('server/src/') && !path.endsWith('.d.ts') && !loaded.has(path))
      .map((path) =>
        finding({ from: path, line: 1 }, 'no-orphan', 'neither main/main.ts, cli.ts nor a script leads here'),
      )
  );
}

function finding(
  at: { readonly from: string; readonly line: number },
  rule: Rule | keyof typeof others,
  message: string,
): Finding {
  const { id, why } = typeof rule === 'string' ? { id: rule, why: others[rule] } : rule;
  return { path: at.from, line: at.line, rule: id, message: `${message}: ${why}` };
}

function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => layer.files.test(path));
}

function layerRuleId(layer: Layer): string {
  return `${layer.name}-imports`;
}

function featureOf(path: string): string | undefined {
  return /^server\/src\/(?:features\/([^/]+)|(access))\//
    .exec(path)
    ?.slice(1)
    .find((name) => name !== undefined);
}

function edgesOf(
  imports: readonly Import[],
  nameOf: (path: string) => string | undefined = (path) => path,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const entry of imports) {
    const [from, to] = [nameOf(entry.from), nameOf(entry.target)];
    if (from === undefined || to === undefined) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets.add(to));
  }
  return edges;
}

/** The place to report a cycle: the first import that stays inside it. */
function firstInside(imports: readonly Import[], group: readonly string[]): Import {
  const inside = imports.find((entry) =>
    [entry.from, entry.target].every((path) => group.includes(featureOf(path) ?? '')),
  );
  if (inside === undefined) throw new Error(`no import joins ${group.join(', ')}`);
  return inside;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function declaredIn(tree: Tree, path: string, fields: readonly string[]): ReadonlySet<string> {
  const text = tree.files.find((file) => file.path === path)?.text ?? '{}';
  const manifest = JSON.parse(text) as { readonly [field: string]: object | undefined };
  return new Set(fields.flatMap((field) => Object.keys(manifest[field] ?? {})));
}
