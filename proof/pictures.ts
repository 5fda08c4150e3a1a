/**
 * Measures the memory and time of the process for pictures that are designed to be expensive: `npx node proof/pictures.ts`.
 * A separate process shrinks each to a preview, once with the limits of the server and once without. Needs Linux, which
 * reports the memory of a process in /proc.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodedMax } from 'confab-server/src/features/media/file-kinds.ts';
import type { PictureJob, PictureReply } from 'confab-server/src/workers/picture-process.ts';
import { emptyPng } from 'confab-testing/harness/empty-png.ts';
import { peakMemoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { rootUrl } from 'confab-tools/places.ts';
import sharp from 'sharp';

using folder = temporaryFolder('pictures');
const target = join(folder.path, 'target');
const withoutLimits = { pixels: 2 ** 40, side: 2 ** 31 };

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
  ['PNG, 7000 × 7000', () => emptyPng(7000, 7000)],
  ['PNG, 16384 × 3051', () => emptyPng(16_384, 3051)],
  ['PNG, interlaced, 7000 × 7000', () => emptyPng(7000, 7000, { isInterlaced: true })],
  ['PNG, interlaced, 16384 × 3051', () => emptyPng(16_384, 3051, { isInterlaced: true })],
  ['PNG, 65535 × 762', () => emptyPng(65_535, 762)],
  ['PNG, 700000 × 70', () => emptyPng(700_000, 70)],
];

async function replyOf(child: ChildProcess): Promise<PictureReply> {
  const [reply] = await once(child, 'message');
  return reply as PictureReply;
}

async function measure(source: string, sourceMax: PictureJob['sourceMax']): Promise<string> {
  const module = new URL('server/src/workers/picture-process.ts', rootUrl);
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

console.log('| Picture | File | Without limits | With the limits of its sides and area |\n|---|---|---|---|');
for (const [what, make] of pictures) {
  const source = join(folder.path, 'source');
  writeFileSync(source, await make());
  const kilobytes = Math.round(statSync(source).size / 1000);
  const [free, bound] = [await measure(source, withoutLimits), await measure(source, decodedMax)];
  console.log(`| ${what} | ${kilobytes} KB | ${free} | ${bound} |`);
}
