import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const built = join(import.meta.dirname, '../../src/http/elements/built');
/** What a reader loads, and what somebody loads who signs in and writes, in bytes with brotli. */
const readerMax = 15_000;
const writerMax = 35_000;
/** Parts that a writer does not load: those for moderators, of other elements, and all languages but one. */
const ofOthers = /^(?:moderation|others|notifications|reactions|texts-)/;

const sizeOf = (file: string) => brotliCompressSync(readFileSync(join(built, file))).length;

// Comments cost a page little.
describe('the size of the elements', () => {
  test('is within the budget', () => {
    const reader = sizeOf('elements.js');
    const parts = readdirSync(join(built, 'elements')).filter((name) => !ofOthers.test(name));
    const writer = parts.reduce((sum, name) => sum + sizeOf(`elements/${name}`), reader);
    console.log(`the elements: ${reader} bytes with brotli for a reader, ${writer} for a writer`);
    assert.ok(reader <= readerMax, `a reader loads ${reader} bytes`);
    assert.ok(writer <= writerMax, `a writer loads ${writer} bytes`);
  });
});
