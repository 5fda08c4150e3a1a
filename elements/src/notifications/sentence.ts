import type { NotificationItem } from 'confab-client';
import type { Translate } from '../texts/texts.ts';

/** What a notification says, in the language of the page: the server says it in English, as one of a few templates. */

type Key = Parameters<Translate>[0];

/** The text of each template, without the place and the words that follow. */
const keys: Readonly<Record<string, Key>> = {
  'mentioned you': 'mentioned',
  'replied to your comment': 'repliedToYou',
  'reacted to your comment': 'reactedToYou',
  'reported a comment': 'reportedOne',
  'voted in your poll': 'votedForYou',
  'wrote to you': 'wroteToYou',
  wrote: 'wrote',
  posted: 'posted',
  'added a file': 'addedFile',
  'changed a file': 'changedFile',
  'resolved your thread': 'resolvedYours',
  'resolved the thread': 'resolvedOther',
  'reopened your thread': 'reopenedYours',
  'reopened the thread': 'reopenedOther',
};
const families: readonly (readonly [string, Key])[] = [
  ['reacted to ', 'reactedToOther'],
  ['reported ', 'reportedOther'],
  ['commented', 'commented'],
];

/** A notification in words, apart from the place and the beginning of the text that it is about. */
export type Sentence = {
  readonly words: string;
  readonly place: string | undefined;
  readonly excerpt: string | undefined;
};

/** Says a notification. One of a template that is not known here, of a later server, is said as the server does. */
export function sentenceOf({ template, args, plain }: NotificationItem, t: Translate): Sentence {
  if (/^A \w+ waits for approval( in \{0\})?$/.test(template))
    return { words: t('waitsForYou'), place: args[0], excerpt: undefined };
  const found = /^\{0\} (.*?)(?: in)?( \{1\})?(?:: \{(\d)\})?$/.exec(template);
  const [, phrase = '', place, excerpt] = found ?? [];
  const key = keys[phrase] ?? families.find(([start]) => phrase.startsWith(start))?.[1];
  if (key === undefined) return { words: plain, place: undefined, excerpt: undefined };
  return {
    words: t(key, { name: args[0] ?? '' }),
    place: place === undefined ? undefined : args[1],
    excerpt: excerpt === undefined ? undefined : args[Number(excerpt)],
  };
}
