import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fold } from '../../src/annotations/folded.ts';
import { makeQuote, placeQuotes, type Quote } from '../../src/annotations/place.ts';
import { alice, judge, makeCorpus, type Verdict } from './corpus.ts';

/** The words of a text at which a quote of another text is placed. */
async function wordsAt(before: string, quoted: string, now: string): Promise<string | undefined> {
  const start = before.indexOf(quoted);
  const [place] = await placeQuotes(now, [makeQuote(before, start, start + quoted.length)]);
  return place === undefined ? undefined : now.slice(place.start, place.end);
}

const road = 'The road goes ever on and on, down from the door where it began. Now far ahead it has gone.';

// A comment is shown at the words that it is about, or at none.
describe('the place of a quote', () => {
  test('is where it was, where nothing has changed', async () => {
    assert.equal(await wordsAt(road, 'down from the door', road), 'down from the door');
  });

  test('is found when the layout and the marks have changed', async () => {
    const now = road.replaceAll(' ', '\n  ').replace('door', 'do\u00ador').toUpperCase();
    assert.equal(fold((await wordsAt(road, 'down from the door', now)) ?? '').text, 'downfromthedoor');
    assert.equal(
      await wordsAt("He said 'so -- and so' to me.", "'so -- and so'", 'He said ‘so –– and so’ to me.'),
      '‘so –– and so’',
    );
  });

  test('is found when the words around it have changed', async () => {
    assert.equal(
      await wordsAt(road, 'down from the door', 'A path leads down from the door of the inn.'),
      'down from the door',
    );
  });

  test('grows and shrinks with what is written into it', async () => {
    const now = road.replace('from the', 'slowly, from the old green');
    assert.equal(await wordsAt(road, 'down from the door', now), 'down slowly, from the old green door');
    assert.equal(
      await wordsAt(road, 'ever on and on, down from the door', road.replace('and on, down ', '')),
      'ever on from the door',
    );
  });

  test('is the one of several that its context names', async () => {
    const before =
      'First the red house and the garden. Then the red house and the river. Last the red house.';
    const now = before.replace('First the red house and the garden. ', '');
    const start = before.indexOf('the red house and the river');
    const [place] = await placeQuotes(now, [makeQuote(before, start, start + 'the red house'.length)]);
    assert.equal(place?.start, now.indexOf('the red house and the river'));
  });

  test('is gone where its words are, however alike others are', async () => {
    assert.equal(
      await wordsAt(road, 'down from the door', road.replace(', down from the door', '')),
      undefined,
    );
    assert.equal(await wordsAt(road, 'road', 'Something else stands here.'), undefined);
    assert.equal(await wordsAt(road, 'road', ''), undefined);
  });

  test('is nowhere for a quote without words', async () => {
    const quote: Quote = { exact: ' \n ', prefix: 'a', suffix: 'b', hint: 0 };
    assert.deepEqual(await placeQuotes('a b', [quote]), [undefined]);
  });

  test('costs no more in a text that is all alike', async () => {
    const text = '0'.repeat(200_000);
    const quote = { exact: `${'0'.repeat(2000)}1${'0'.repeat(2000)}`, prefix: '1', suffix: '2', hint: 5 };
    const begun = performance.now();
    await placeQuotes(text, Array(50).fill(quote));
    assert.ok(performance.now() - begun < 5000);
  });
});

// Quotes are found again after a page has been edited: more of them than other programs find, and none in a wrong place.
describe('the corpus of quotes', () => {
  test('has a thousand, of which none is placed wrongly', async () => {
    const counts: Record<Verdict, number> = { found: 0, partly: 0, wrong: 0, missed: 0, gone: 0 };
    const folded = fold(alice);
    for (const revision of makeCorpus(53)) {
      const quotes = revision.cases.map(({ start, end }) => makeQuote(alice, start, end, folded));
      const places = await placeQuotes(revision.text, quotes);
      for (const [at, each] of revision.cases.entries()) counts[judge(revision, each, places[at])] += 1;
    }
    console.log(`of 1,000 quotes: ${JSON.stringify(counts)}`);
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count),
      1000,
    );
    assert.equal(counts.wrong, 0);
    assert.ok(counts.found >= foundMin, `${counts.found} were found`);
  });
});

/** What Hypothesis finds of the same quotes (0189). */
const foundMin = 904;
