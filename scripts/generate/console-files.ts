import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * The script and the style sheet of the console, built from `console/`: one file each, so that the server, the package and
 * a checkout without development dependencies serve the same.
 */
export async function consoleFiles(): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { console: 'console/src/main.tsx' },
    outdir: 'src/http/console/built',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    tsconfigRaw: {},
  });
  return Object.fromEntries(outputFiles.map((file) => [path.relative(root, file.path), file.text]));
}
