/**
 * A server that kills itself in the middle of its work: after a number of statements that begin in some way, counted
 * from when it listens. The arguments are that number and the beginning as a regular expression.
 */

import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/main.ts';

const [, , count, beginning = '^(insert|update|delete)'] = process.argv;
const counted = new RegExp(beginning);
let left = Number(count);
let isCounting = false;

const running = await startServer(readConfig(), {
  onStatement(sql) {
    if (!isCounting || !counted.test(sql)) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
isCounting = true;
process.stdout.write(`${running.url}\n${running.firstKey ?? ''}\nready\n`);
