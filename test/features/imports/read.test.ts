import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { authorUid, formerPageUid } from '../../../src/features/imports/identity.ts';
import {
  ImportError,
  type ImportedComment,
  type ImportFile,
} from '../../../src/features/imports/import-file.ts';
import { planImport } from '../../../src/features/imports/import-plan.ts';
import { quotedAbove } from '../../../src/features/imports/import-quote.ts';
import { formatReport } from '../../../src/features/imports/import-report.ts';
import { htmlToLine, htmlToMarkdown } from '../../../src/features/imports/reading/html-to-markdown.ts';
import { readExport } from '../../../src/features/imports/reading/reading.ts';
import { renderMarkdown } from '../../../src/features/markdown/markdown.ts';
import { uidFault } from '../../../src/kernel/ids.ts';
import { pageUid } from '../../../src/kernel/page-uid.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/imports/${name}`, import.meta.url));
const readWordpress = (path: string) =>
  readExport('wordpress', { name: path, bytes: createReadStream(path) });
const readDisqus = (path: string) => readExport('disqus', { name: path, bytes: createReadStream(path) });

// Every comment of a WordPress export is imported or left out for one named reason.
describe('a WordPress export', () => {
  it('accounts for every comment by reason', async () => {
    const { report } = planImport(await readWordpress(fixture('wordpress.xml')));
    assert.equal(report.found, 13);
    assert.equal(report.imported, 3);
    assert.deepEqual(report.leftOut, {
      unreadable: 1,
      spam: 1,
      deleted: 1,
      pending: 1,
      pingback: 1,
      trackback: 1,
      not_a_comment: 1,
      page_missing: 1,
      text_empty: 1,
      duplicate: 1,
    });
    assert.deepEqual(
      [report.pages, report.pagesWithComments, report.pagesWithoutComments, report.apps, report.users],
      [3, 2, 1, 1, 2],
    );
  });

  it('creates one restricted app for two spellings of an address of which one has a password', async () => {
    const { apps } = planImport(await readWordpress(fixture('wordpress.xml')));
    assert.deepEqual(apps, [
      {
        uid: 'garden.example~blog~2020~05~peas',
        formerUids: ['garden.example/blog/2020/05/peas'],
        name: 'Peas & beans',
        link: 'https://garden.example/blog/2020/05/peas/',
        isRestricted: true,
      },
    ]);
  });

  it('keeps text, time and threads, and closes the gap that a left-out comment leaves', async () => {
    const { comments } = planImport(await readWordpress(fixture('wordpress.xml')));
    assert.deepEqual(
      comments.map(({ sourceId, parentSourceId, createdAt, text }) => [
        sourceId,
        parentSourceId,
        createdAt,
        text,
      ]),
      [
        ['20', undefined, Date.UTC(2019, 0, 1), 'Without a name'],
        ['1', undefined, Date.UTC(2020, 4, 1, 10), 'First line\nsecond line\n\nA **bold** paragraph.'],
        ['3', '1', Date.UTC(2020, 4, 2, 8), 'Answer to an answer'],
      ],
    );
    assert.ok(comments.every(({ source }) => source === 'wordpress:garden.example/blog'));
  });

  it('treats one name with one e-mail address, in any spelling, as one user', async () => {
    const { users, comments } = planImport(await readWordpress(fixture('wordpress.xml')));
    assert.deepEqual(
      users.map(({ name, email, url }) => ({ name, email, url })),
      [
        { name: 'Anonymous', email: undefined, url: undefined },
        { name: 'Ada & Co', email: 'Ada@Example.org', url: 'http://ada.example' },
      ],
    );
    assert.equal(comments[1]?.userUid, comments[2]?.userUid);
  });
});

