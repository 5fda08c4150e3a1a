import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from 'confab-tools/places.ts';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { minify } from 'terser';

const source = path.join(root, 'elements/src');
/** What parts that are loaded later may use of the entry, and what modules of the server that both use import. */
const sharedFiles = [path.join(source, 'shared.ts'), path.join(root, 'contract/src/values/page-uid.ts')];
const outdir = 'elements/dist';
const languages = path.join(source, 'texts/languages');

/** A part that is loaded later: `import('./write/write.ts')` names its file. */
const laterImport = /\bimport\('(\.[^']+)'\)/g;

const target = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];

/** Style sheets are text of the script: elements adopt them. */
const styleAsText: Plugin = {
  name: 'style-as-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'css', minify: true, target });
      return { contents: code.trim(), loader: 'text' };
    }),
};

/**
 * Templates without their indentation, which browsers would read as so many spaces. A line break ends a statement as before.
 * In what is drawn for each comment it also goes between two elements or values, where it would be a node of the page:
 * these lie in blocks, grids and rows, which show no spaces. What has to be a space there stands in one line.
 */
const unindented: Plugin = {
  name: 'unindented',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/elements\/src\/.*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8')
        .replace(/\n\s+/g, '\n')
        .replace(file.includes('/comments/') ? /(?<=[>}])\n(?=<|\$\{)/g : /$^/, ''),
      loader: 'ts',
    })),
};

const common: BuildOptions = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target,
  charset: 'utf8',
  legalComments: 'none',
  tsconfigRaw: {},
};

/**
 * The script of the elements, built from `elements/`: `elements.js` with all that a reader needs, and the parts that are
 * loaded later, whose names have their hash. A part takes what the entry has from the entry (`shared.ts`), so the entry is
 * one file and nothing exists twice.
 */
export async function elementsFiles(): Promise<Readonly<Record<string, string>>> {
  const parts = await buildParts();
  const entry = await build({
    ...common,
    stdin: {
      contents: "import './elements.ts'; export * from './shared.ts';",
      resolveDir: source,
      sourcefile: 'elements.js',
    },
    entryNames: 'elements',
    plugins: [partsByName(parts.names), styleAsText, unindented],
  });
  assertApart(Object.keys(entry.metafile?.inputs ?? {}), parts.inputs);
  const files = [...(entry.outputFiles ?? []), ...parts.files, ...(await buildLanguages())];
  const made = files.map(
    async ({ path: name, text }) => [path.relative(root, name), await withShorterNames(text)] as const,
  );
  return { ...Object.fromEntries(await Promise.all(made)), ...themes() };
}

/** What esbuild has made, with shorter names: 3 % fewer bytes with brotli. No code moves to another place (0011). */
async function withShorterNames(script: string): Promise<string> {
  const { code = script } = await minify(script, {
    module: true,
    compress: { inline: false, collapse_vars: false },
  });
  return code;
}

/** The texts of each language, whose address the entry makes from its code. */
async function buildLanguages() {
  const { outputFiles = [] } = await build({
    ...common,
    entryPoints: readdirSync(languages).map((name) => path.join(languages, name)),
    outbase: languages,
    entryNames: 'elements/texts/[name]',
  });
  return outputFiles;
}

/** The themes as they are: pages may copy them as well. */
function themes(): Readonly<Record<string, string>> {
  const folder = path.join(root, 'elements/themes');
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      `${outdir}/themes/${name}`,
      readFileSync(path.join(folder, name), 'utf8'),
    ]),
  );
}

/** The files that the entry loads later, by their place. */
function laterFiles(): string[] {
  const text = readFileSync(path.join(source, 'parts.ts'), 'utf8');
  return [...text.matchAll(laterImport)].map(([, name = '']) => path.join(source, name));
}

async function buildParts() {
  const entryPoints = laterFiles();
  if (entryPoints.length === 0) return { files: [], inputs: [], names: new Map<string, string>() };
  const { outputFiles = [], metafile } = await build({
    ...common,
    entryPoints,
    outbase: source,
    splitting: true,
    entryNames: 'elements/[name]-[hash]',
    chunkNames: 'elements/[name]-[hash]',
    plugins: [sharedOfEntry, styleAsText, unindented],
  });
  const outputs = Object.entries(metafile?.outputs ?? {});
  const names = new Map(
    outputs.flatMap(([output, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[path.join(root, entryPoint), path.basename(output)]],
    ),
  );
  return { files: outputFiles, inputs: Object.keys(metafile?.inputs ?? {}), names };
}

/** Imports of `shared.ts` by a part are imports of the entry, which the page has loaded. */
const sharedOfEntry: Plugin = {
  name: 'shared-of-entry',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(?:shared|page-uid)\.ts$/ }, ({ path: name, resolveDir }) =>
      sharedFiles.includes(path.join(resolveDir, name))
        ? { path: '../elements.js', external: true }
        : undefined,
    ),
};

/** The server has the parts below `/elements/`, beside the entry. */
function partsByName(names: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'parts-by-name',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\./ }, ({ path: name, resolveDir, kind }) => {
        if (kind !== 'dynamic-import') return undefined;
        const part = names.get(path.join(resolveDir, name));
        if (part === undefined) throw new Error(`${name} is not loaded by elements/src/parts.ts`);
        return { path: `./elements/${part}`, external: true };
      }),
  };
}

/** What is in the entry must not be in a part as well: it would be loaded twice, and keep its state twice. */
function assertApart(entry: readonly string[], parts: readonly string[]): void {
  const twice = parts.filter((input) => entry.includes(input));
  if (twice.length > 0)
    throw new Error(`${twice.join(', ')} would be in elements.js and in a part: export it from shared.ts`);
}
