import { timestamp } from 'confab-contract/values/time.ts';
import { jsonString } from '../../kernel/json.ts';

/**
 * What the second form shows of a meeting. Its clients know three providers and nothing of others, so a meeting is shown as
 * one of them; the code, which stands below the name of the provider, says where it really is.
 */

/** The providers that clients of the second form know. */
export const shownProviders = ['zoom', 'google', 'microsoft'] as const;

/** The facts that it is made of; `shownAs` is the provider that was asked for. */
export type MeetingFacts = {
  readonly shownAs: string | null;
  readonly joinUrl: string;
  readonly createdAt: number;
};

/** The provider as clients see it. */
export function shownProvider({ shownAs }: Pick<MeetingFacts, 'shownAs'>): string {
  return shownAs ?? 'google';
}

/** What stands below the name of the provider. */
export function meetingCode(joinUrl: string): string {
  return joinUrl.replace(/^https?:\/\//, '');
}

/** The additional fields, to stand before the closing brace of a meeting. */
export function meetingFields({ joinUrl, createdAt }: MeetingFacts): string {
  return `,"code":${jsonString(meetingCode(joinUrl))},"created_at":"${timestamp(createdAt)}"`;
}
