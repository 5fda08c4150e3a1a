import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { type ImportKind, importKinds } from '../../../src/contract/import-words.ts';
import { ImportError, type ImportFile } from '../../../src/features/imports/import-file.ts';
import { planImport } from '../../../src/features/imports/import-plan.ts';
import { readExport } from '../../../src/features/imports/reading/reading.ts';
import { exportOf, kindsOfImports } from '../../support/import-kinds.ts';

const read = async (kind: ImportKind, content: string | Uint8Array, site?: string): Promise<ImportFile> =>
  await readExport(kind, { name: 'export', site, bytes: Readable.from([Buffer.from(content)]) });

async function refusal(kind: ImportKind, content: string | Uint8Array): Promise<string> {
  const error = await read(kind, content).then(
    () => assert.fail('the file was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ImportError, String(error));
  return error.message;
}

const json = kindsOfImports.filter(({ file }) => file.endsWith('.json'));

// A file that is no export of its kind is refused with a sentence, whatever is wrong with it.
for (const { kind, ...expected } of kindsOfImports)
  describe(`a file that is no export of ${kind}`, () => {
    test('is an export of another system', async () => {
      for (const other of kindsOfImports)
        if (other.kind !== kind)
          assert.match(await refusal(kind, exportOf(other)), /^export.*: .*(?:is not|is a|are)/);
      assert.match(await refusal(kind, '<disqus xmlns="http://disqus.com"/>'), /^export/);
    });

    test('is empty', async () => {
      assert.equal(await refusal(kind, ''), 'export: the file is empty');
    });

    test('is cut off anywhere', async () => {
      const bytes = exportOf(expected);
      const whole = planImport(await read(kind, bytes, expected.site));
      for (let share = 1; share < 10; share += 1) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * share) / 10));
        const plan = await read(kind, cut, expected.site).then(planImport, (error: unknown) => error);
        // Of values one after the other nothing says how many there were.
        if (plan instanceof ImportError) continue;
        assert.ok((plan as typeof whole).report.found < whole.report.found, `cut at ${share}0 %`);
      }
    });
  });

// JSON is read with bounded memory and depth, and a fault names its place.
describe('a JSON file', () => {
  const faults: readonly (readonly [string, RegExp])[] = [
    ['  \n ', /^export: the file is empty$/],
    ['<a/>', /^export:1:1: the file is not JSON: it begins with "<"$/],
    ['nothing', /^export:1:1: the file is not JSON: it begins with "n"$/],
    ['[1,]', /^export:1:4: not valid JSON: "\]" is out of place$/],
    ['[1 2]', /^export:1:4: not valid JSON: "2" is out of place$/],
    ['{"a" 1}', /^export:1:6: not valid JSON: "1" is out of place$/],
    ['{a: 1}', /^export:1:2: not valid JSON: "a" is out of place$/],
    ['[}', /^export:1:2: not valid JSON: "}" is out of place$/],
    ['{"a": tru}', /not valid JSON/],
    ['{"a": "b\nc"}', /^export:1:9: not valid JSON: a text is not closed on its line$/],
    ['{"a": "\\x"}', /^export:1:1: not valid JSON: /],
    ['{"a":\n"b', /^export:2:3: the file is cut off$/],
    ['{"a": 1', /^export:1:8: the file is cut off$/],
    ['['.repeat(600), /^export:1:513: values nest deeper than 512$/],
    ['PK\u0003\u0004', /zip archive/],
    ['SQLite format 3\0', /is a SQLite database/],
  ];
  for (const [content, message] of faults)
    test(`is refused: ${JSON.stringify(content.slice(0, 20))}`, async () => {
      const error = await refusal('remark42', content);
      assert.match(error, message);
    });

  test('is refused where a record or a name has no end', { timeout: 120_000 }, async () => {
    const piece = 'a'.repeat(1024 * 1024);
    const endless = async (start: string) =>
      await readExport('remark42', {
        name: 'export',
        bytes: Readable.from(
          (function* () {
            yield Buffer.from(start);
            for (let count = 0; count < 100; count += 1) yield Buffer.from(piece);
          })(),
        ),
      }).then(
        () => assert.fail('the file was read'),
        ({ message }: Error) => message,
      );
    assert.equal(await endless('{"users":"'), 'export:1:1: a record has more than 32 million characters');
  });

  test('in another encoding is refused', async () => {
    assert.match(await refusal('remark42', Buffer.from('\uFEFF{}', 'utf16le')), /UTF-16/);
    assert.match(await refusal('remark42', Buffer.from('{"a":"é"}', 'latin1')), /not valid UTF-8/);
  });
});

