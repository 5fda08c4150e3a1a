import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';

type Piece = { readonly text: string; readonly state: 'same' | 'added' | 'removed' };

// What an edit changed is shown by words: leaving out what was added gives the earlier text, and the other way round.
describe('the differences of two texts', () => {
  const compare = async (earlier: string, later: string): Promise<readonly Piece[]> => {
    // By a path that the compiler does not follow: the console has the types of a browser.
    const path = join(import.meta.dirname, '../src/views/content/words.ts');
    return (await import(path)).compareWords(earlier, later);
  };
  const textOf = (pieces: readonly Piece[], left: string) =>
    pieces.map(({ text, state }) => (state === left ? '' : text)).join('');

  test('are the words that were added and removed', async () => {
    assert.deepEqual(await compare('It opens in May, they say', 'It opens in late June, they say'), [
      { text: 'It opens in ', state: 'same' },
      { text: 'May', state: 'removed' },
      { text: 'late June', state: 'added' },
      { text: ', they say', state: 'same' },
    ]);
    assert.deepEqual(await compare('same', 'same'), [{ text: 'same', state: 'same' }]);
    assert.deepEqual(await compare('', 'all new'), [{ text: 'all new', state: 'added' }]);
  });

  test('give both texts back, also of long ones that are not compared word by word', async () => {
    const long = (word: string) => Array.from({ length: 8000 }, (_, index) => `${word}${index}`).join(' ');
    const pairs = [
      ['one two three two one', 'two one three one two one'],
      ['مرحبا بالجميع هنا', 'مرحبا بكم هنا'],
      [`begin ${long('a')} end`, `begin ${long('b')} end`],
    ];
    for (const [earlier = '', later = ''] of pairs) {
      const pieces = await compare(earlier, later);
      assert.equal(textOf(pieces, 'added'), earlier);
      assert.equal(textOf(pieces, 'removed'), later);
    }
  });
});
