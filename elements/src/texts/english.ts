import type { annotationsEnglish } from './annotations-english.ts';
import type { countEnglish } from './count-english.ts';
import type { editingEnglish } from './editing-english.ts';
import type { enlargedEnglish } from './enlarged-english.ts';
import type { extrasEnglish } from './extras-english.ts';
import type { moderateEnglish } from './moderate-english.ts';
import type { myDataEnglish } from './my-data-english.ts';
import type { notificationsEnglish } from './notifications-english.ts';
import type { permalinkEnglish } from './permalink-english.ts';
import type { pollingEnglish } from './polling-english.ts';
import type { presenceEnglish } from './presence-english.ts';
import type { previewingEnglish } from './previewing-english.ts';
import type { reactingEnglish } from './reacting-english.ts';
import type { signInEnglish } from './sign-in-english.ts';
import type { typingEnglish } from './typing-english.ts';
import type { unfoldingEnglish } from './unfolding-english.ts';
import type { writingEnglish } from './writing-english.ts';

/** The texts in English that a reader needs. Those of a part come with the part. */
export const english = {
  comments: { one: '{count} comment', other: '{count} comments' },
  empty: 'No comments yet.',
  heading: 'Comments',
  closed: 'Comments are closed.',
  sort: 'Sort by',
  newest: 'Newest',
  oldest: 'Oldest',
  liked: 'Top',
  more: 'More comments',
  moreAnswers: { one: 'Show {count} more reply', other: 'Show {count} more replies' },
  newAnswers: { one: '{count} new reply', other: '{count} new replies' },
  newComments: { one: '{count} new comment', other: '{count} new comments' },
  loading: 'Comments are loading',
  tryAgain: 'Try again',
  offline: 'You seem to be offline.',
  away: "Comments couldn't be loaded.",
  commentBy: 'Comment by {name}',
  answerBy: 'Reply by {name}',
  answersTo: 'replying to {name}',
  answers: { one: '{count} reply', other: '{count} replies' },
  someAnswers: 'Replies',
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
  typeof annotationsEnglish &
  typeof countEnglish &
  typeof enlargedEnglish &
  typeof editingEnglish &
  typeof extrasEnglish &
  typeof moderateEnglish &
  typeof myDataEnglish &
  typeof notificationsEnglish &
  typeof permalinkEnglish &
  typeof pollingEnglish &
  typeof presenceEnglish &
  typeof previewingEnglish &
  typeof reactingEnglish &
  typeof signInEnglish &
  typeof typingEnglish &
  typeof unfoldingEnglish &
  typeof writingEnglish;
