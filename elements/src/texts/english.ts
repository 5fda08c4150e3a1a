import type { extrasEnglish } from './extras-english.ts';
import type { moderateEnglish } from './moderate-english.ts';
import type { notificationsEnglish } from './notifications-english.ts';
import type { permalinkEnglish } from './permalink-english.ts';
import type { presenceEnglish } from './presence-english.ts';
import type { signInEnglish } from './sign-in-english.ts';
import type { typingEnglish } from './typing-english.ts';
import type { unfoldingEnglish } from './unfolding-english.ts';
import type { writingEnglish } from './writing-english.ts';

/** The texts in English that a reader needs. Those of a part come with the part. */
export const english = {
  comments: { one: '{count} comment', other: '{count} comments' },
  noComments: 'No comments',
  empty: 'Nobody has commented yet.',
  heading: 'Comments',
  closed: 'Comments are closed.',
  sort: 'Order',
  newest: 'Newest',
  oldest: 'Oldest',
  liked: 'Most reactions',
  more: 'More comments',
  moreAnswers: { one: '{count} more answer', other: '{count} more answers' },
  newAnswers: { one: '{count} new answer', other: '{count} new answers' },
  newComments: { one: '{count} new comment', other: '{count} new comments' },
  loading: 'Comments are loading',
  tryAgain: 'Try again',
  offline: 'There is no connection to the internet.',
  away: 'The comments cannot be reached.',
  wrong: 'The comments could not be loaded.',
  commentBy: 'Comment by {name}',
  answerBy: 'Answer by {name}',
  answersTo: 'in answer to {name}',
  answers: { one: '{count} answer', other: '{count} answers' },
  edited: 'edited',
  editedAt: 'Edited {time}',
  removed: 'This comment has been removed.',
  moderator: 'moderator',
  guest: 'guest',
  bot: 'bot',
  unknown: 'Unknown',
  reactions: 'Reactions',
  reacted: { one: '{emoji}: {count} person', other: '{emoji}: {count} people' },
  justNow: 'just now',
  write: 'Write a comment',
  answer: 'Reply',
  react: 'React',
  moreActions: 'More',
  signIn: 'Sign in',
} satisfies Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;

/** All texts, with which a translation is compared. */
export type English = typeof english &
  typeof extrasEnglish &
  typeof moderateEnglish &
  typeof notificationsEnglish &
  typeof permalinkEnglish &
  typeof presenceEnglish &
  typeof signInEnglish &
  typeof typingEnglish &
  typeof unfoldingEnglish &
  typeof writingEnglish;
