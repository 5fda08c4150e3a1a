import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const built = join(import.meta.dirname, '../dist');
/**
 * What a reader loads, and what somebody loads who signs in and writes, in bytes with brotli. The hashes in the names of the
 * parts alone make some 40 bytes more or less.
 */
const readerMax = 16_300;
const writerMax = 36_800;
/** What `<confab-annotations>` takes beyond that for a reader. A thread is loaded when it is opened. */
const annotationsMax = 12_288;
/** The parts that somebody loads who signs in and writes, each with what it imports. */
const ofWriter = /^(?:account|keeping|sign-in|write)-/;
const importsOfPart = /(?:\bfrom|\bimport)"\.\/([\w-]+\.js)"/g;

const sizeOf = (file: string) => brotliCompressSync(readFileSync(join(built, file))).length;

// Comments cost a page little.
describe('the size of the elements', () => {
  test('is within the budget', () => {
    const reader = sizeOf('elements.js');
    const parts = new Set(readdirSync(join(built, 'elements')).filter((name) => ofWriter.test(name)));
    assert.equal(parts.size, 4);
    // What is added while a set is walked is walked as well.
    for (const name of parts) {
      const text = readFileSync(join(built, 'elements', name), 'utf8');
      for (const [, imported = ''] of text.matchAll(importsOfPart)) parts.add(imported);
    }
    const writer = [...parts].reduce((sum, name) => sum + sizeOf(`elements/${name}`), reader);
    console.log(`the elements: ${reader} bytes with brotli for a reader, ${writer} for a writer`);
    assert.ok(reader <= readerMax, `a reader loads ${reader} bytes`);
    assert.ok(writer <= writerMax, `a writer loads ${writer} bytes`);
  });

  test('of <confab-annotations> is within its budget', () => {
    const names = readdirSync(join(built, 'elements')).filter((name) =>
      /^(?:annotations|others)-/.test(name),
    );
    const size = names.reduce((sum, name) => sum + sizeOf(`elements/${name}`), 0);
    console.log(`<confab-annotations>: ${size} bytes with brotli for a reader`);
    assert.equal(names.length, 2);
    assert.ok(size <= annotationsMax, `${size} bytes`);
  });
});
