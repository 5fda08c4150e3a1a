import { createReadStream, readFileSync } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Problem } from 'confab-contract/problem.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { loadedOnce } from '../../kernel/loaded-once.ts';
import type { Log } from '../../kernel/log.ts';
import { createVariants } from '../answers/compression.ts';
import { type SharedAnswer, serveCached, sharedAnswer } from '../pages/once.ts';
import type { Http } from '../server.ts';
import type { Kit } from './installed.ts';

/**
 * The files of the reference client, the web components of `@weavy/uikit-web` ("the kit"), and the script that puts them
 * into a page. A bundled kit loads its editor, its languages and its PDF viewer from the server that it talks to.
 */

/** Where a kit asks for its files, and for those of its PDF viewer. */
const [kitPath, pdfPath] = ['/uikit-web', '/pdfjs'];

/** The types of all that is served. */
const types: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
  '.icc': 'application/vnd.iccprofile',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
};

/** What is served: each file under the address with the version and without, and what the PDF viewer loads. */
type Files = { readonly [path in 'kit' | 'pdf']: ReadonlyMap<string, SharedAnswer> };

/** A name with the hash of the content, as the bundler of newer versions gives: other content has another name. */
const hashedName = /-[\w-]{8}\.js$/;

const embedScript = readFileSync(new URL('./embed.js', import.meta.url), 'utf8');

/**
 * What the worker of the PDF viewer may do in pages of this server: it loads tables, fonts and decoders from beside itself,
 * and compiles the decoders. In pages of other origins the policy of the page holds instead.
 */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** For everything that pages of any origin load: it is the same for everyone and contains nothing confidential. */
const openHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Serves the kits below `/uikit-web/` and `/pdfjs/`, and `/embed.js`, which loads the first. Without kits all of these say
 * what to do, and the log does so once.
 */
export function bindKit(http: Http, { kits, log }: { kits: readonly Kit[]; log: Log }): void {
  if (kits.length === 0) log.warn({}, absent);
  // Found at the first request, because most servers start without one.
  const files = loadedOnce(() => filesOf(kits));
  for (const [place, which] of [
    [kitPath, 'kit'],
    [pdfPath, 'pdf'],
  ] as const)
    http.page(`${place}/*`, async ({ '*': path = '' }, raw) => {
      const file = (await files())[which].get(path);
      if (file === undefined) throw unknownFile(kits);
      return sharedAnswer(raw, file);
    });
  const [selected] = kits;
  const script = serveCached(() => ({
    status: 200,
    headers: {
      ...openHeaders,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
    },
    body: embedScript
      .replace('__KIT__', () => (selected === undefined ? '' : `${selected.version}/`))
      .replace('__PAGE_UID__', () => pageUid.toString()),
  }));
  http.page('/embed.js', async (_params, raw) => script(raw));
}

const absent =
  'The web components are not installed, so pages cannot load them from this server: run npm ci without --omit=dev, or use the built package.';
const forADay = 'public, max-age=86400';
const forGood = 'public, max-age=31536000, immutable';

function unknownFile(kits: readonly Kit[]): Problem {
  const versions = kits.map(({ version }) => version).join(' and ');
  const detail =
    kits.length === 0
      ? absent
      : `The web components of this server, versions ${versions}, have no such file.`;
  return new Problem('not_found', detail, { headers: openHeaders });
}

/**
 * Every file that may be served, by its path. Only these can be requested, so no path leads elsewhere. A name that several
 * kits have means, without a version, the file of the first of them.
 */
async function filesOf(kits: readonly Kit[]): Promise<Files> {
  const files = { kit: new Map<string, SharedAnswer>(), pdf: new Map<string, SharedAnswer>() };
  for (const { version, folder, pdfFolder } of kits) {
    for (const [path, file] of await filesIn(folder, version)) {
      files.kit.set(`${version}/${path}`, kept(file, forGood));
      if (!files.kit.has(path)) files.kit.set(path, kept(file, hashedName.test(path) ? forGood : forADay));
    }
    if (pdfFolder === undefined) continue;
    for (const [path, file] of await filesIn(pdfFolder, version))
      files.pdf.set(path, kept(path.endsWith('.mjs') ? withPolicy(file) : file, forADay));
  }
  return files;
}

/** The same file, with how long browsers and shared caches may keep it. */
function kept(file: SharedAnswer, cacheControl: string): SharedAnswer {
  return { ...file, headers: { ...file.headers, 'cache-control': cacheControl } };
}

function withPolicy(file: SharedAnswer): SharedAnswer {
  return { ...file, headers: { ...file.headers, 'content-security-policy': workerPolicy } };
}

async function filesIn(folder: string, version: string): Promise<[path: string, file: SharedAnswer][]> {
  const endings = Object.keys(types).map((extension) => extension.slice(1));
  const files: [string, SharedAnswer][] = [];
  for await (const path of glob(`**/*.{${endings.join()}}`, { cwd: folder, exclude: ['types/**'] }))
    files.push([path.replaceAll('\\', '/'), await fileAnswer(join(folder, path), version)]);
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