// Every post of a Disqus export is imported or left out for one named reason.
describe('a Disqus export', () => {
  it('accounts for every post by reason and names the position of broken ones', async () => {
    const { report } = planImport(await readDisqus(fixture('disqus.xml')));
    assert.equal(report.found, 9);
    assert.equal(report.imported, 3);
    assert.deepEqual(report.leftOut, { unreadable: 3, spam: 1, deleted: 1, page_missing: 1 });
    assert.deepEqual(report.notes, [
      'Skipped in front of the XML declaration: "}\\n\\n".',
      'The comment that begins in line 36 is unreadable: isSpam, isDeleted or isApproved is neither true nor false.',
      'The comment that begins in line 42 is unreadable: broken markup in line 45 (unquoted attribute value).',
      'The comment that begins in line 47 is unreadable: broken markup in line 48 (undefined entity).',
    ]);
  });

  it('puts a reply after its parent even when it is older', async () => {
    const { comments } = planImport(await readDisqus(fixture('disqus.xml')));
    assert.deepEqual(
      comments.map(({ parentSourceId, text }) => [parentSourceId, text]),
      [
        [undefined, 'One\ntwo\n\nthree'],
        ['1', 'typed\nplainly'],
        [undefined, 'No number'],
      ],
    );
  });

  it('begins a reply with a line of its parent where it is to be quoted', async () => {
    const { comments } = planImport(await readDisqus(fixture('disqus.xml')), { replies: 'quote' });
    assert.equal(comments[1]?.text, '> **Ada:** One two three\n\ntyped\nplainly');
  });

  it('recognises users by their account, but not a guest with the same name', async () => {
    const { comments } = planImport(await readDisqus(fixture('disqus.xml')));
    assert.equal(comments[0]?.userUid, comments[1]?.userUid);
    assert.notEqual(comments[0]?.userUid, comments[2]?.userUid);
  });

  it('gives every record the same identity when the file is read again', async () => {
    const first = planImport(await readDisqus(fixture('disqus.xml')));
    const second = planImport(await readDisqus(fixture('disqus.xml')));
    assert.deepEqual(second, first);
    assert.equal(new Set(first.comments.map(({ sourceId }) => sourceId)).size, 3);
  });
});

