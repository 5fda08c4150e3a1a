import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import type { ImportKind } from '../../../src/contract/import-words.ts';
import { ImportError } from '../../../src/features/imports/import-file.ts';
import { planImport } from '../../../src/features/imports/import-plan.ts';
import { readExport } from '../../../src/features/imports/reading/reading.ts';
import { databaseOf, exportOf } from '../../support/import-kinds.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/imports/${name}`, import.meta.url), 'utf8');
const planOf = async (kind: ImportKind, content: string | Uint8Array, site?: string) =>
  planImport(await readExport(kind, { name: 'export', site, bytes: Readable.from([Buffer.from(content)]) }));
const refusal = async (kind: ImportKind, content: string | Uint8Array): Promise<string> => {
  const error: unknown = await planOf(kind, content).catch((reason: unknown) => reason);
  return error instanceof ImportError ? error.sentence : assert.fail(`no refusal but ${error}`);
};

// Systems that name pages by their path need the address of the site, and the report says so.
describe('pages without a host', () => {
  test('are missing without the address of their site', async () => {
    const { report } = await planOf('isso', exportOf({ file: 'isso.sql' }));
    assert.deepEqual([report.imported, report.leftOut['page_missing']], [0, 4]);
    assert.match(
      report.notes.join(),
      /^2 pages have no web address, such as "\/blog\/peas\/"\. .* --site of the command/,
    );
  });

  test('stay on their site, whatever they look like', async () => {
    const threads = [
      '//evil.example/a',
      '/\\evil.example/b',
      'c',
      'javascript:alert(1)',
      'http://[/',
      '/e?x=1#f',
    ];
    const { apps } = await planOf(
      'waline',
      JSON.stringify({
        type: 'waline',
        data: {
          Comment: threads.map((url, objectId) => ({
            objectId,
            url,
            comment: 'x',
            insertedAt: '2022-01-01T00:00:00Z',
          })),
        },
      }),
      'https://garden.example/blog/',
    );
    assert.deepEqual(
      apps.map(({ uid }) => uid),
      [
        'garden.example~evil.example~a',
        'garden.example~evil.example~b',
        'garden.example~c',
        'garden.example~javascript:3Aalert:281:29',
        'garden.example~e~~x=1',
      ],
    );
  });
});

// A database is read as data: nothing that it defines is run.
describe('a database that is none of Isso', () => {
  const tables = fixture('isso.sql');
  const columns = 'id, parent, created, mode, text, author, email, website';
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['has other tables', 'create table notes (id integer)', /it has no table threads/],
    [
      'has a view of that name',
      `${tables}; alter table comments rename to real; create view comments as select * from real`,
      /comments is no plain table/,
    ],
    [
      'has a virtual table of that name',
      `create table threads (id integer, uri text, title text); create virtual table comments using fts5(tid, ${columns})`,
      /comments is no plain table/,
    ],
    [
      'has a computed column',
      `create table threads (id integer, uri text, title text); create table comments (tid, ${columns.replace('text', 'text generated always as (upper(author)) virtual')})`,
      /no plain column text/,
    ],
    ['lacks a column', 'create table threads (id integer, uri text)', /no plain column title/],
  ];
  for (const [what, statements, message] of cases)
    test(what, async () => assert.match(await refusal('isso', databaseOf(statements)), message));

  test('is damaged', async () => {
    const bytes = exportOf({ file: 'isso.sql' });
    bytes.fill(0xff, 4096);
    assert.match(await refusal('isso', bytes), /SQLite cannot read it/);
    assert.match(await refusal('isso', 'SQLite format 3\0 and no more'), /^this is not a database of Isso/);
  });

  test('has huge texts, which are left out for their length', async () => {
    const { report } = await planOf(
      'isso',
      databaseOf(`${tables}; update comments set text = hex(zeroblob(50000)) where id = 1;
        update comments set text = x'00' where id = 4`),
      'https://garden.example',
    );
    assert.deepEqual([report.leftOut['text_too_long'], report.leftOut['text_empty']], [1, 1]);
  });

  test('has a text far longer than any comment, whose field is named', async () => {
    const { report } = await planOf(
      'isso',
      databaseOf(`${tables}; update comments set text = hex(zeroblob(5000000)) where id = 1;
        update comments set author = hex(zeroblob(5000000)) where id = 4;
        update threads set title = hex(zeroblob(5000000)) where id = 2`),
      'https://garden.example',
    );
    assert.match(report.notes.join(), /number 1 is unreadable: the field text is far too long\./);
    assert.match(report.notes.join(), /number 4 is unreadable: the field author is far too long\./);
    assert.deepEqual([report.imported, report.leftOut['unreadable']], [2, 3]);
  });

  test('has whole numbers beyond 2^53, and loses the records that have them', async () => {
    for (const field of ['id', 'parent', 'created', 'mode', 'tid'] as const)
      for (const beyond of ['9223372036854775807', '9007199254740992']) {
        const { report } = await planOf(
          'isso',
          databaseOf(
            `pragma foreign_keys = off; ${tables}; update comments set ${field} = ${beyond} where id = 6`,
          ),
          'https://garden.example',
        );
        assert.deepEqual([report.imported, report.leftOut['unreadable']], [3, 2], `${field} ${beyond}`);
        assert.match(report.notes.join(), new RegExp(`is unreadable: the field ${field} is no `));
      }
    const { report } = await planOf(
      'isso',
      databaseOf(
        `pragma foreign_keys = off; ${tables}; update threads set id = 9223372036854775807 where id = 2`,
      ),
      'https://garden.example',
    );
    assert.deepEqual([report.imported, report.leftOut['page_missing']], [3, 1]);
  });

  test('is read as it is in the mode of a write-ahead log', async () => {
    const { report } = await planOf(
      'isso',
      databaseOf(`pragma journal_mode = wal; ${tables}`),
      'https://garden.example',
    );
    assert.equal(report.imported, 4);
  });
});

