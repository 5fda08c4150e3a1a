import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { databaseOf, exportOf, kindsOfImports } from 'confab-testing/import-kinds.ts';
import { read, readBytes, refusal, refusalOf } from 'confab-testing/reading.ts';
import { wrongKinds, wrongSizes } from 'confab-testing/wrong-exports.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

// A file that is no export of its kind is refused with a sentence, whatever is wrong with it.
for (const { kind } of kindsOfImports)
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
  });

test('of Commento and Comentario name each other', async () => {
  assert.match(await refusal('commento', fixture('comentario.json')), /it is an export of Comentario/);
  assert.match(await refusal('comentario', fixture('commento.json')), /import it as one of Commento/);
  assert.match(await refusal('commento', '{"version":1}'), /it has no list "comments"/);
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
      assert.match(await refusal('remark42', content), message);
    });

  test('is refused where a record or a name has no end', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a');
    let pieces = 0;
    function* endless() {
      yield Buffer.from('{"users":"');
      for (; pieces < 100; pieces += 1) yield piece;
    }
    const { message } = await refusalOf(readBytes('remark42', Readable.from(endless())));
    assert.equal(message, 'export:1:1: a record has more than 32 million characters');
    assert.ok(pieces < 40, `${pieces} MiB were read`);
  });

  test('in another encoding is refused', async () => {
    assert.match(await refusal('remark42', Buffer.from('\uFEFF{}', 'utf16le')), /UTF-16/);
    assert.match(await refusal('remark42', Buffer.from('{"a":"é"}', 'latin1')), /not valid UTF-8/);
  });
});

