import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('pages', import.meta.url));

/** A module of the folder `pages`, as a bundler writes it; with `contents`, these instead of a file. */
export async function bundled(name: string, contents?: string): Promise<string> {
  const entry =
    contents === undefined
      ? { entryPoints: [`${folder}/${name}`] }
      : { stdin: { contents, resolveDir: folder, loader: 'jsx' as const } };
  const { outputFiles } = await build({
    ...entry,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