// The same comments come in several forms.
describe('other forms of an export', () => {
  test('of Waline are the answer of its interface', async () => {
    const wrapped = `{"errno":0,"errmsg":"","data":${fixture('waline.json')}}`;
    const site = 'https://garden.example';
    assert.deepEqual(
      await planOf('waline', wrapped, site),
      await planOf('waline', fixture('waline.json'), site),
    );
  });

  test('of Cusdis are the rows of its tables', async () => {
    const row = (id: string, more: object) => ({
      id,
      pageId: 'p',
      created_at: 1_646_128_800_000,
      by_email: null,
      by_nickname: 'Ada',
      content: id,
      approved: 1,
      deletedAt: null,
      parentId: null,
      ...more,
    });
    const { comments, report } = await planOf(
      'cusdis',
      JSON.stringify({
        comments: [
          row('a', {}),
          row('b', { parentId: 'a', deletedAt: 1_646_128_800_001 }),
          row('c', { parentId: 'b', created_at: '2022-03-01 12:00:00.5' }),
          row('d', { approved: 0 }),
        ],
        pages: [{ id: 'p', slug: 'peas', url: 'https://garden.example/peas', title: 'Peas' }],
      }),
    );
    assert.deepEqual(report.leftOut, { deleted: 1, pending: 1 });
    assert.deepEqual(
      comments.map(({ sourceId, parentSourceId, appUid, createdAt }) => [
        sourceId,
        parentSourceId,
        appUid,
        createdAt,
      ]),
      [
        ['a', undefined, 'garden.example~peas', 1_646_128_800_000],
        ['c', 'a', 'garden.example~peas', Date.UTC(2022, 2, 1, 12, 0, 0, 500)],
      ],
    );
  });

  test('of Giscus are a list of answers, a search, and one discussion', async () => {
    const [first = '', second = ''] = fixture('giscus.json').split(/\n(?=\{"data")/);
    const site = 'https://garden.example';
    const whole = await planOf('giscus', fixture('giscus.json'), site);
    assert.deepEqual(await planOf('giscus', `[${first},${second}]`, site), whole);
    const { nodes } = JSON.parse(first).data.repository.discussions;
    const one = await planOf(
      'giscus',
      JSON.stringify({ data: { repository: { discussion: nodes[0] } } }),
      site,
    );
    const found = await planOf('giscus', JSON.stringify({ data: { search: { nodes } } }), site);
    assert.deepEqual([one.comments.length, found], [4, one]);
  });

  test('of Commento and Comentario name each other', async () => {
    assert.match(await refusal('commento', fixture('comentario.json')), /it is an export of Comentario/);
    assert.match(await refusal('comentario', fixture('commento.json')), /import it as one of Commento/);
    assert.match(await refusal('commento', '{"version":1}'), /it has no list "comments"/);
  });

  test('of Comentario 2 are like those of Commento', async () => {
    const { comments, users } = await planOf(
      'commento',
      JSON.stringify({
        version: 1,
        comments: [
          {
            commentHex: 'a',
            host: 'garden.example',
            path: '/peas',
            commenterHex: 'b',
            markdown: 'x',
            parentHex: 'root',
            state: 'approved',
            creationDate: '2022-03-01T12:00:00Z',
          },
        ],
        commenters: [
          { commenterHex: 'b', name: 'Ada', email: 'ada@garden.example', websiteUrl: 'https://ada.example' },
        ],
      }),
    );
    assert.deepEqual(
      [comments[0]?.appUid, users[0]?.name, users[0]?.url],
      ['garden.example~peas', 'Ada', 'https://ada.example'],
    );
  });

  test('of accounts are one user, and guests of one name on two sites are two', async () => {
    const artalk = (site: string, id: string) => ({
      id,
      rid: '0',
      content: id,
      created_at: '2021-10-28 20:50:15 +0800',
      nick: 'Jo',
      page_key: '/',
      site_urls: site,
    });
    const { users } = await planOf(
      'artalk',
      JSON.stringify([
        artalk('https://a.example', '1'),
        artalk('https://a.example', '2'),
        artalk('https://b.example', '3'),
      ]),
    );
    assert.equal(users.length, 2);
  });
});

// The memory of a reader does not grow with one field of a file.
describe('an export in XML with a text that has no end', () => {
  const item = `<item><title>Peas</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>
    <wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>`;
  const head = `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item}`;
  const tail = '</wp:comment_content></wp:comment></item></channel></rss>';
  const chunk = 'x'.repeat(64 * 1024);
  const cases: readonly (readonly [string, string])[] = [
    ['in one piece', chunk],
    ['in pieces', `<![CDATA[${chunk}]]>`],
  ];
  for (const [what, part] of cases)
    test(`is refused with the field where it is ${what}`, async () => {
      let sent = 0;
      async function* bytes() {
        yield Buffer.from(head);
        for (; sent < 200 * 1024 * 1024; sent += part.length) yield Buffer.from(part);
        yield Buffer.from(tail);
      }
      const reading = readExport('wordpress', { name: 'export', site: undefined, bytes: bytes() });
      const fault: unknown = await reading.catch((error: unknown) => error);
      assert.ok(fault instanceof ImportError, String(fault));
      assert.match(
        fault.sentence,
        /^<wp:comment_content> of the record that begins in line 2 has more than 32 million/,
      );
      assert.ok(sent < 40 * 1024 * 1024, `${sent} characters were read`);
    });
});
