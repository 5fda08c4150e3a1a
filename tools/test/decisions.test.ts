import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const folder = 'docs/decisions';
const records = globSync('[0-9]*.md', { cwd: folder }).toSorted();
const index = readFileSync(path.join(folder, 'README.md'), 'utf8');

function titleOf(record: string): string {
  return /^# (.*)/.exec(readFileSync(path.join(folder, record), 'utf8'))?.[1] ?? '';
}

/** Each decision can be found by its subject: the index lists every record exactly once, with its title. */
describe('the index of the decisions', () => {
  it('lists every record exactly once, with its title', () => {
    const entries = [...index.matchAll(/^- \[(\d{4})\]\((.*?)\) (.*)$/gm)].map(([, number, file, title]) => ({
      file,
      title: `${number} ${title}`,
    }));
    assert.deepEqual(
      entries.toSorted((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1)),
      records.map((file) => ({ file, title: titleOf(file) })),
    );
  });

  it('has no record with the number of another', () => {
    const numbers = records.map((record) => record.slice(0, 4));
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });
});