// A file that cannot be read as a whole is refused with one sentence that names the place.
describe('a file that is not an export', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'confab-imports-'));
  });
  after(() => rm(folder, { recursive: true }));

  type Reader = (path: string) => Promise<ImportFile>;
  async function refusal(content: string | Uint8Array, read: Reader = readDisqus): Promise<string> {
    const path = join(folder, 'export.xml');
    await writeFile(path, content);
    const error = await read(path).then(
      () => assert.fail('the file was read'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ImportError, String(error));
    return error.message.replace(path, '');
  }
  const disqus = (content: string): string =>
    `<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">\n${content}</disqus>`;

  it('is empty', async () => assert.equal(await refusal(''), ': the file is empty'));

  it('is text', async () =>
    assert.equal(await refusal('{"comments": []}'), ':1:1: the file is not XML: it begins with "{"'));

  it('is a web page', async () =>
    assert.match(await refusal('<!DOCTYPE html><p>Hi'), /^:1:\d+: .*document type/));

  it('is cut off', async () =>
    assert.equal(
      await refusal(disqus('<post>\n<message>Hel').slice(0, -'</disqus>'.length)),
      ':3:12: the file is cut off inside <disqus><post><message>',
    ));

  it('is cut off inside a character', async () => {
    const bytes = new TextEncoder().encode('<disqus xmlns="http://disqus.com">é');
    assert.match(await refusal(bytes.subarray(0, -1)), /ends in the middle of a character/);
  });

  it('is an export of another kind', async () => {
    const wordpress = `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel/></rss>`;
    assert.match(
      await refusal(wordpress),
      /^:1:\d+: this is a feed or an export of WordPress, not of Disqus/,
    );
    assert.match(await refusal(disqus(''), readWordpress), /this is an export of Disqus, not of WordPress/);
  });

  it('is a feed or a WordPress export of an unknown version', async () => {
    assert.match(await refusal('<rss version="2.0"><channel/></rss>', readWordpress), /this is a feed/);
    const future = '<rss xmlns:wp="http://wordpress.org/export/9.0/"><channel/></rss>';
    assert.match(await refusal(future, readWordpress), /does not declare WXR 1\.0, 1\.1 or 1\.2/);
  });

  it('is XML of any other kind', async () => {
    assert.match(await refusal('<feed/>'), /begins with <feed>/);
    assert.match(await refusal('<feed/>', readWordpress), /begins with <feed>/);
  });

  it('defines entities', async () =>
    assert.match(
      await refusal(`<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${disqus('')}`),
      /document type declaration/,
    ));

  it('has broken markup outside of a comment', async () =>
    assert.equal(
      await refusal(disqus('<thread dsq:id=1></thread>')),
      ':2:16: not well-formed XML: unquoted attribute value',
    ));

  it('has a comment that does not end', async () =>
    assert.match(
      await refusal(disqus('<post><message>a</message>\n<post></post></post>')),
      /^:3:6: <post> begins before the one of line 2 has ended/,
    ));

  it('has broken markup in a comment that could swallow the next comment', async () => {
    const posts = '<post><message>a & b</message></post><post><message>c; d</message></post>';
    assert.match(await refusal(disqus(posts)), /disallowed character in entity name/);
  });

  it('nests without end', async () =>
    assert.match(await refusal(disqus('<a>'.repeat(70))), /nest deeper than 64/));

  it('is in another encoding', async () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${disqus('é')}`, 'latin1');
    assert.match(await refusal(latin), /declares the encoding "ISO-8859-1"/);
    assert.match(
      await refusal(Buffer.from(disqus('é'), 'latin1')),
      /^:2:1: the file is not valid UTF-8 here/,
    );
    assert.match(await refusal(Buffer.from(`\uFEFF${disqus('')}`, 'utf16le')), /UTF-16/);
    assert.match(await refusal(Buffer.from([0x1f, 0x8b, 8, 0])), /packed file is cut off/);
    assert.match(await refusal(Buffer.from('PK\x03\x04')), /zip archive: unpack it/);
  });

  it('is read despite a byte order mark, control characters and chunk borders', async () => {
    const path = join(folder, 'long.xml');
    const post = (id: number): string =>
      `<post dsq:id="${id}"><message>é\u0008𝄞 ${'ü'.repeat(70)}</message><createdAt>2013-10-10T19:20:29Z</createdAt></post>\n`;
    await writeFile(
      path,
      `\uFEFF${disqus(Array.from({ length: 2000 }, (_, index) => post(index)).join(''))}`,
    );
    const file = await readDisqus(path);
    assert.equal(file.comments.length, 2000);
    assert.ok(file.comments.every(({ text }) => text === `é𝄞 ${'ü'.repeat(70)}`));
    assert.deepEqual(file.notes, ['Dropped 2000 control characters that XML forbids.']);
  });
});

// Replies keep their thread, whatever is missing or wrong between them.
describe('threads', () => {
  const comment = (
    sourceId: string,
    parentSourceId: string | undefined,
    more: Partial<ImportedComment> = {},
  ) => ({
    sourceId,
    ...(parentSourceId === undefined ? {} : { parentSourceId }),
    pageSourceId: 'p',
    author: { name: 'Ada' },
    createdAt: 1000,
    text: 'text',
    status: 'approved' as const,
    kind: 'comment' as const,
    ...more,
  });
  const page = (sourceId: string) => ({
    sourceId,
    link: `https://garden.example/${sourceId}`,
    title: '',
    isRestricted: false,
  });
  const plan = (comments: readonly ImportedComment[]) =>
    planImport({
      kind: 'disqus',
      source: 'disqus',
      pages: [page('p'), page('q')],
      comments,
      unreadable: [],
      notes: [],
    });
  const links = (comments: readonly ImportedComment[]) =>
    plan(comments).comments.map(({ sourceId, parentSourceId }) => [sourceId, parentSourceId]);

  it('skip over any number of left-out comments', () => {
    const comments = [comment('a', undefined), comment('b', 'a', { status: 'deleted' })];
    assert.deepEqual(links([...comments, comment('c', 'b', { status: 'spam' }), comment('d', 'c')]), [
      ['a', undefined],
      ['d', 'a'],
    ]);
  });

  it('break where replies form a circle', () => {
    assert.deepEqual(links([comment('a', 'b'), comment('b', 'a')]), [
      ['b', undefined],
      ['a', 'b'],
    ]);
    assert.deepEqual(links([comment('a', 'a')]), [['a', undefined]]);
    const leftOut = [comment('b', 'c', { status: 'spam' }), comment('c', 'b', { status: 'spam' })];
    assert.deepEqual(links([comment('a', 'b'), ...leftOut]), [['a', undefined]]);
  });

  it('do not extend to another page', () => {
    assert.deepEqual(links([comment('a', undefined), comment('b', 'a', { pageSourceId: 'q' })]), [
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  it('are linked in linear time', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      comment(`${index}`, `${index + 1}`, index % 2 === 0 ? {} : { status: 'deleted' }),
    );
    const planned = links(chain);
    assert.equal(planned.length, 10_000);
    assert.deepEqual(planned[0], ['19998', undefined]);
    assert.deepEqual(planned[9_999], ['0', '2']);
  });

  it('leave out a text beyond 64 KiB', () => {
    const { leftOut } = plan([comment('a', undefined, { text: 'é'.repeat(32 * 1024 + 1) })]).report;
    assert.deepEqual(leftOut, { text_too_long: 1 });
  });
});

