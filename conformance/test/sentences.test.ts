import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { checks, fields, operations, type Quote, sentences } from '../index.js';

// A finding is as good as the sentence that it quotes.
describe('the sentences of the conformance kit', () => {
  test('are the rows of the operations, which say what our own list says', () => {
    assert.deepEqual(
      operations,
      specifiedOperations.map(({ id, method, path, success, errors }) => ({
        ...{ id, method, path },
        statuses: [...success, ...errors],
      })),
    );
  });

  test('are each quoted by a check, and no check quotes another', () => {
    const quoted = new Set(checks.map(({ quote }) => quote.text));
    const known = new Set(sentences.map(({ text }) => text));
    assert.deepEqual(
      [...known].filter((text) => !quoted.has(text)),
      [],
    );
    assert.deepEqual(
      [...quoted].filter((text) => !known.has(text)),
      [],
    );
  });

  test('belong to checks with names of their own', () => {
    const ids = checks.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    );
    assert.deepEqual(
      checks.filter(({ id, area }) => !id.startsWith(`${area}.`)),
      [],
    );
  });

  const record = readFileSync(
    new URL('../../docs/decisions/0180-a-second-form-of-the-interface.md', import.meta.url),
    'utf8',
  );
  test('about the second form stand in its record', () => {
    const about = sentences.filter(({ section }) => section === 'A second form of the interface');
    assert.equal(about.length, 4);
    assert.deepEqual(
      about.filter(({ text }) => !record.includes(text)),
      [],
    );
  });

  // The texts are not part of the repository; who has them names their folder.
  const folder = process.env.CONFAB_SPECIFICATION;
  if (folder !== undefined)
    test('stand in the specification and the decisions, word for word', () => {
      const said = readFileSync(`${folder}/specification.md`, 'utf8');
      const settled = readFileSync(`${folder}/decisions.md`, 'utf8') + record;
      const isThere = ({ text, isDecision }: Quote) => (isDecision ? settled : said).includes(text);
      assert.deepEqual(
        [...sentences, ...fields].filter((quote) => !isThere(quote)),
        [],
      );
    });
});
