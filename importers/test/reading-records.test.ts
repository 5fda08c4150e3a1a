import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { databaseOf, exportOf, type KindOfImport, kindsOfImports } from 'confab-testing/import-kinds.ts';
import { type ReadFile, read, readBytes, refusal } from 'confab-testing/reading.ts';
import { isTimeZone, timeInZone } from '../src/local-time.ts';
import { readExport } from '../src/reading.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

/** How many records there are for each reason to leave one out that the reader decides on. */
function outOf({ comments, unreadable }: ReadFile): Record<string, number> {
  const reasons = [
    ...comments.map(({ status }) => (status === 'trash' ? 'deleted' : status)),
    ...unreadable.map(() => 'unreadable'),
  ];
  const counts: Record<string, number> = {};
  for (const reason of reasons) if (reason !== 'approved') counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** The approved comments of a file as they are expected: by their ids, with what each replies to and its text. */
function approvedIn({ comments }: ReadFile): Record<string, readonly [string | null, string]> {
  const known = new Map(comments.map((comment) => [comment.sourceId, comment]));
  const repliedTo = (id: string | undefined): string | null => {
    const parent = known.get(id ?? '');
    // What was removed from a conversation leaves its replies to what it replied to.
    return parent === undefined
      ? null
      : parent.status === 'approved'
        ? parent.sourceId
        : repliedTo(parent.parentSourceId);
  };
  const approved = comments.filter(({ status }) => status === 'approved');
  return Object.fromEntries(
    approved.map(({ sourceId, parentSourceId, text }) => [sourceId, [repliedTo(parentSourceId), text]]),
  );
}

/** The comments that are expected of a file, on whatever page. */
const expectedIn = ({ apps }: KindOfImport) => Object.assign({}, ...Object.values(apps));

// Of these two the server imports more than comments, so what an import makes of them is tested there.
describe('an export in XML', () => {
  const repliesIn = async (kind: 'disqus' | 'wordpress') => {
    const { comments } = await read(kind, fixture(`${kind}.xml`));
    return comments.flatMap(({ sourceId, parentSourceId, status }) =>
      parentSourceId === undefined ? [] : [[sourceId, parentSourceId, status]],
    );
  };

  test('has its replies below what they reply to', async () => {
    assert.deepEqual(await repliesIn('disqus'), [['2', '1', 'approved']]);
    assert.deepEqual(await repliesIn('wordpress'), [
      ['2', '1', 'spam'],
      ['3', '2', 'approved'],
    ]);
  });
});

// What an export has is what its reader finds, whatever system it comes from.
for (const expected of kindsOfImports) {
  const { kind, site, found, names } = expected;

  describe(`an export of ${kind}`, () => {
    test('has its comments with their threads and authors', async () => {
      const file = await read(kind, exportOf(expected), site);
      assert.equal(file.comments.length + file.unreadable.length, found);
      // A comment without a page is read, and left out by what imports it.
      const { page_missing, ...leftOut } = expected.leftOut;
      assert.deepEqual(outOf(file), leftOut);
      const linked = new Set(file.pages.filter(({ link }) => link).map(({ sourceId }) => sourceId));
      const comments = file.comments.filter(({ pageSourceId }) => linked.has(pageSourceId ?? ''));
      assert.equal(file.comments.length - comments.length, page_missing ?? 0);
      const placed = { ...file, comments };
      assert.deepEqual(approvedIn(placed), expectedIn(expected));
      const authors = comments.filter(({ status }) => status === 'approved').map(({ author }) => author.name);
      assert.deepEqual(new Set(authors.map((name) => name || 'Anonymous')), new Set(names));
      const notes = file.unreadable.map(
        ({ where, cause }) => `The comment ${where} is unreadable: ${cause}.`,
      );
      assert.match([...notes, ...file.notes].join('\n'), expected.notes ?? /^$/);
    });

    test('is read the same in chunks of any size, and packed', async () => {
      const bytes = Buffer.from(exportOf(expected));
      const inChunks = async (size: number) => {
        const count = Math.ceil(bytes.length / size);
        const chunks = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
        return await readBytes(kind, Readable.from(chunks), site);
      };
      const whole = await read(kind, bytes, site);
      for (const size of [1, 7, 100]) assert.deepEqual(await inChunks(size), whole);
      assert.deepEqual(await read(kind, gzipSync(bytes), site), whole);
    });

    test('that is cut off anywhere is refused or has fewer comments', async () => {
      const bytes = exportOf(expected);
      const whole = await read(kind, bytes, site);
      const records = ({ comments, unreadable }: ReadFile) => comments.length + unreadable.length;
      for (let share = 1; share < 10; share += 1) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * share) / 10));
        const outcome = await read(kind, cut, site).catch(({ name }: Error) => name);
        // Of values one after the other nothing says how many there were.
        if (typeof outcome === 'string') assert.equal(outcome, 'ImportError', `cut at ${share}0 %`);
        else assert.ok(records(outcome) < records(whole), `cut at ${share}0 %`);
      }
    });
  });
}