// A record that cannot be read costs itself alone, and the report names it with its field.
describe('the records of an export', () => {
  /** A backup of Remark42 with comments that differ from a good one. */
  const backup = (...comments: readonly object[]) =>
    [
      { version: 1, users: [], posts: [] },
      ...comments.map((comment, index) => ({
        id: `id${index}`,
        pid: '',
        text: 'Words',
        user: { name: 'Ada', id: 'github_ada' },
        locator: { url: 'https://a.example/page' },
        time: '2020-05-01T10:00:00Z',
        ...comment,
      })),
    ]
      .map((value) => JSON.stringify(value))
      .join('\n');
  const planOf = async (...comments: readonly object[]) =>
    planImport(await read('remark42', backup(...comments)));

  test('are left out with their fault where a field has a wrong type', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ id: 1e300 }, 'the field id is no text or whole number below 2^53'],
      [{ id: 2 ** 53 }, 'the field id is no text or whole number below 2^53'],
      [{ text: 5 }, 'the field text is no text'],
      [{ user: [] }, 'the field user is no object'],
      [{ locator: 'https://a.example' }, 'the field locator is no object'],
      [{ time: 1e300 }, 'the field time is no date that exists'],
      [{ time: '2020-02-31T00:00:00Z' }, 'the field time is no date that exists'],
      [{ time: null }, 'the field time is no date that exists'],
      [{ delete: 'perhaps' }, 'the field delete is no true or false'],
    ];
    const { report } = await planOf({}, ...wrong.map(([comment]) => comment));
    assert.deepEqual([report.found, report.imported], [wrong.length + 1, 1]);
    assert.deepEqual(
      report.notes,
      wrong.map(([, cause], index) => {
        const number = index + 3;
        return `The comment number ${number}, which begins in line ${number}, is unreadable: ${cause}.`;
      }),
    );
    const { report: other } = planImport(await read('remark42', `${backup()}\n"text"\n[]\n7`));
    assert.deepEqual([other.found, other.leftOut], [3, { unreadable: 3 }]);
  });

  test('without an id get one that stays', async () => {
    const first = await planOf({ id: null }, { id: '', text: 'Other words' });
    assert.deepEqual(await planOf({ id: null }, { id: '', text: 'Other words' }), first);
    assert.equal(new Set(first.comments.map(({ sourceId }) => sourceId)).size, 2);
  });

  test('that answer themselves or each other in a circle begin threads', async () => {
    const { comments } = await planOf(
      { id: 'a', pid: 'a' },
      { id: 'b', pid: 'c' },
      { id: 'c', pid: 'b' },
      { id: 'd', pid: 'nowhere' },
    );
    assert.deepEqual(
      comments.map(({ sourceId, parentSourceId }) => [sourceId, parentSourceId]),
      [
        ['a.example/a', undefined],
        ['a.example/c', undefined],
        ['a.example/b', 'a.example/c'],
        ['a.example/d', undefined],
      ],
    );
  });

  test('keep their text free of characters that a database refuses', async () => {
    const { comments } = await planOf({ text: 'a\u0000b\ud800c\u0007d 𝄞' });
    assert.equal(comments[0]?.text, 'abcd 𝄞'.replace('c', '\uFFFDc'));
  });

  test('that come twice are imported once', async () => {
    const { report } = await planOf({ id: 'same' }, { id: 'same' });
    assert.deepEqual([report.imported, report.leftOut], [1, { duplicate: 1 }]);
  });
});

test('every system has an export among the tests', () => {
  const tested = new Set(['wordpress', 'disqus', ...kindsOfImports.map(({ kind }) => kind)]);
  assert.deepEqual([...tested].sort(), [...importKinds].sort());
  assert.ok(json.length > 0);
});
