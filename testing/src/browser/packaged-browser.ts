import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { rootUrl } from 'confab-tools/places.ts';

/** The packed parts of the package `@sparticuz/chromium`: the program, the libraries it needs, and a font. */
const packed = path.join(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
/** Where they are unpacked, once; `npm ci` removes it with everything else. */
const unpacked = fileURLToPath(new URL('node_modules/.cache/confab-browser', rootUrl));

/** How the unpacked browser is started. */
export type PackagedBrowser = {
  readonly executablePath: string;
  readonly env: { readonly [name: string]: string };
};

/**
 * The Chromium that npm brings, which needs nothing of the machine but Linux on x64 with glibc 2.34. Several processes
 * may ask for it at once: each unpacks to a folder of its own, and the first one gives it its name. Throws an Error
 * where the program cannot run.
 */
export async function unpackBrowser(): Promise<PackagedBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`@sparticuz/chromium has no Chromium for ${process.platform} on ${process.arch}`);
  if (!existsSync(unpacked)) {
    await mkdir(path.dirname(unpacked), { recursive: true });
    const folder = await mkdtemp(`${unpacked}-`);
    await unpackInto(folder);
    // Made for its owner alone.
    await chmod(folder, 0o755);
    await rename(folder, unpacked).catch(async (error: NodeJS.ErrnoException) => {
      await rm(folder, { recursive: true });
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  return {
    executablePath: path.join(unpacked, 'chromium'),
    env: {
      HOME: unpacked,
      LD_LIBRARY_PATH: path.join(unpacked, 'lib'),
      FONTCONFIG_FILE: path.join(unpacked, 'fonts.conf'),
    },
  };
}

async function unpackInto(folder: string): Promise<void> {
  const program = path.join(folder, 'chromium');
  await writeFile(program, await decompress('chromium.br'));
  await chmod(program, 0o755);
  for (const archive of ['al2023.tar.br', 'fonts.tar.br'])
    for (const { name, bytes } of entriesOf(await decompress(archive))) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), bytes);
    }
  // The fonts of the machine, emoji among them, and the packaged one, so that there is one at all.
  const configuration = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir prefix="relative">fonts</dir><cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>`;
  await writeFile(path.join(folder, 'fonts.conf'), configuration);
}

async function decompress(name: string): Promise<Buffer> {
  return await promisify(brotliDecompress)(await readFile(path.join(packed, name)));
}

/** The files of a tar archive: blocks of 512 bytes, a header with the name and the octal size before each file. */
function* entriesOf(archive: Buffer): Generator<{ name: string; bytes: Buffer }> {
  const block = 512;
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const field = (start: number, length: number) =>
      archive
        .toString('latin1', at + start, at + start + length)
        .replace(/\0.*$/s, '')
        .trim();
    const [name, size, kind] = [field(0, 100), Number.parseInt(field(124, 12), 8), field(156, 1)];
    const start = at + block;
    if (kind === '0' || kind === '') yield { name, bytes: archive.subarray(start, start + size) };
    at = start + Math.ceil(size / block) * block;
  }
}