// Systems that name pages by their path need the address of the site, and the file says so.
describe('pages without a host', () => {
  test('are missing without the address of their site', async () => {
    const { pages, notes } = await read('isso', exportOf({ file: 'isso.sql' }));
    assert.deepEqual(
      pages.map(({ link }) => link),
      [undefined, undefined],
    );
    assert.match(
      notes.join(),
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
    const comments = threads.map((url, objectId) => ({
      objectId,
      url,
      comment: 'x',
      insertedAt: '2022-01-01T00:00:00Z',
    }));
    const { pages } = await read(
      'waline',
      JSON.stringify({ type: 'waline', data: { Comment: comments } }),
      'https://garden.example/blog/',
    );
    assert.deepEqual(
      pages.flatMap(({ link }) => link ?? []),
      [
        'https://garden.example/evil.example/a',
        'https://garden.example/evil.example/b',
        'https://garden.example/c',
        'https://garden.example/javascript:alert(1)',
        'https://garden.example/e?x=1#f',
      ],
    );
  });
});

// The same comments come in several forms.
describe('other forms of an export', () => {
  test('of Waline are the answer of its interface', async () => {
    const wrapped = `{"errno":0,"errmsg":"","data":${fixture('waline.json')}}`;
    const site = 'https://garden.example';
    assert.deepEqual(await read('waline', wrapped, site), await read('waline', fixture('waline.json'), site));
  });

  test('of Twikoo are its database, the answer of its interface, and the lines of mongoexport', async () => {
    const listed = fixture('twikoo.json');
    const whole = await read('twikoo', listed);
    const rows: readonly Record<string, unknown>[] = JSON.parse(listed);
    const counter = { name: 'counter', data: [{ url: '/', time: 3 }] };
    const database = { filename: 'db.json', collections: [counter, { name: 'comment', data: rows }] };
    const typed = rows.map(({ _id, created, ...row }) => ({
      ...row,
      _id: { $oid: _id },
      created: Number.isInteger(created) ? { $numberLong: String(created) } : created,
    }));
    for (const content of [
      JSON.stringify(database),
      JSON.stringify({ code: 0, data: rows }),
      typed.map((row) => JSON.stringify(row)).join('\n'),
    ]) {
      const { comments, unreadable, pages } = await read('twikoo', content);
      assert.deepEqual([comments, pages], [whole.comments, whole.pages]);
      assert.equal(unreadable.length, 1);
    }
    assert.equal((await read('twikoo', '[]')).comments.length, 0);
  });

  test('of issues of GitHub are answers of GraphQL, whose comments keep their ids', async () => {
    const listed = fixture('utterances.json');
    const site = 'https://garden.example';
    const whole = await read('utterances', listed, site);
    const [issues = '', remarks = ''] = listed.split(/\n(?=\[)/);
    type Issue = { url: string; title: string; body: string; comments: number };
    type Remark = {
      id: number;
      issue_url: string;
      body: string;
      created_at: string;
      user: { login: string };
    };
    const nodes = (JSON.parse(issues) as Issue[]).slice(0, 3).map(({ url, title, body, comments }) => ({
      ...{ id: url, title, body },
      comments: {
        totalCount: comments,
        nodes: (JSON.parse(remarks) as Remark[])
          .filter(({ issue_url }) => issue_url === url)
          .map(({ id, body: text, created_at, user: { login } }) => ({
            ...{ id: `IC_${id}`, fullDatabaseId: String(id), body: text, createdAt: created_at },
            author: login === 'ghost' ? null : { login, url: `https://github.com/${login}` },
            isMinimized: login === 'bob',
            minimizedReason: login === 'bob' ? 'spam' : null,
          })),
      },
    }));
    const answer = { data: { repository: { issues: { nodes } } } };
    for (const content of [JSON.stringify(answer), JSON.stringify([answer])]) {
      const { comments, notes, pages } = await read('utterances', content, site);
      assert.deepEqual(
        comments.map((comment) => ({ ...comment, status: 'approved' })),
        whole.comments,
      );
      assert.deepEqual([notes, pages], [whole.notes, whole.pages]);
      assert.equal(comments.filter(({ status }) => status === 'spam').length, 1);
    }
    const longer = listed.replace('"comments":3', '"comments":300');
    assert.deepEqual((await read('utterances', longer, site)).notes, [
      'The issue "blog/peas" has 297 more comments than the file.',
    ]);
    const slurped = `[${issues},${remarks}]`;
    assert.deepEqual((await read('utterances', slurped, site)).comments, whole.comments);
  });

  test('of issues of GitHub name their page by a title that is a path', async () => {
    const issue = (number: number, title: string) => ({ number, title, url: `u${number}`, body: 'Words.' });
    const titles = ['index', 'blog/peas', 'https://garden.example/soup', 'A search that is slow'];
    const content = JSON.stringify(titles.map((title, index) => issue(index, title)));
    const { pages } = await read('utterances', content, 'https://garden.example');
    assert.deepEqual(
      pages.map(({ link }) => link),
      [
        'https://garden.example/',
        'https://garden.example/blog/peas',
        'https://garden.example/soup',
        undefined,
      ],
    );
  });

  test('of Valine are lines without the first, an array, and an answer of LeanCloud', async () => {
    const lines = fixture('valine.jsonl').trimEnd().split('\n').slice(1);
    const site = 'https://garden.example';
    const whole = await read('valine', fixture('valine.jsonl'), site);
    for (const content of [lines.join('\n'), `[${lines.join()}]`, `{"results":[${lines.join()}]}`]) {
      const { comments, pages, unreadable } = await read('valine', content, site);
      assert.deepEqual([comments, pages, unreadable.length], [whole.comments, whole.pages, 1]);
    }
    assert.equal(whole.comments[0]?.createdAt, Date.UTC(2019, 4, 1, 10));
    assert.match(
      await refusal('valine', '#filetype:JSON-streaming {"type":"Class","class":"Counter"}'),
      /empty/,
    );
  });

  test('of Waline on LeanCloud are a class of Comment with a status and Markdown', async () => {
    const row = (objectId: string, status: string) => ({
      ...{ objectId, status, comment: 'Use `<p>` *here*', url: '/peas', nick: 'Ada' },
      insertedAt: { __type: 'Date', iso: '2022-01-01T13:00:00.000Z' },
    });
    const rows = ['approved', 'waiting', 'spam'].map((status) => JSON.stringify(row(status, status)));
    const { comments } = await read('valine', rows.join('\n'), 'https://garden.example');
    assert.deepEqual(
      comments.map(({ status, text }) => [status, text]),
      ['approved', 'pending', 'spam'].map((status) => [status, 'Use `<p>` *here*']),
    );
  });

  test('of FastComments nest replies in their comment', async () => {
    const whole = await read('fastcomments', fixture('fastcomments.json'));
    const answers = fixture('fastcomments.json').split(/\n(?=\{"status")/);
    const [rows = [], others = []] = answers.map(
      (answer) => JSON.parse(answer).comments as { parentId: string | null; children: unknown[] }[],
    );
    const [first, second, third, fourth, ...rest] = rows;
    const thread = { ...first, children: [{ ...second, children: [{ ...third, children: [fourth] }] }] };
    const { comments, unreadable } = await read('fastcomments', JSON.stringify([thread, ...rest, ...others]));
    assert.deepEqual([comments, unreadable.length], [whole.comments, 1]);
  });

  test('of Blogger have categories and links in files of earlier years', async () => {
    const kind = (name: string) =>
      `<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#${name}'/>`;
    const entry = (id: string, name: string, more: string) =>
      `<entry><id>tag:blogger.com,1999:blog-1.${id}</id><published>2023-01-16T14:22:00.000-08:00</published>` +
      `${kind(name)}<category scheme='http://www.blogger.com/atom/ns#' term='peas'/>${more}` +
      `<link rel='self' href='https://www.blogger.com/feeds/1/posts/default/1'/></entry>`;
    const reply = `<thr:in-reply-to href='https://garden.example/2023/peas.html' ref='tag:blogger.com,1999:blog-1.post-2'/>`;
    const author = (name: string, uri = '') =>
      `<author><name>${name}</name><uri>${uri}</uri><email>noreply@blogger.com</email></author>`;
    const alternate = `<link rel='alternate' href='https://garden.example/2023/peas.html'/>`;
    const related = `<link rel='related' href='https://www.blogger.com/feeds/1/2/comments/default/3?v=2'/>`;
    const removed = `<gd:extendedProperty name='blogger.contentRemoved' value='true'/>`;
    const draft = `<app:control><app:draft>yes</app:draft></app:control>`;
    const { comments, pages } = await read(
      'blogger',
      `<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:app='http://purl.org/atom/app#'
        xmlns:gd='http://schemas.google.com/g/2005' xmlns:thr='http://purl.org/syndication/thread/1.0'>
        ${entry('settings.BLOG_NAME', 'settings', '<content>The garden</content>')}
        ${entry('post-3', 'comment', `${author('Ada', 'http://www.blogger.com/profile/7')}<content type='html'>Early.</content>${reply}`)}
        ${entry('post-2', 'post', `<title>Peas</title>${alternate}`)}
        ${entry('post-4', 'comment', `${author('Anonymous')}<content type='html'>When?</content>${reply}${related}`)}
        ${entry('post-5', 'comment', `${author('Bob')}<content type='html'>Removed.</content>${reply}${removed}`)}
        ${entry('page-6', 'page', `<title>Beans</title>${draft}`)}
      </feed>`,
    );
    assert.deepEqual(
      pages.map(({ sourceId, link, title, isRestricted }) => [sourceId, link, title, isRestricted]),
      [
        ['2', 'https://garden.example/2023/peas.html', 'Peas', false],
        ['6', undefined, 'Beans', true],
      ],
    );
    assert.deepEqual(
      comments.map(({ sourceId, parentSourceId, status, author: { username, email } }) => [
        ...[sourceId, parentSourceId, status, username, email],
      ]),
      [
        ['3', undefined, 'approved', '7', undefined],
        ['4', '3', 'approved', undefined, undefined],
        ['5', undefined, 'deleted', undefined, undefined],
      ],
    );
    assert.equal(comments[0]?.createdAt, Date.UTC(2023, 0, 16, 22, 22));
  });

  test('that are other feeds are no export of Blogger', async () => {
    const feed = (content: string) => `<feed xmlns='http://www.w3.org/2005/Atom'>${content}</feed>`;
    assert.match(
      await refusal('blogger', feed('<entry><id>1</id></entry>')),
      /none of its entries is a post/,
    );
    assert.match(
      await refusal('blogger', '<feed/>'),
      /instead of <feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
    );
  });

  test('of Twikoo name pages on the site that is given, before that of the comment', async () => {
    const { pages } = await read('twikoo', fixture('twikoo.json'), 'https://www.garden.example');
    assert.deepEqual(
      pages.map(({ link }) => link),
      ['https://www.garden.example/blog/peas/', 'https://garden.example/blog/beans?utm_source=mail'],
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
    const { comments, pages } = await read(
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
    assert.deepEqual(
      comments.map(({ sourceId, parentSourceId, status, createdAt }) => [
        sourceId,
        parentSourceId,
        status,
        createdAt,
      ]),
      [
        ['a', undefined, 'approved', 1_646_128_800_000],
        ['b', 'a', 'deleted', 1_646_128_800_000],
        ['c', 'b', 'approved', Date.UTC(2022, 2, 1, 12, 0, 0, 500)],
        ['d', undefined, 'pending', 1_646_128_800_000],
      ],
    );
    assert.deepEqual(pages[0]?.link, 'https://garden.example/peas');
  });

  test('of Giscus are a list of answers, a search, and one discussion', async () => {
    const [first = '', second = ''] = fixture('giscus.json').split(/\n(?=\{"data")/);
    const site = 'https://garden.example';
    const whole = await read('giscus', fixture('giscus.json'), site);
    assert.deepEqual(await read('giscus', `[${first},${second}]`, site), whole);
    const { nodes } = JSON.parse(first).data.repository.discussions;
    const one = await read(
      'giscus',
      JSON.stringify({ data: { repository: { discussion: nodes[0] } } }),
      site,
    );
    const found = await read('giscus', JSON.stringify({ data: { search: { nodes } } }), site);
    assert.equal(one.comments.filter(({ status }) => status === 'approved').length, 4);
    assert.deepEqual(found, one);
  });

  test('of Giscus are resolved where they are the answer, or hidden as resolved, and begin a thread', async () => {
    const comment = (id: string, fields: object) => ({
      ...{ id, body: 'words', createdAt: '2023-01-01T10:00:00Z', author: { login: 'ada' } },
      ...fields,
    });
    const hidden = { isMinimized: true, minimizedReason: 'RESOLVED' };
    const replies = { totalCount: 1, nodes: [comment('c', hidden)] };
    const nodes = [comment('a', { isAnswer: true }), comment('b', { ...hidden, replies }), comment('d', {})];
    const discussion = { id: 'D', title: 'peas', comments: { totalCount: 3, nodes } };
    const file = JSON.stringify({ data: { repository: { discussion } } });
    const { comments } = await read('giscus', file, 'https://garden.example');
    assert.deepEqual(
      comments.map(({ sourceId, status, isResolved }) => [sourceId, status, isResolved]),
      [
        ['a', 'approved', true],
        ['b', 'approved', true],
        ['c', 'approved', undefined],
        ['d', 'approved', undefined],
      ],
    );
  });

  test('of Comentario 2 are like those of Commento', async () => {
    const { comments, pages } = await read(
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
      [pages[0]?.link, comments[0]?.author.name, comments[0]?.author.url],
      ['https://garden.example/peas', 'Ada', 'https://ada.example'],
    );
  });

  test('of accounts are one author, and guests of one name on two sites are two', async () => {
    const artalk = (site: string, id: string) => ({
      id,
      rid: '0',
      content: id,
      created_at: '2021-10-28 20:50:15 +0800',
      nick: 'Jo',
      page_key: '/',
      site_urls: site,
    });
    const { comments } = await read(
      'artalk',
      JSON.stringify([
        artalk('https://a.example', '1'),
        artalk('https://a.example', '2'),
        artalk('https://b.example', '3'),
      ]),
    );
    assert.deepEqual(
      comments.map(({ author }) => [author.name, author.site]),
      [
        ['Jo', 'a.example'],
        ['Jo', 'a.example'],
        ['Jo', 'b.example'],
      ],
    );
  });
});

// Some systems write the time that the clocks of their server show, which is an hour off for half of the year.
describe('dates without a zone', () => {
  const comment = (insertedAt: string) => ({ insertedAt, url: '/', comment: insertedAt, nick: 'Ada' });
  const timesIn = async (timeZone: string | undefined, ...dates: readonly string[]) => {
    const content = JSON.stringify({ type: 'waline', data: { Comment: dates.map(comment) } });
    const bytes = Readable.from([Buffer.from(content)]);
    const { comments } = await readExport('waline', { name: 'export', timeZone, bytes });
    return comments.map(({ createdAt }) => new Date(createdAt).toISOString());
  };

  test('are those of the zone that is given, in summer and in winter', async () => {
    const dates = [
      '2022-01-01 12:00:00.250',
      '2022-07-01 12:00:00',
      '2022-07-01T12:00:00Z',
      '2022-07-01 12:00:00 +0800',
    ];
    assert.deepEqual(await timesIn('Europe/Berlin', ...dates), [
      '2022-01-01T11:00:00.250Z',
      '2022-07-01T10:00:00.000Z',
      '2022-07-01T12:00:00.000Z',
      '2022-07-01T04:00:00.000Z',
    ]);
    assert.deepEqual(await timesIn(undefined, ...dates.slice(0, 2)), [
      '2022-01-01T12:00:00.250Z',
      '2022-07-01T12:00:00.000Z',
    ]);
  });

  test('are the first of an hour that comes twice, and the next hour of one that is left out', async () => {
    const dates = [
      '2022-10-30 01:59:59',
      '2022-10-30 02:30:00',
      '2022-10-30 03:00:00',
      '2022-03-27 02:30:00',
    ];
    assert.deepEqual(await timesIn('Europe/Berlin', ...dates), [
      '2022-10-29T23:59:59.000Z',
      '2022-10-30T00:30:00.000Z',
      '2022-10-30T02:00:00.000Z',
      '2022-03-27T01:30:00.000Z',
    ]);
    assert.deepEqual(await timesIn('America/New_York', '2022-11-06 01:30:00', '2022-03-13 02:30:00'), [
      '2022-11-06T05:30:00.000Z',
      '2022-03-13T07:30:00.000Z',
    ]);
    // A zone half an hour off, and one without a summer.
    assert.deepEqual(await timesIn('Asia/Kolkata', '2022-07-01 12:00:00'), ['2022-07-01T06:30:00.000Z']);
    assert.deepEqual(await timesIn('Asia/Shanghai', '2022-07-01 00:00:00'), ['2022-06-30T16:00:00.000Z']);
  });

  // Node 24 has no Temporal.
  const { Temporal } = globalThis as unknown as {
    Temporal?: {
      PlainDateTime: {
        from(text: string): { toZonedDateTime(zone: string): { epochMilliseconds: number } };
      };
    };
  };

  if (Temporal !== undefined)
    test('agree with Temporal in every hour of a year', () => {
      for (const timeZone of [
        'Europe/Berlin',
        'America/Sao_Paulo',
        'Australia/Lord_Howe',
        'Africa/Casablanca',
      ])
        for (let hour = 0; hour < 365 * 24; hour += 1) {
          const shown = new Date(Date.UTC(2018, 0, 1, hour, 30)).toISOString().slice(0, 19);
          const expected: number =
            Temporal.PlainDateTime.from(shown).toZonedDateTime(timeZone).epochMilliseconds;
          assert.equal(timeInZone(Date.parse(`${shown}Z`), timeZone), expected, `${shown} ${timeZone}`);
        }
    });

  test('need a zone that exists', () => {
    assert.deepEqual(['Europe/Berlin', 'UTC', 'Europe/Atlantis', ''].map(isTimeZone), [
      true,
      true,
      false,
      false,
    ]);
  });
});

// A database is read as data; what is strange in a row costs that row alone.
describe('a database of Isso', () => {
  const tables = fixture('isso.sql');
  const site = 'https://garden.example';

  test('has huge texts, of which one character more than a comment may have is read', async () => {
    const { comments } = await read(
      'isso',
      databaseOf(`${tables}; update comments set text = hex(zeroblob(50000)) where id = 1;
        update comments set text = x'00' where id = 4`),
      site,
    );
    const textOf = (id: string) => comments.find(({ sourceId }) => sourceId === `garden.example/${id}`)?.text;
    assert.deepEqual([textOf('1')?.length, textOf('4')], [65_537, '']);
  });

  test('has a text far longer than any comment, whose field is named', async () => {
    const { comments, unreadable } = await read(
      'isso',
      databaseOf(`${tables}; update comments set text = hex(zeroblob(5000000)) where id = 1;
        update comments set author = hex(zeroblob(5000000)) where id = 4;
        update threads set title = hex(zeroblob(5000000)) where id = 2`),
      site,
    );
    const causes = new Map(unreadable.map(({ where, cause }) => [where, cause]));
    assert.equal(causes.get('number 1'), 'the field text is far too long');
    assert.equal(causes.get('number 4'), 'the field author is far too long');
    assert.deepEqual([comments.filter(({ status }) => status === 'approved').length, causes.size], [2, 3]);
  });

  test('has whole numbers beyond 2^53, and loses the records that have them', async () => {
    for (const field of ['id', 'parent', 'created', 'mode', 'tid'] as const)
      for (const beyond of ['9223372036854775807', '9007199254740992']) {
        const change = `update comments set ${field} = ${beyond} where id = 6`;
        const { comments, unreadable } = await read(
          'isso',
          databaseOf(`pragma foreign_keys = off; ${tables}; ${change}`),
          site,
        );
        assert.deepEqual([comments.length, unreadable.length], [5, 2], `${field} ${beyond}`);
        assert.match(unreadable.map(({ cause }) => cause).join(), new RegExp(`the field ${field} is no `));
      }
    const { comments, pages } = await read(
      'isso',
      databaseOf(
        `pragma foreign_keys = off; ${tables}; update threads set id = 9223372036854775807 where id = 2`,
      ),
      site,
    );
    assert.deepEqual([comments.length, pages.map(({ sourceId }) => sourceId)], [6, ['1']]);
  });

  test('is read as it is in the mode of a write-ahead log', async () => {
    const { comments } = await read('isso', databaseOf(`pragma journal_mode = wal; ${tables}`), site);
    assert.equal(comments.filter(({ status }) => status === 'approved').length, 4);
  });
});

// A record that cannot be read costs itself alone, and it is named with its field.
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
  const recordsOf = async (...comments: readonly object[]) => await read('remark42', backup(...comments));

  test('are unreadable with their fault where a field has a wrong type', async () => {
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
    const { comments, unreadable } = await recordsOf({}, ...wrong.map(([comment]) => comment));
    assert.equal(comments.length, 1);
    assert.deepEqual(
      unreadable,
      wrong.map(([, cause], index) => ({
        where: `number ${index + 3}, which begins in line ${index + 3},`,
        cause,
      })),
    );
    const other = await read('remark42', `${backup()}\n"text"\n[]\n7`);
    assert.deepEqual([other.comments.length, other.unreadable.length], [0, 3]);
  });

  test('without an id get one that stays', async () => {
    const first = await recordsOf({ id: null }, { id: '', text: 'Other words' });
    assert.deepEqual(await recordsOf({ id: null }, { id: '', text: 'Other words' }), first);
    assert.equal(new Set(first.comments.map(({ sourceId }) => sourceId)).size, 2);
  });

  test('keep their text free of characters that a database refuses', async () => {
    const { comments } = await recordsOf({ text: 'a\u0000b\ud800c\u0007d 𝄞' });
    assert.equal(comments[0]?.text, 'ab\uFFFDcd 𝄞');
  });
});
