import { readFileSync } from 'node:fs';
import type { Source } from './markdown.ts';

/** The guides, in the order in which they are listed: files of the folder `docs`, without `.md`. */
export const guideNames = [
  'comments',
  'users',
  'console',
  'keeping-a-community',
  'webhooks',
  'events',
  'imports',
  'installing',
  'configuration',
  'proxy',
  'going-live',
  'backups',
  'monitoring',
  'doctor',
  'durability',
  'scaling',
  'performance',
] as const;

/** A file of the folder `docs`, which is beside `src/` in a checkout and beside `dist/` in the package. */
export function readDocsFile(name: string): Buffer {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url));
}

/** Reads the guides. Throws when one is missing, which a complete installation rules out. */
export function guideSources(): Source[] {
  return guideNames.map((name) => ({
    path: `/docs/${name}`,
    markdown: readDocsFile(`${name}.md`).toString(),
  }));
}

/** The files of the pictures that guides show, which are in the folder `docs` as well. */
export function picturesIn(guides: readonly Source[]): string[] {
  const shown = guides.flatMap(({ markdown }) => [...markdown.matchAll(/!\[[^\]]*\]\(([\w-]+\.png)\)/g)]);
  return [...new Set(shown.map(([, name = '']) => name))];
}
