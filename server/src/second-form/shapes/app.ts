import { timestamp } from 'confab-contract/values/time.ts';
import { type Json, jsonString } from '../../kernel/json.ts';

/** What the second form shows of an app besides what the first form shows, without its name as it was given. */

/** The facts that it is made of: `name` is the name to show, and `updatedBy` the rendered user. Times are Unix milliseconds. */
export type AppFacts = {
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly updatedBy: Json | undefined;
  readonly lastMessageId: number | null;
};

/** The additional fields, to stand before the closing brace of an app. */
export function appFields({ name, createdAt, updatedAt, updatedBy, lastMessageId }: AppFacts): string {
  const at = updatedAt === null ? '' : `,"updated_at":"${timestamp(updatedAt)}"`;
  const by = updatedBy === undefined ? '' : `,"updated_by":${updatedBy}`;
  // It only has to grow with each change and each message, which both parts do.
  const revision = (updatedAt ?? createdAt) + (lastMessageId ?? 0);
  return `,"name":${jsonString(name)},"rev":${revision}${at}${by}`;
}
