import { createReadStream, readFileSync, statSync } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from 'confab-contract/problem.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { loadedOnce } from '../../kernel/loaded-once.ts';
import type { Log } from '../../kernel/log.ts';
import { createVariants } from '../answers/compression.ts';
import { type SharedAnswer, serveCached, sharedAnswer } from '../pages/once.ts';
import type { Http } from '../server.ts';

/**
 * The files of the reference client, the web components of `@weavy/uikit-web` ("the kit"), and the script that puts them
 * into a page. A bundled kit loads its editor, its languages and its PDF viewer from the server that it talks to.
 */

/** The kit on this machine. */
export type Kit = {
  /** The folder with `weavy.esm.js`, `weavy.esm.bundle.js` and `es/`. */
  readonly folder: string;
  /** The version of the package, such as `21.1.2`. */
  readonly version: string;
};

/** Where the kit is brought in, under which address browsers ask for it. */
const kitPath = '/uikit-web';

const types: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

const embedScript = readFileSync(new URL('./embed.js', import.meta.url), 'utf8');

/** For everything that pages of any origin load: it is the same for everyone and contains nothing confidential. */
const openHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * The kit, or undefined where it is missing. In the package `confab-server` it is in `dist/uikit-web`, laid out like the
 * npm package (`package.json`, `LICENSE.md`, `dist/`); in a checkout it is the development dependency.
 */
export function findKit(): Kit | undefined {
  const packaged = fileURLToPath(new URL('../../uikit-web/', import.meta.url));
  return kitIn(packaged) ?? kitIn(installedFolder());
}

function kitIn(folder: string | undefined): Kit | undefined {
  if (folder === undefined) return undefined;
  const about = join(folder, 'package.json');
  if (statSync(about, { throwIfNoEntry: false }) === undefined) return undefined;
  return { folder: join(folder, 'dist'), version: JSON.parse(readFileSync(about, 'utf8')).version };
}

/** The folder of the npm package, whether it exists or not. */
function installedFolder(): string | undefined {
  try {
    // The package names no path of its own; this one is in its folder `dist`.
    return dirname(dirname(fileURLToPath(import.meta.resolve('@weavy/uikit-web/dist/weavy.js'))));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Serves the kit below `/uikit-web/`, and `/embed.js`. Without a kit both say what to do, and the log does so once. */
export function bindKit(http: Http, { kit, log }: { kit: Kit | undefined; log: Log }): void {
  if (kit === undefined) log.warn({}, absent);
  // Found at the first request, because most servers start without one.
  const files = loadedOnce(() => filesOf(kit));
  const version = kit === undefined ? undefined : `${kit.version}/`;
  http.page(`${kitPath}/*`, async ({ '*': path = '' }, raw) => {
    const isVersioned = version !== undefined && path.startsWith(version);
    const file = (await files()).get(isVersioned ? path.slice(version.length) : path);
    if (file === undefined) throw unknownFile(kit);
    const seconds = isVersioned ? `${yearSeconds}, immutable` : daySeconds;
    const answer = await sharedAnswer(raw, file);
    return { ...answer, headers: { ...answer.headers, 'cache-control': `public, max-age=${seconds}` } };
  });
  const script = serveCached(() => ({
    status: 200,
    headers: {
      ...openHeaders,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
    },
    body: embedScript
      .replace('__KIT__', () => version ?? '')
      .replace('__PAGE_UID__', () => pageUid.toString()),
  }));
  http.page('/embed.js', async (_params, raw) => script(raw));
}

const absent =
  'The web components are not installed, so pages cannot load them from this server: run npm ci without --omit=dev, or use the built package.';
const daySeconds = 86_400;
const yearSeconds = 31_536_000;

function unknownFile(kit: Kit | undefined): Problem {
  const detail =
    kit === undefined
      ? absent
      : `The web components of this server, version ${kit.version}, have no such file.`;
  return new Problem('not_found', detail, { headers: openHeaders });
}

/** Every file that may be served, by its path. Only these can be requested, so no path leads elsewhere. */
async function filesOf(kit: Kit | undefined): Promise<ReadonlyMap<string, SharedAnswer>> {
  const files = new Map<string, SharedAnswer>();
  if (kit === undefined) return files;
  for await (const path of glob('**/*.{js,json}', { cwd: kit.folder, exclude: ['types/**'] }))
    files.set(path.replaceAll('\\', '/'), await fileAnswer(join(kit.folder, path), kit.version));
  return files;
}

/** A file is kept in memory in its compressed forms, and streamed from the disk to clients that accept neither. */
async function fileAnswer(path: string, version: string): Promise<SharedAnswer> {
  const { size } = await stat(path);
  return {
    headers: {
      ...openHeaders,
      'content-type': types[extname(path)] ?? '',
      etag: `"${version}-${size}"`,
      vary: 'accept-encoding',
    },
    whole: () => createReadStream(path),
    packed: createVariants(() => readFile(path)),
  };
}
