/**
 * How much memory and time the process for pictures takes for pictures that are made to cost much: `npm run
 * bench:pictures`. Each is shrunk to a preview by a process of its own, once with the limits of the server and once
 * with none. Needs Linux, which tells the memory of a process in /proc.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, createDeflate } from 'node:zlib';
import sharp from 'sharp';
import { decodedMax } from '../src/features/media/file-kinds.ts';
import type { PictureJob, PictureReply } from '../src/workers/picture-process.ts';
import { peakMemoryMbOf } from './harness/process-usage.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-pictures-'));
const target = join(folder, 'target');
const withoutLimits = { pixels: 2 ** 40, side: 2 ** 31 };

/** The passes of an interlaced PNG: where each begins and how far apart its pixels are (PNG specification, section 8). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A black PNG of 16 bits with alpha, which is small as a file and large in memory. */
async function png(width: number, height: number, isInterlaced: boolean): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => void parts.push(part));
  const shapes = isInterlaced
    ? passes.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)] as const)
    : ([[width, height]] as const);
  for (const [columns, rows] of shapes) {
    const row = Buffer.alloc(1 + columns * 8);
    for (let i = 0; i < rows; i += 1) if (!deflate.write(row)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0, 0, isInterlaced ? 1 : 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.concat(parts)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function plain(width: number, height: number) {
  const background = { r: 10, g: 200, b: 30, alpha: 0.5 };
  return sharp({ create: { width, height, channels: 4, background }, limitInputPixels: false });
}

const pictures: readonly [what: string, make: () => Promise<Buffer>][] = [
  ['JPEG, 7000 × 7000', () => plain(7000, 7000).jpeg().toBuffer()],
  ['JPEG, progressive, 7000 × 7000', () => plain(7000, 7000).jpeg({ progressive: true }).toBuffer()],
  [
    'JPEG, progressive, whole colours, 7000 × 7000',
    () => plain(7000, 7000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  ],
  ['WebP, 16383 × 3051', () => plain(16_383, 3051).webp({ effort: 0 }).toBuffer()],
  ['GIF, 16384 × 3051', () => plain(16_384, 3051).gif({ effort: 1 }).toBuffer()],
  ['PNG, 7000 × 7000', () => png(7000, 7000, false)],
  ['PNG, 16384 × 3051', () => png(16_384, 3051, false)],
  ['PNG, interlaced, 7000 × 7000', () => png(7000, 7000, true)],
  ['PNG, interlaced, 16384 × 3051', () => png(16_384, 3051, true)],
  ['PNG, 65535 × 762', () => png(65_535, 762, false)],
  ['PNG, 700000 × 70', () => png(700_000, 70, false)],
];

async function replyOf(child: ChildProcess): Promise<PictureReply> {
  const [reply] = await once(child, 'message');
  return reply as PictureReply;
}

async function measure(source: string, sourceMax: PictureJob['sourceMax']): Promise<string> {
  const module = new URL('../src/workers/picture-process.ts', import.meta.url);
  const child = fork(module, { env: {}, execArgv: ['--max-old-space-size=64'] });
  await replyOf(child);
  const begun = performance.now();
  child.send({ source, target, sideMax: 2048, sourceMax });
  const { state } = await replyOf(child);
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = peakMemoryMbOf(child.pid ?? 0) ?? 0;
  child.kill('SIGKILL');
  return `${state}, ${Math.round((megabytes * 1e6) / 1024 / 1024)} MiB, ${seconds.toFixed(1)} s`;
}

try {
  console.log(
    '| Picture | File | Without limits | With the limits of its sides and area |\n|---|---|---|---|',
  );
  for (const [what, make] of pictures) {
    const source = join(folder, 'source');
    writeFileSync(source, await make());
    const kilobytes = Math.round(statSync(source).size / 1000);
    const [free, bound] = [await measure(source, withoutLimits), await measure(source, decodedMax)];
    console.log(`| ${what} | ${kilobytes} KB | ${free} | ${bound} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