// The report in words carries the same numbers and shows that they add up.
describe('the report', () => {
  it('lists what was imported, what was created, and what was left out and why', async () => {
    const { report } = planImport(await readDisqus(fixture('disqus.xml')));
    const made = {
      apps: 1,
      users: 0,
      comments: 2,
      restored: 0,
      formerUids: new Map<string, string>(),
      otherUids: [],
      isRenamed: false,
    };
    assert.deepEqual(formatReport(report, made).slice(0, 10), [
      'Read from disqus: 9 comments on 3 pages (1 with comments to import, 2 without).',
      'To import: 3 comments in 1 app by 2 users.',
      'Made: 2 comments, 1 app, 0 users.',
      'There before: 1 comment, 0 apps, 2 users.',
      'Left out: 6 comments:',
      '  3 unreadable',
      '  1 spam',
      '  1 deleted or in the trash',
      '  1 their page is not in the file or has no web address',
      'Together: 3 + 6 = 9.',
    ]);
    assert.equal(formatReport(report)[2], 'Dry run: nothing was made.');
    const formerUids = new Map([['garden.example~peas', 'garden.example/peas']]);
    const upgraded = { ...made, formerUids, otherUids: ['garden.example/peas/index'] };
    assert.deepEqual(formatReport(report, { ...upgraded, isRenamed: true }).slice(3, 5), [
      'Renamed: 1 app, such as garden.example/peas to garden.example~peas.',
      'Not renamed: 1 app of Confab 0.1.0, such as garden.example/peas/index, because the page has another app. Each keeps its comments.',
    ]);
    assert.match(
      formatReport(report, upgraded)[3] ?? '',
      /^From Confab 0\.1\.0: 1 app .* With --rename-apps it becomes garden\.example~peas\.$/,
    );
  });
});

