import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConfabOptions,
  type ConfabProcess,
  startConfab,
} from 'confab-testing/harness/confab-process.ts';
import { probeVariable } from './probe.ts';

/** Starts a server that reports on the socket `probePath` what it uses. */
export async function startProbed(probePath: string, options: ConfabOptions): Promise<ConfabProcess> {
  rmSync(probePath, { force: true });
  return await startConfab({
    ...options,
    nodeArguments: ['--import', join(import.meta.dirname, 'probe.ts')],
    settings: {
      CONFAB_LOG_LEVEL: 'error',
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      ...options.settings,
      [probeVariable]: probePath,
    },
  });
}
