import { Readable } from 'node:stream';
import { exportOperations } from 'confab-contract/exports.ts';
import { Problem } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { type ExportParts, exportOf } from './exports.ts';

/** The most exports that one node sends at a time: each takes some memory for as long as its client reads. */
const runningMax = 4;

/** The dependencies of the operation; `exporting` has the users whose exports this node is sending. */
type Parts = ExportParts & { readonly exporting: Set<number> };

/** The archive of a user. A HEAD request reads nothing. One of each user is enough, so none takes the turns of others. */
export const exportUser = handler(exportOperations.exportUser, async (call, parts: Parts) => {
  const { on: user, caller, raw } = call;
  const { exporting } = parts;
  const headers = {
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename="user-${user.id}.tar"`,
    'cache-control': 'no-store',
  };
  if (raw.method === 'HEAD') return { status: 200, headers, body: '' };
  if (exporting.has(user.id)) throw new Problem('too_busy', 'An export of this user is already running.');
  if (exporting.size >= runningMax) throw new Problem('too_busy', 'Too many exports are running.');
  exporting.add(user.id);
  const by = { callerId: caller.user.id, prove: raw.prove };
  const body = Readable.from(exportOf(parts, user, by), { objectMode: false });
  body.once('close', () => exporting.delete(user.id));
  return { status: 200, headers, body };
});
