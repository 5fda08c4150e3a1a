import { jsonString } from '../../kernel/json.ts';

/** What the second form shows of a user besides what the first form shows, without their name as they gave it. */

/** The facts that it is made of. */
export type UserFacts = {
  readonly displayName: string;
  readonly isBot: boolean;
  readonly directoryId: number | null;
};

/** The additional fields, to stand before the closing brace of a user. */
export function userFields({ displayName, isBot, directoryId }: UserFacts): string {
  const directories = directoryId === null ? '' : `{"id":${directoryId}}`;
  return `,"name":${jsonString(displayName)},"is_agent":${isBot},"directories":[${directories}]`;
}
