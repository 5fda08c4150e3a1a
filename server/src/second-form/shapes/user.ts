import { type Json, json, jsonString } from '../../kernel/json.ts';

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

/** The card of a user whom only the server has: itself with the id 0, and with -1 whoever was deleted. */
export function userOfServer({ id, name }: { readonly id: 0 | -1; readonly name: string }): Json {
  const uid = id === 0 ? 'system' : 'deleted';
  return json(
    `{"id":${id},"uid":"${uid}","display_name":${jsonString(name)},"is_bot":false` +
      `${userFields({ displayName: name, isBot: false, directoryId: null })}}`,
  );
}