// A reply shows what it replies to, because the comments of a page are one list.
describe('the quoted line of a reply', () => {
  const quoted = (text: string, author = 'Ada') => quotedAbove('reply', { text, author });

  it('is the name and the beginning of the words, as text', () => {
    assert.equal(
      quoted('One\n\n> **two** [three](https://example.com)'),
      '> **Ada:** One two three\n\nreply',
    );
    assert.equal(quoted('a_b *', '<b> *x*'), '> **\\<b> \\*x\\*:** a_b \\*\n\nreply');
    const { html } = renderMarkdown(quoted('`<script>` & [x](y)', '**Eve**'));
    assert.equal(
      html,
      '<blockquote><p><strong>**Eve**:</strong> &lt;script&gt; &amp; [x](y)</p></blockquote><p>reply</p>',
    );
  });

  it('ends at a word, and cuts no character in two', () => {
    assert.match(quoted('word '.repeat(100)), /^> \*\*Ada:\*\* (?:word ){24}…\n\nreply$/);
    assert.match(quoted(`x${'👍🏽'.repeat(499)}`).replaceAll('👍🏽', '+'), /^> \*\*Ada:\*\* x\+{59} …\n/u);
  });

  it('is left out where the text would become too long, and where the reply has moved up', async () => {
    const read = await readDisqus(fixture('disqus.xml'));
    const texts = (comments: typeof read.comments) =>
      planImport({ ...read, comments }, { replies: 'quote' }).comments.map(({ text }) => text);
    const long = 'a'.repeat(64 * 1024);
    assert.ok(texts(read.comments.map((each) => ({ ...each, text: long }))).every((text) => text === long));
    const deep = [
      { ...read.comments[0], sourceId: '1', status: 'approved' as const, text: 'One' },
      { ...read.comments[0], sourceId: '2', parentSourceId: '1', status: 'spam' as const },
      { ...read.comments[0], sourceId: '3', parentSourceId: '2', status: 'approved' as const, text: 'Three' },
    ] as typeof read.comments;
    assert.deepEqual(texts(deep), ['One', 'Three']);
  });
});

// Imported items have permanent ids, and every uid is valid.
describe('identities', () => {
  it('of sources and of apps of 0.1.0 are addresses', () => {
    assert.equal(formerPageUid('https://Example.org:443/A/b/?x=1#top'), 'example.org/A/b?x=1');
    assert.equal(formerPageUid('http://example.org'), 'example.org');
    assert.equal(formerPageUid('http://localhost:4000/ä b/'), 'localhost:4000/%C3%A4%20b');
    assert.equal(formerPageUid('https://example.org/#!/a'), 'example.org#!/a');
    assert.equal(formerPageUid('/relative'), undefined);
    assert.equal(formerPageUid('javascript:alert(1)'), undefined);
  });

  it('stay apart and within 256 characters when an address is longer', () => {
    const one = formerPageUid(`https://example.org/${'a'.repeat(300)}1`);
    const other = formerPageUid(`https://example.org/${'a'.repeat(300)}2`);
    assert.equal(one?.length, 256);
    assert.notEqual(one, other);
  });

  it('are valid uids for any address and author', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true, size: 'large' }), (link) => {
        assert.equal(uidFault(formerPageUid(link) ?? ''), undefined);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.option(fc.string(), { nil: undefined }),
        (name, email) => {
          const author = email === undefined ? { name } : { name, email };
          assert.equal(uidFault(authorUid({ kind: 'disqus', source: 'disqus' }, author)), undefined);
        },
      ),
    );
  });

  it('separate users who share an address, and sites whose guests share a name', () => {
    const site = { kind: 'wordpress' as const, source: 'wordpress:a.example' };
    const jo = { name: 'Jo', email: 'both@example.org' };
    assert.notEqual(authorUid(site, jo), authorUid(site, { ...jo, name: 'Al' }));
    assert.equal(authorUid(site, jo), authorUid({ ...site, source: 'wordpress:b.example' }, jo));
    assert.notEqual(
      authorUid(site, { name: 'Jo' }),
      authorUid({ ...site, source: 'wordpress:b.example' }, { name: 'Jo' }),
    );
  });
});

