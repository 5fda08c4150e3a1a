import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const built = join(import.meta.dirname, '../dist');
const bytesMax = 120_000;

// The console is there at once, also over a slow connection.
describe('the files of the console', () => {
  test('are at most 120 kB with gzip before the first view', () => {
    const sizes = ['console.js', 'console.css'].map(
      (name) => gzipSync(readFileSync(join(built, name))).length,
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`the console: ${sizes.join(' + ')} = ${total} bytes with gzip, of ${bytesMax}`);
    assert.ok(total <= bytesMax);
  });
});
