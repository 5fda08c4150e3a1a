import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/**
 * The sources as JavaScript in a few files, because Node takes most of the time of a start, and 20 MB of memory, for each
 * module by itself (decision 0110). What a server loads later stays in files of its own.
 */

/** The packages that are bundled too: hundreds of small modules that nothing else uses, and the workspaces of the server. */
const bundled = ['kysely', 'typebox', 'confab-client', 'confab-contract', 'confab-importers'] as const;

/** The modules that run in a thread or a process of their own, which is started from their file. */
const startedFiles = '**/*-{thread,process}.ts';

/** The two ways in which a module asks for its own place. */
const atPlace = /\bimport\.meta\.(url|filename)\b/g;

/** Bundles the module `cli.ts` of a folder, and those that it starts, into the folder `dist`. */
export async function bundleServer({ source, dist }: { source: string; dist: string }): Promise<void> {
  const placed = new Set<string>();
  const started = globSync(startedFiles, { cwd: source });
  const { metafile } = await build({
    entryPoints: ['cli.ts', ...started].map((file) => path.join(source, file)),
    outbase: source,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    sourcemap: true,
    metafile: true,
    tsconfigRaw: {},
    plugins: [packagesApart, placesOf(source, placed)],
  });
  assertPlaces(metafile, { dist, placed });
}

/** Leaves the packages that are not bundled to be found where npm installs them. */
const packagesApart: Plugin = {
  name: 'packages-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path: name }) =>
      bundled.some((one) => name === one || name.startsWith(`${one}/`))
        ? undefined
        : { path: name, external: true },
    ),
};

/** Modules find files by their own place. In a bundle that is where they would be if every module had a file. */
function placesOf(source: string, placed: Set<string>): Plugin {
  return {
    name: 'places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        const place = `./${path.relative(source, file).replace(/\.ts$/, '.js')}`;
        const contents = text.replaceAll(atPlace, (_, part: string) => {
          placed.add(path.resolve(file));
          return `new URL(${JSON.stringify(place)}, import.meta.url).${part === 'url' ? 'href' : 'pathname'}`;
        });
        return { contents, loader: 'ts' };
      }),
  };
}

/** Places are counted from the top folder of the bundle, so the modules that have one must lie there. */
function assertPlaces(
  metafile: Metafile,
  { dist, placed }: { dist: string; placed: ReadonlySet<string> },
): void {
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    if (path.dirname(path.resolve(output)) === dist) continue;
    const wrong = Object.keys(inputs).filter((input) => placed.has(path.resolve(input)));
    if (wrong.length > 0)
      throw new Error(`${wrong.join(', ')} would be bundled into ${output}, below ${dist}`);
  }
}
