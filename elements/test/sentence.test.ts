import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sentenceOf } from '../src/notifications/sentence.ts';
import { notificationsEnglish } from '../src/texts/notifications-english.ts';

const texts: Readonly<Record<string, unknown>> = notificationsEnglish;

/** What the bell says of a template of the server. */
function said(template: string, ...args: string[]) {
  const item = { template, args, plain: 'what the server says' };
  return sentenceOf(item as never, (key, values) =>
    String(texts[key]).replace('{name}', String(values?.name)),
  );
}

// The bell says in the language of the page what the server says in English, and says of no post that it is a comment.
describe('the sentence of a notification', () => {
  test('names a comment where it is about one', () => {
    assert.deepEqual(said('{0} reacted to your comment in {1}: {2}', 'Ada', 'Beans', 'Peas'), {
      words: 'Ada reacted to your comment',
      place: 'Beans',
      excerpt: 'Peas',
    });
    assert.equal(said('{0} reported a comment in {1}', 'Ada', 'Beans').words, 'Ada reported a comment');
  });

  test('names no comment where it is about something else', () => {
    assert.equal(
      said('{0} reacted to your post in {1}', 'Ada', 'Beans').words,
      'Ada reacted to what you wrote',
    );
    assert.equal(
      said('{0} reacted to your message: {1}', 'Ada', 'Peas').words,
      'Ada reacted to what you wrote',
    );
    assert.equal(said('{0} reported a post in {1}', 'Ada', 'Beans').words, 'Ada reported something');
  });

  test('says that a thread is resolved or open again, and whose it is', () => {
    assert.deepEqual(said('{0} resolved your thread in {1}: {2}', 'Ada', 'Beans', 'Peas'), {
      words: 'Ada resolved your thread',
      place: 'Beans',
      excerpt: 'Peas',
    });
    assert.equal(said('{0} resolved the thread in {1}', 'Ada', 'Beans').words, 'Ada resolved a thread');
    assert.equal(said('{0} reopened your thread', 'Ada').words, 'Ada reopened your thread');
    assert.equal(said('{0} reopened the thread: {1}', 'Ada', 'Peas').words, 'Ada reopened a thread');
  });

  test('says that something waits, and where', () => {
    assert.deepEqual(said('A comment waits for approval in {0}', 'Beans'), {
      words: 'Waiting for approval',
      place: 'Beans',
      excerpt: undefined,
    });
  });
});
