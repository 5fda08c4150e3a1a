import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordingOf } from 'confab-server/src/features/notifications/notice.ts';
import { sentenceOf } from '../src/notifications/sentence.ts';
import { notificationsEnglish } from '../src/texts/notifications-english.ts';

const texts: Readonly<Record<string, unknown>> = notificationsEnglish;

/** What the bell says of what happened to an item of a type. */
function said(reason: 'reaction' | 'moderator' | 'held', type: 'comment' | 'post' | 'message') {
  const notice = { action: `${type}_created`, link: { type, id: 1 }, actorName: 'Ada' };
  const context = { appName: 'Beans', excerpt: reason === 'held' ? '' : 'Peas' };
  const { template, args } = wordingOf(notice as never, reason, context as never);
  const item = { template, args, plain: 'what the server says' };
  return sentenceOf(item as never, (key, values) =>
    String(texts[key]).replace('{name}', String(values?.name)),
  );
}

// The bell says in the language of the page what the server says in English, and says of no post that it is a comment.
describe('the sentence of a notification', () => {
  test('names a comment where it is about one', () => {
    assert.deepEqual(said('reaction', 'comment'), {
      words: 'Ada reacted to your comment',
      place: 'Beans',
      excerpt: 'Peas',
    });
    assert.equal(said('moderator', 'comment').words, 'Ada reported a comment');
  });

  test('names no comment where it is about something else', () => {
    assert.equal(said('reaction', 'post').words, 'Ada reacted to what you wrote');
    assert.equal(said('reaction', 'message').words, 'Ada reacted to what you wrote');
    assert.equal(said('moderator', 'post').words, 'Ada reported something');
  });

  test('says that something waits, and where', () => {
    assert.deepEqual(said('held', 'comment'), {
      words: 'Waiting for approval',
      place: 'Beans',
      excerpt: undefined,
    });
  });
});
