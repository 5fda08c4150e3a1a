import { timestamp } from 'confab-contract/values/time.ts';
import { listWithCount } from './list-with-count.ts';

/** What the second form shows of a file, a version of one or an attachment besides what the first form shows. */

/** The facts that it is made of; `updatedBy` is the rendered user. */
export type FileFacts = {
  readonly appId: number;
  readonly version: number;
  readonly updatedAt: number | null;
  readonly updatedBy: string | undefined;
};

/** The additional fields, to stand before the closing brace of a file. */
export function fileFields({ appId, version, updatedAt, updatedBy }: FileFacts): string {
  const at = updatedAt === null ? '' : `,"updated_at":"${timestamp(updatedAt)}"`;
  const by = updatedBy === undefined ? '' : `,"updated_by":${updatedBy}`;
  return `,"rev":${version},"app":{"id":${appId}}${at}${by},"is_starred":false`;
}

/** The comments on a file: how many there are, and none of them. */
export function commentsOfFile(count: number): string {
  return listWithCount(count, []);
}
