import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importKinds } from 'confab-contract/import-words.ts';
import { uidFault } from 'confab-contract/values/ids.ts';
import { htmlToLine, htmlToMarkdown } from 'confab-importers/html-to-markdown.ts';
import { authorUid, formerPageUid } from 'confab-importers/identity.ts';
import type { ImportedComment } from 'confab-importers/import-file.ts';
import { readExport } from 'confab-importers/reading.ts';
import { exportOf, kindsOfImports } from 'confab-testing/import-kinds.ts';
import { read } from 'confab-testing/reading.ts';
import { rootUrl } from 'confab-tools/places.ts';
import fc from 'fast-check';
import { planImport } from '../../../src/features/imports/import-plan.ts';
import { quotedAbove } from '../../../src/features/imports/import-quote.ts';
import { formatReport } from '../../../src/features/imports/import-report.ts';
import { renderMarkdown } from '../../../src/features/markdown/markdown.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`importers/fixtures/${name}`, rootUrl));
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

// What an export has is what an import plans, whatever system it comes from.
for (const expected of kindsOfImports)
  describe(`an export of ${expected.kind}`, () => {
    it('is planned with its apps, users and threads', async () => {
      const plan = planImport(await read(expected.kind, exportOf(expected), expected.site));
      const { report, users, comments } = plan;
      const planned: Record<string, Record<string, [string | null, string]>> = {};
      for (const { appUid, sourceId, parentSourceId, text } of comments)
        planned[appUid] = { ...planned[appUid], [sourceId]: [parentSourceId ?? null, text] };
      assert.deepEqual(planned, expected.apps);
      assert.deepEqual(
        [report.found, report.users, report.leftOut],
        [expected.found, expected.users, expected.leftOut],
      );
      assert.deepEqual(users.map(({ name }) => name).sort(), [...expected.names].sort());
      assert.ok(users.every(({ uid }) => uid.startsWith(`${expected.kind}-`)));
      assert.match(report.notes.join('\n'), expected.notes ?? /^$/);
      const leftOut = Object.values(expected.leftOut).reduce((sum, count) => sum + count, 0);
      assert.equal(report.imported + leftOut, report.found);
    });

    it('is planned with what waits for approval where that is held', async () => {
      const { comments, report } = planImport(await read(expected.kind, exportOf(expected), expected.site), {
        replies: 'thread',
        holds: true,
      });
      const { pending = 0, ...leftOut } = expected.leftOut;
      assert.deepEqual([report.held, report.leftOut], [pending, leftOut]);
      assert.equal(comments.length, report.imported);
      const held = new Set(comments.filter(({ isHeld }) => isHeld).map(({ sourceId }) => sourceId));
      assert.equal(held.size, pending);
      assert.ok(comments.every(({ parentSourceId }) => !held.has(parentSourceId ?? '')));
    });
  });

it('every system has an export among the tests', () => {
  const tested = new Set(['wordpress', 'disqus', ...kindsOfImports.map(({ kind }) => kind)]);
  assert.deepEqual([...tested].sort(), [...importKinds].sort());
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

  it('come once of comments that come twice', () => {
    const { report } = plan([comment('a', undefined), comment('a', undefined)]);
    assert.deepEqual([report.imported, report.leftOut], [1, { duplicate: 1 }]);
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
      '  1 on a page that is not in the file or has no web address',
      'Together: 3 + 6 = 9.',
    ]);
    assert.equal(formatReport(report)[2], 'Dry run: nothing was made.');
    const leftOut = { pingback: 1, trackback: 2, not_a_comment: 1 };
    assert.deepEqual(formatReport({ ...report, leftOut }, made).slice(5, 8), [
      '  1 pingback (an automatic link notification, not a comment)',
      '  2 trackbacks (automatic link notifications, not comments)',
      "  1 record of a plugin, such as a shop's note",
    ]);
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
    assert.equal(shown('<i><b>a</b>b<b>c</b></i>'), '<p><em><strong>a</strong>bc</em></p>');
    assert.equal(shown('<i>x</i><b>a<i>b</i>c</b>'), '<p><em>x</em><strong>abc</strong></p>');
  });

  it('keeps tasks, folded blocks and tags that Markdown has no marks for', () => {
    for (const html of [
      'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>',
      'H<sub>2</sub>O, x<sup><strong>2</strong></sup>, <mark>m</mark><ins>i</ins>',
      '<strong>a <kbd>b</kbd></strong> c',
    ])
      assert.equal(shown(html), `<p>${html}</p>`);
    assert.equal(
      shown('<ul><li>a<details><summary>b</summary><pre>c</pre></details></ul>'),
      '<ul><li><p>a</p><details><summary>b</summary><pre><code>c\n</code></pre></details></li></ul>',
    );
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
      fc.property(tree, (html) => {
        // A link without a visible letter shows its address.
        fc.pre(!/<a [^>]*>(?:<[^>]+>|\s|\ufe00)*<\/a>/.test(html) || !html.includes('\ufe00'));
        assert.equal(words(shown(html)), htmlToLine(html));
      }),
      { numRuns: 5000 },
    );
  });
});
