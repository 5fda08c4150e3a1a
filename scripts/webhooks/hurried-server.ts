/**
 * A server whose clock is put forward from outside, so that the pauses of days between attempts pass in a moment. The
 * file named by the argument has by how many milliseconds; nothing but `npm run test:webhooks` starts it.
 */

import { existsSync, readFileSync } from 'node:fs';
import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/main.ts';

const lookMs = 20;

const [, , file = ''] = process.argv;
const forwardMs = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
let offsetMs = forwardMs();
setInterval(() => {
  offsetMs = forwardMs();
}, lookMs).unref();

const running = await startServer(readConfig(), { clock: { now: () => Date.now() + offsetMs } });
process.stdout.write(`A server in a hurry listens on ${running.url}\n`);
process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));
