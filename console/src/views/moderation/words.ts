import type { HeldItem, Report } from 'confab-client';
import { t } from './messages.ts';

/** Why something was reported. */
export function reasonName(reason: Report['reasons'][number]['reason']): string {
  return t(`reason_${reason}`);
}

/** Why something was reported, and by how many where that is more than one. */
export function reasonWords({ reason, count }: Report['reasons'][number]): string {
  return count > 1 ? t('reasonCount', { reason: reasonName(reason), count }) : reasonName(reason);
}

/** What was decided on a report. */
export function decisionName(action: NonNullable<Report['action']>): string {
  return t(`decided_${action}`);
}

/** What an item is; a kind that this console does not know stands as the server says it. */
export function kindName(type: string): string {
  return t(type as 'comment');
}

/** Why an item is held. */
export function heldWords({ reason, rules = [] }: HeldItem): string {
  if (reason === 'rule' && rules.length > 0) return t('heldByRules', { rules: rules.join(', ') });
  return t(`held_${reason}`);
}
