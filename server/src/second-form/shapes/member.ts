import { jsonString } from '../../kernel/json.ts';

/** What the second form shows of a member besides what the first form shows, and in its place. */

/** The additional fields, to stand before the closing brace of a member. */
export function memberFields({
  displayName,
  isBot,
}: {
  readonly displayName: string;
  readonly isBot: boolean;
}): string {
  return `,"name":${jsonString(displayName)},"is_agent":${isBot}`;
}

/** The access of a member, where `admin` is that of managers. */
export function memberAccess(access: string, role: string | null): string {
  return role === 'manager' && access === 'write' ? 'admin' : access;
}