// A file of XML that cannot be read as a whole is refused with one sentence that names the place.
describe('an XML file', () => {
  const refusalText = async (content: string | Uint8Array, kind: 'disqus' | 'wordpress' = 'disqus') =>
    (await refusal(kind, content)).replace('export', '');
  const disqus = (content: string): string =>
    `<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">\n${content}</disqus>`;

  test('is empty', async () => assert.equal(await refusalText(''), ': the file is empty'));

  test('is text', async () =>
    assert.equal(await refusalText('{"comments": []}'), ':1:1: the file is not XML: it begins with "{"'));

  test('is a web page', async () =>
    assert.match(await refusalText('<!DOCTYPE html><p>Hi'), /^:1:\d+: .*document type/));

  test('is cut off', async () =>
    assert.equal(
      await refusalText(disqus('<post>\n<message>Hel').slice(0, -'</disqus>'.length)),
      ':3:12: the file is cut off inside <disqus><post><message>',
    ));

  test('is cut off inside a character', async () => {
    const bytes = new TextEncoder().encode('<disqus xmlns="http://disqus.com">é');
    assert.match(await refusalText(bytes.subarray(0, -1)), /ends in the middle of a character/);
  });

  test('is an export of another kind', async () => {
    const wordpress = `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel/></rss>`;
    assert.match(
      await refusalText(wordpress),
      /^:1:\d+: this is a feed or an export of WordPress, not of Disqus/,
    );
    assert.match(await refusalText(disqus(''), 'wordpress'), /this is an export of Disqus, not of WordPress/);
  });

  test('is a feed or a WordPress export of an unknown version', async () => {
    assert.match(await refusalText('<rss version="2.0"><channel/></rss>', 'wordpress'), /this is a feed/);
    const future = '<rss xmlns:wp="http://wordpress.org/export/9.0/"><channel/></rss>';
    assert.match(await refusalText(future, 'wordpress'), /does not declare WXR 1\.0, 1\.1 or 1\.2/);
  });

  test('is XML of any other kind', async () => {
    assert.match(await refusalText('<feed/>'), /begins with <feed>/);
    assert.match(await refusalText('<feed/>', 'wordpress'), /begins with <feed>/);
  });

  test('defines entities', async () =>
    assert.match(
      await refusalText(`<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${disqus('')}`),
      /document type declaration/,
    ));

  test('has broken markup outside of a comment', async () =>
    assert.equal(
      await refusalText(disqus('<thread dsq:id=1></thread>')),
      ':2:16: not well-formed XML: unquoted attribute value',
    ));

  test('has a comment that does not end', async () =>
    assert.match(
      await refusalText(disqus('<post><message>a</message>\n<post></post></post>')),
      /^:3:6: <post> begins before the one of line 2 has ended/,
    ));

  test('has broken markup in a comment that could swallow the next comment', async () => {
    const posts = '<post><message>a & b</message></post><post><message>c; d</message></post>';
    assert.match(await refusalText(disqus(posts)), /disallowed character in entity name/);
  });

  test('nests without end', async () =>
    assert.match(await refusalText(disqus('<a>'.repeat(70))), /nest deeper than 64/));

  test('is in another encoding', async () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${disqus('é')}`, 'latin1');
    assert.match(await refusalText(latin), /declares the encoding "ISO-8859-1"/);
    assert.match(
      await refusalText(Buffer.from(disqus('é'), 'latin1')),
      /^:2:1: the file is not valid UTF-8 here/,
    );
    assert.match(await refusalText(Buffer.from(`\uFEFF${disqus('')}`, 'utf16le')), /UTF-16/);
    assert.match(await refusalText(Buffer.from([0x1f, 0x8b, 8, 0])), /packed file is cut off/);
    assert.match(await refusalText(Buffer.from('PK\x03\x04')), /zip archive: unpack it/);
  });

  test('is read despite a byte order mark, control characters and chunk borders', async () => {
    const post = (id: number): string =>
      `<post dsq:id="${id}"><message>é\u0008𝄞 ${'ü'.repeat(70)}</message><createdAt>2013-10-10T19:20:29Z</createdAt></post>\n`;
    const posts = Array.from({ length: 2000 }, (_, index) => post(index)).join('');
    const bytes = Buffer.from(`\uFEFF${disqus(posts)}`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, at) =>
      bytes.subarray(at * 65_537, (at + 1) * 65_537),
    );
    const file = await readBytes('disqus', Readable.from(chunks));
    assert.equal(file.comments.length, 2000);
    assert.ok(file.comments.every(({ text }) => text === `é𝄞 ${'ü'.repeat(70)}`));
    assert.deepEqual(file.notes, ['Dropped 2000 control characters that XML forbids.']);
  });

  // The memory of a reader does not grow with one field of a file.
  const item = `<item><title>Peas</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>
    <wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>`;
  const head = `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item}`;
  const chunk = 'x'.repeat(64 * 1024);
  const endless: readonly (readonly [string, string])[] = [
    ['in one piece', chunk],
    ['in pieces', `<![CDATA[${chunk}]]>`],
  ];
  for (const [what, part] of endless)
    test(`with a text that has no end is refused with the field where it is ${what}`, async () => {
      let sent = 0;
      async function* bytes() {
        yield Buffer.from(head);
        for (; sent < 200 * 1024 * 1024; sent += part.length) yield Buffer.from(part);
      }
      const { sentence } = await refusalOf(readBytes('wordpress', bytes()));
      assert.match(
        sentence,
        /^<wp:comment_content> of the record that begins in line 2 has more than 32 million/,
      );
      assert.ok(sent < 40 * 1024 * 1024, `${sent} characters were read`);
    });
});

// A packed file unpacks to no more than an export would.
describe('a packed file', () => {
  test('may have several parts, as tools that pack in parallel write them', async () => {
    const bytes = Buffer.from(disqusExport(300));
    const parts = [bytes.subarray(0, 10_000), bytes.subarray(10_000)].map((part) => gzipSync(part));
    assert.equal((await read('disqus', Buffer.concat(parts))).comments.length, 300);
  });

  test('that is a bomb is refused before it has been unpacked', async () => {
    const start = '<disqus xmlns="http://disqus.com">';
    const bomb = gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(64 * 1024 * 1024, ' ')]));
    assert.ok(bomb.length < 100_000);
    assert.equal(
      await refusal('disqus', bomb),
      'export: the file unpacks to more than 100 times its size, as no export does',
    );
  });

  test('that is packed twice is refused', async () => {
    const twice = gzipSync(gzipSync(disqusExport(1)));
    assert.match(await refusal('disqus', twice), /the file is packed twice: unpack it with gunzip first/);
  });
});

// A database is read as data: nothing that it defines is run.
describe('a database that is none of Isso', () => {
  const tables = fixture('isso.sql');
  const columns = 'id, parent, created, mode, text, author, email, website';
  const threads = 'create table threads (id integer, uri text, title text)';
  const computed = columns.replace('text', 'text generated always as (upper(author)) virtual');
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['has other tables', 'create table notes (id integer)', /it has no table threads/],
    [
      'has a view of that name',
      `${tables}; alter table comments rename to real; create view comments as select * from real`,
      /comments is no plain table/,
    ],
    [
      'has a virtual table of that name',
      `${threads}; create virtual table comments using fts5(tid, ${columns})`,
      /comments is no plain table/,
    ],
    ['has a computed column', `${threads}; create table comments (tid, ${computed})`, /no plain column text/],
    ['lacks a column', 'create table threads (id integer, uri text)', /no plain column title/],
  ];
  for (const [what, statements, message] of cases)
    test(what, async () => assert.match(await refusal('isso', databaseOf(statements)), message));

  test('is damaged', async () => {
    const bytes = exportOf({ file: 'isso.sql' });
    bytes.fill(0xff, 4096);
    assert.match(await refusal('isso', bytes), /SQLite cannot read it/);
    assert.match(await refusal('isso', 'SQLite format 3\0 and no more'), /this is not a database of Isso/);
  });
});

// Whatever kind and size a wrong file has, its bytes are let go.
describe('a wrong file', () => {
  for (const [kind, { bytes, says }] of Object.entries(wrongKinds))
    test(`of the kind "${kind}" is refused in each of ${wrongSizes.length} sizes`, async () => {
      for (const size of wrongSizes) {
        const stream = Readable.from(pieces(bytes(size)));
        const closed = new Promise<void>((resolve) => {
          stream.once('close', resolve);
        });
        const { message } = await refusalOf(readBytes('disqus', stream));
        if (size > 1024) assert.match(message, says, `${size} bytes`);
        await closed;
      }
    });
});

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
