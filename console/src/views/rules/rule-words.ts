import type { Rule } from 'confab-client';
import { t } from './messages.ts';

/** How many words of a rule are shown in its list. */
const wordsShown = 20;

/** What a rule looks for, in a sentence. */
export function conditionWords({ words, pattern, links_max, equal_texts: equal, rate }: Rule): string {
  if (words !== undefined) {
    const rest = words.length - wordsShown;
    const shown = words.slice(0, wordsShown).join(', ');
    return t('condWords', { words: rest > 0 ? `${shown} … +${rest}` : shown });
  }
  if (pattern !== undefined) return t('condPattern');
  if (links_max !== undefined) return t('condLinks', { count: links_max });
  if (equal !== undefined)
    return t(equal.of === 'user' ? 'condEqualUser' : 'condEqualEveryone', {
      count: equal.count,
      time: duration(equal.seconds),
    });
  return rate === undefined ? '' : t('condRate', { count: rate.count, time: duration(rate.seconds) });
}

/** Whom and what a rule is limited to, in a sentence. */
export function limitWords({ newcomer_hours: hours, only_open_apps: isOpenOnly }: Rule): string {
  const limits = [
    ...(hours === undefined ? [] : [t('limitNewcomers', { count: hours })]),
    ...(isOpenOnly === true ? [t('limitOpen')] : []),
  ];
  return limits.length === 0 ? t('limitNone') : limits.join(' ');
}

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return t('hours', { count: seconds / 3600 });
  return seconds % 60 === 0 ? t('minutes', { count: seconds / 60 }) : t('seconds', { count: seconds });
}