// The Markdown of a comment shows in our renderer what its html showed at the source.
describe('html to Markdown', () => {
  const markdown = (html: string): string => htmlToMarkdown(html, { lineFeeds: 'space' });
  const shown = (html: string): string => renderMarkdown(markdown(html)).html;
  const words = (html: string): string =>
    htmlToLine(html.replace(/<\/?(?:p|br|li|td|th|h\d|details|summary)\b[^>]*>/g, ' '));

  it('keeps styles, and moves white space out of them', () => {
    assert.equal(markdown('a<b> bold </b>and <i>it</i>, <del>no</del>'), 'a **bold** and *it*, ~~no~~');
    assert.equal(markdown('<b>a</b><b>b</b> <b><i>c</i> d</b>'), '**ab *c* d**');
    assert.equal(markdown('<b>a <p>b</p></b>'), '**a**\n\n**b**');
  });

  // Patterns that start again at each character of a run take minutes for these.
  it('takes linear time for long runs of one character', { timeout: 60_000 }, () => {
    const count = 600_000;
    const blank = htmlToMarkdown(`a${' '.repeat(count)}b`, { lineFeeds: 'break' });
    assert.equal(blank.replace(/ +/, ' '), 'a b');
    assert.equal(markdown(`<h1>${'#'.repeat(count)} a</h1>`).length > count, true);
    assert.equal(pageUid(`https://example.com/${'/'.repeat(count)}a`), 'example.com~a');
  });

  it('drops a style that could not be read back, not its text', () => {
    assert.equal(markdown('x<b>"y"</b>z'), 'x"y"z');
  });

  it('keeps a style beside Chinese, Japanese and Korean', () => {
    for (const html of [
      '强调<strong>标点。</strong>后',
      'x<strong>「括号」</strong>y',
      'これは<em>「重要」</em>です。',
      '价格<s>（旧）</s>新',
      '한<strong>"x"</strong>국',
    ])
      assert.equal(shown(html), `<p>${html}</p>`);
  });

  it('drops a style whose start would end the one around it', () => {
    assert.equal(markdown('<b><i>\\</i><b>\na<i>b</i></b></b>'), '***\\\\* ab**');
    assert.equal(shown('<i><b>a</b>b<b>c</b></i>'), '<p><em><strong>a</strong>bc</em></p>');
    assert.equal(shown('<i>x</i><b>a<i>b</i>c</b>'), '<p><em>x</em><strong>abc</strong></p>');
    assert.equal(markdown('<b><i>a</i>a <i><del>.</del></i></b>'), '***a*a ~~.~~**');
  });

  it('keeps links with a web or mail address, and only the text of others', () => {
    assert.equal(
      markdown('<a href="https://a.example/x_(y)?a=1&b=2">l</a>'),
      '[l](https://a.example/x_%28y%29?a=1&b=2)',
    );
    assert.equal(markdown('See!<a href="mailto:a@b.example">mail</a>'), 'See\\![mail](mailto:a@b.example)');
    assert.equal(
      markdown('<a href="javascript:alert(1)">l</a> <a href="@u1">m</a> <a href="/x">n</a>'),
      'l m n',
    );
    assert.equal(markdown('see http://a.example/_x_*.'), 'see <http://a.example/_x>\\_\\*.');
  });

  it('turns a picture into a link', () => {
    assert.equal(
      markdown('<img src="https://a.example/p/cat.jpg?w=1">'),
      '[cat.jpg](https://a.example/p/cat.jpg?w=1)',
    );
    assert.equal(markdown('<img alt="A [cat]">'), 'A \\[cat\\]');
  });

  it('keeps lists, quotations, headings, rules, tables and code', () => {
    assert.equal(
      markdown('<ul><li>a<ol start="3"><li>b</li><li>c</li></ol></li></ul>'),
      '- a\n\n  3. b\n  4. c',
    );
    assert.equal(markdown('<ul><li>a</ul><ul><li>b</ul>'), '- a\n\n+ b');
    assert.equal(markdown('<blockquote><p>a</p><p>b</p></blockquote>c'), '> a\n>\n> b\n\nc');
    assert.equal(markdown('<h2>C#</h2>text<hr>more'), '## C\\#\n\ntext\n\n***\n\nmore');
    assert.equal(
      markdown('<table><tr><td>a|b<td>c<tr><td>d</table>'),
      '| a\\|b | c |\n| --- | --- |\n| d |  |',
    );
    assert.equal(
      markdown('<pre><code class="language-js">\nif (a &lt; b)\n  `c`;\n</code></pre>'),
      '```js\nif (a < b)\n  `c`;\n```',
    );
    assert.equal(markdown('<code>a ` b</code>'), '``a ` b``');
  });

  it('keeps tasks, folded blocks and tags that Markdown has no marks for', () => {
    for (const html of [
      'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>',
      'H<sub>2</sub>O, x<sup><strong>2</strong></sup>, <mark>m</mark><ins>i</ins>',
      '<strong>a <kbd>b</kbd></strong> c',
    ])
      assert.equal(shown(html), `<p>${html}</p>`);
    assert.equal(
      markdown(
        '<ul class="contains-task-list"><li><input type="checkbox" checked disabled> a</li><li><p><label><input type="checkbox"> b</label><p>c</ul>' +
          '<input type="checkbox">d',
      ),
      '- [x] a\n- [ ] b\n\n  c\n\nd',
    );
    assert.equal(
      markdown('<details open><summary>a\n<b>b</b></summary>c<details>d</details></details>e'),
      '<details>\n<summary>a **b**</summary>\n\nc\n\n<details>\n\nd\n\n</details>\n\n</details>\n\ne',
    );
    assert.equal(
      shown('<ul><li>a<details><summary>b</summary><pre>c</pre></details></ul>'),
      '<ul><li><p>a</p><details><summary>b</summary><pre><code>c\n</code></pre></details></li></ul>',
    );
    assert.equal(
      markdown('<table><tr><td><details><summary>a</summary>b</details></table>'),
      '| a b |\n| --- |',
    );
    assert.equal(markdown('<summary>a</summary>b'), 'a\n\nb');
  });

  it('drops unknown tags and scripts', () => {
    assert.equal(markdown('<x-y>a</x-y><font>b</font><script>c</script><style>d</style>&eacute;'), 'abé');
  });

  it('reads line feeds as WordPress does', () => {
    const html = 'a\nb<br />\nc\n\n\n<b>d</b>\n<blockquote>e</blockquote>\nf <code>g\nh</code>';
    assert.equal(
      htmlToMarkdown(html, { lineFeeds: 'break' }),
      'a\nb\nc\n\n**d**\n\n> e\n\nf\n\n```\ng\nh\n```',
    );
  });

  it('flattens what nests too deep and stays fast', () => {
    assert.match(markdown(`${'<blockquote>'.repeat(5000)}deep`), /^(?:> ){12}deep$/);
    assert.ok(markdown('<b>a</b>b '.repeat(20_000)).length > 100_000);
    assert.ok(markdown('[<i>'.repeat(20_000)).length > 20_000);
  });

  // Letters that mean something in Markdown or html, words and white space.
  const pieces = fc.constantFrom(
    ...'\\ ` * _ [ ] ( ) < > # + - = . ! | ~ & : " 1. - # > ** ~~ ``` --- === &amp; &#35; <b> ![ ]( a b é 1 http://a.example/x_y'.split(
      ' ',
    ),
    ...'。「」（）漢字、한“”\ufe00'.split(''),
    ' ',
    '\n',
    'word',
  );
  const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  const escaped = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

  it('shows any text unchanged, without accidental formatting', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const html = shown(`<p>${escaped(plain)}</p>`);
        assert.equal(words(html), plain.replace(/\s+/g, ' ').trim());
        assert.doesNotMatch(html, /<(?!\/?(?:p|br|a)\b)/);
      }),
      { numRuns: 5000 },
    );
  });

  it('shows the text of any nesting of tags', () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text.map(escaped),
        fc
          .tuple(
            fc.constantFrom('b', 'i', 'del', 'kbd', 'sub', 'a href="https://a.example/"', 'span'),
            fc.array(tie('tree'), { maxLength: 4 }),
          )
          .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag.split(' ')[0]}>`),
      ),
    }));
    fc.assert(
      fc.property(tree, (html) => assert.equal(words(shown(html)), htmlToLine(html))),
      { numRuns: 5000 },
    );
  });
});
