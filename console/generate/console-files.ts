import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from 'confab-tools/places.ts';
import { build, type Plugin } from 'esbuild';

/** A page of `docs/` as a module: the code below "In your language", by the name of the language. */
const codeOfPage: Plugin = {
  name: 'code-of-page',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/docs\/[\w-]+\.md$/ }, async ({ path: file }) => {
      const [, languages = ''] = (await readFile(file, 'utf8')).split('\n## In your language\n');
      const sections = languages.split(/\n## /)[0]?.split('\n### ').slice(1) ?? [];
      const codes = sections.map((section) => [
        /^\w+/.exec(section)?.[0] ?? '',
        /^```\w+\n(.*?)^```$/ms.exec(section)?.[1] ?? '',
      ]);
      return { loader: 'json', contents: JSON.stringify(Object.fromEntries(codes)) };
    }),
};

/**
 * The scripts and the style sheet of the console, built from `console/`: one file each, with stable names, so that the
 * server, the package and a checkout without development dependencies serve the same.
 */
export async function consoleFiles(): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { console: 'console/src/main.tsx' },
    outdir: 'console/dist',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [codeOfPage],
    tsconfigRaw: {},
  });
  return Object.fromEntries(outputFiles.map((file) => [path.relative(root, file.path), file.text]));
}
