/**
 * A server that kills itself in the middle of its work: at a matching statement, or after its commit. Matching
 * statements are counted from the moment it listens. The arguments are the number of the statement, a regular
 * expression for its beginning, and `commit` for the commit.
 */

import { readSettings } from 'confab-server/src/config/config.ts';
import { startServer } from 'confab-server/src/main/main.ts';
import { wrapStore } from './harness/store-wrapper.ts';

const [, , count, beginning = '^(insert|update|delete)', moment] = process.argv;
const counted = new RegExp(beginning);
let left = Number(count);
let isCounting = false;

function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}

const running = await startServer(readSettings().config, {
  onStatement(sql) {
    if (!isCounting || !counted.test(sql)) return;
    left -= 1;
    if (left === 0 && moment !== 'commit') kill();
  },
  wrapDb: (db) =>
    wrapStore(db, {
      async write(written) {
        const value = await written;
        if (left <= 0) kill();
        return value;
      },
    }),
});
isCounting = true;
process.stdout.write(`${running.url}\n${running.firstKey ?? ''}\nready\n`);
