import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCanonical, mentionsIn, mentionsMax } from 'confab-contract/values/canonical-html.ts';
import { hostileTexts } from 'confab-testing/corpus/hostile-texts.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { sanitizeByParsing } from 'confab-testing/sanitizer.ts';
import fc from 'fast-check';
import { renderInTime } from '../../../src/features/markdown/long-texts.ts';
import { renderMarkdown, renderMarkup } from '../../../src/features/markdown/markdown.ts';

/** Attributes each element may carry, with the values it may have: the oracle's own list, not the renderer's. */
const harmless: Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>> = {
  a: {
    href: isHarmlessAddress,
    rel: (value) => value === 'nofollow ugc noopener noreferrer',
    target: (value) => value === '_blank',
  },
  span: { class: (value) => value === 'mention', 'data-user-id': (value) => /^[1-9]\d{0,15}$/.test(value) },
  code: { class: (value) => /^language-[a-z0-9+#._-]+$/.test(value) },
  li: { class: (value) => value === 'task-list-item', dir: (value) => value === 'auto' },
  input: {
    type: (value) => value === 'checkbox',
    checked: (value) => value === '',
    disabled: (value) => value === '',
  },
  ol: { start: (value) => /^\d{1,9}$/.test(value) },
  th: { align: (value) => ['left', 'center', 'right'].includes(value) },
  td: { align: (value) => ['left', 'center', 'right'].includes(value) },
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 summary'
      .split(' ')
      .map((name) => [name, { dir: (value: string) => value === 'auto' }]),
  ),
  ...Object.fromEntries(
    'blockquote ul pre table thead tbody tr em strong s ins kbd mark sub sup details label br hr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
};
const voidElements = ['br', 'hr', 'input'];

function isHarmlessAddress(address: string): boolean {
  if (!/^(?:https?:\/\/[a-z0-9[]|mailto:[^@]+@)/i.test(address)) return false;
  const url = URL.parse(address);
  // A browser follows no address that it cannot read.
  if (url === null) return true;
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) && url.username === '' && url.password === '';
}

/**
 * Reads html by the tokeniser of the HTML standard (12.2.5, without the raw text elements, none of which passes) and
 * names what is not harmless or not properly nested. Gives the text a reader would see.
 */
function inspect(html: string): { faults: string[]; text: string } {
  const faults: string[] = [];
  const open: string[] = [];
  let text = '';
  let position = 0;
  while (position < html.length) {
    if (html[position] !== '<' || !/[a-z/!?]/i.test(html[position + 1] ?? '')) {
      text += html[position++];
      continue;
    }
    const end = /^<\/([a-z][^\s/>]*)[^>]*>/i.exec(html.slice(position, position + 100));
    if (end !== null) {
      if (open.pop() !== end[1]) faults.push(`end tag ${end[0]} without its start`);
      position += end[0].length;
      continue;
    }
    const start = readStartTag(html, position);
    if (start === undefined) return { faults: [...faults, `markup at ${position}`], text };
    faults.push(...faultsOf(start));
    if (start.name === 'input') text += start.attributes.some(([name]) => name === 'checked') ? '☑' : '☐';
    if (!voidElements.includes(start.name)) open.push(start.name);
    position = start.end;
  }
  if (open.length > 0) faults.push(`unclosed ${open.join(' ')}`);
  return { faults, text: decode(text) };
}

interface StartTag {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly end: number;
}

function readStartTag(html: string, position: number): StartTag | undefined {
  const open = /<([a-z][^\s/>]*)/iy;
  open.lastIndex = position;
  const name = open.exec(html)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const attributes: [string, string][] = [];
  const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
  attribute.lastIndex = open.lastIndex;
  let end = open.lastIndex;
  for (let found = attribute.exec(html); found !== null; found = attribute.exec(html)) {
    attributes.push([(found[1] ?? '').toLowerCase(), decode(found[2] ?? found[3] ?? found[4] ?? '')]);
    end = attribute.lastIndex;
  }
  const close = /[\s/]*>/y;
  close.lastIndex = end;
  return close.test(html) ? { name, attributes, end: close.lastIndex } : undefined;
}

function faultsOf({ name, attributes }: StartTag): string[] {
  if (name === 'input' && !attributes.some(([key]) => key === 'disabled'))
    return ['a box that can be pressed'];
  const allowed = Object.hasOwn(harmless, name) ? harmless[name] : undefined;
  if (allowed === undefined) return [`element ${name}`];
  return attributes.flatMap(([key, value]) =>
    Object.hasOwn(allowed, key) && allowed[key]?.(value) ? [] : [`attribute ${name} ${key}=${value}`],
  );
}

function decode(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));?/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return named[name] ?? whole;
  });
}

/**
 * Fails unless the text renders to harmless html that both layers leave unchanged and that has the words of `plain`.
 */
function assertHarmless(text: string): void {
  const { html, plain } = renderMarkdown(text);
  const mentions = mentionsIn(html);
  const { faults, text: visible } = inspect(html);
  const label = JSON.stringify(text.slice(0, 200));
  assert.deepEqual(faults, [], label);
  assert.ok(isCanonical(html), `not canonical: ${label}`);
  assert.ok(sanitizeByParsing(html) === html, `sanitize-html changes: ${label}`);
  assert.ok(withoutSpace(visible) === withoutSpace(plain), `plain says something else: ${label}`);
  assert.ok(mentions.length <= mentionsMax && new Set(mentions).size === mentions.length, label);
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}

const pieces = [
  ...'\\`*_~[]<>&|\t\r\n\0!"\'()#+-=.:/@ax1 ',
  ...[
    '  ',
    '    ',
    '\n\n',
    '\n\n\n',
    ' \n',
    '\r\n',
    '```',
    '~~',
    '**',
    '://',
    'http://',
    'https://a.b/c?d=e&f',
    'www.',
  ],
  ...[
    'www.a.b',
    'mailto:',
    'mailto:a@b.c',
    '](',
    '](http://a)',
    '](@u17)',
    '![',
    '[x]',
    '[x]: http://a\n',
    '@u17',
    '1.',
  ],
  ...[
    '1. ',
    '12) ',
    '- ',
    '> ',
    '# ',
    '---',
    '\n===\n',
    '|-|',
    '\n|-|-|\n',
    '&amp;',
    '&#60;',
    '&#13;',
    '<b>',
    '</p>',
  ],
  ...[
    '<script>',
    ...'<b> </b> <kbd> </kbd> <sub> </sub> <mark> </s> <del> <br> </a> <details> </details> [^1]'.split(' '),
    '<a href="https://a.b/">',
    '<a class="x" href="javascript:x">',
    '<img alt="x" src="https://a.b/c">',
    '\n<details>\n<summary>x</summary>\n',
    '\n</details>\n',
    '- [ ] ',
    '- [x] ',
    'javascript:',
    '\u202e',
    '\ud83d',
    '😀',
    'é',
    '\u2028',
    '\u00a0',
    '\ufeff',
    'ſ',
    'http:',
    'WWW.',
  ],
  ...['word ', 'Two words', ', ', '? ', ': ', '\nNext line'],
];
const anyText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...pieces) },
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));
const prosePieces = [
  'a',
  'Word',
  ' ',
  '.',
  ',',
  '!',
  '?',
  ':',
  ';',
  '/',
  '(',
  ')',
  ']',
  '{',
  '"',
  "'",
  '@',
  '%',
  '^',
  '$',
  '1',
  '23',
];
const nearProse = fc
  .array(
    fc.constantFrom(
      ...prosePieces,
      '\n',
      '\n\n',
      '-',
      '+',
      '=',
      '#',
      'é',
      '😀',
      '\u2028',
      '\u00a0',
      '\f',
      'www',
      'http',
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));
const tags =
  'p h1 blockquote ul ol li pre code table thead tbody tr th td em strong s kbd details summary label a span script style svg img div'.split(
    ' ',
  );
const anyHtml = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...tags.flatMap((name) => [`<${name}>`, `</${name}>`]),
        '<br />',
        '<br>',
        '<hr />',
        '<!--',
        '-->',
      ),
      fc.constantFrom(
        '<a href="https://a.example"',
        '<a href="javascript:x"',
        ' rel="nofollow ugc noopener noreferrer"',
      ),
      fc.constantFrom(
        ' target="_blank"',
        '>',
        ' onclick="x"',
        ' id="x"',
        '<span class="mention" data-user-id="17">',
      ),
      fc.constantFrom(
        '<ol start="2">',
        '<td align="left">',
        '<td style="x">',
        '<code class="language-js">',
        '<input type="checkbox" disabled="" />',
        '<input type="checkbox" checked="" disabled="" />',
        '<input type="text">',
        'text',
      ),
      fc.constantFrom(
        '&amp;',
        '&',
        '&quot;',
        '"',
        "'",
        '=',
        '<',
        '/',
        ' ',
        '\n',
        '\0',
        '&#60;',
        '<svg><style>',
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

// For any text, html contains only harmless elements, attributes and addresses, both layers of sanitising leave it
// unchanged, and it shows the same words as the plain text.
describe('hostile texts', () => {
  const families = Map.groupBy(hostileTexts, ({ family }) => family);
  for (const [family, texts] of families) {
    it(`${family}: ${texts.length} texts are harmless`, () => {
      for (const { text } of texts) assertHarmless(text);
    });
  }

  it('are at least 350 and fit the limit of an entry', () => {
    assert.ok(hostileTexts.length >= 350);
    assert.ok(hostileTexts.every(({ text }) => text.length <= 65_536));
  });

  it('cost little where many folded blocks have no end', () => {
    for (const last of [
      '\t'.repeat(7600),
      `\n${'`'.repeat(7600)}a\``,
      `\n${'- '.repeat(3800)}`,
      `<summary>${'</summary>\t'.repeat(760)}`,
    ])
      for (const lines of [80, 400, 4000]) {
        const text = `${'<details>\n'.repeat(lines)}<details>${last}x`;
        const before = processorMs();
        assert.equal(renderMarkdown(text).html.includes('<details>'), false);
        const ms = processorMs() - before;
        assert.ok(ms < 300, `${lines} lines, ${ms} ms`);
      }
  });

  it('of any other kind are harmless too', () => {
    fc.assert(fc.property(anyText, assertHarmless), { numRuns: 3000 });
  });
});

// The short cut for prose is invisible: its results are those of the parser, byte for byte.
describe('the short cut for prose', () => {
  it('agrees with the parser on text near prose', () => {
    fc.assert(
      fc.property(nearProse, (text) => assert.deepEqual(renderMarkdown(text), renderMarkup(text))),
      { numRuns: 5000 },
    );
  });

  it('agrees with the parser on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => assert.deepEqual(renderMarkdown(text), renderMarkup(text))),
      { numRuns: 3000 },
    );
  });
});

// Whatever passes the linear check is harmless and would pass sanitize-html unchanged. What the renderer writes passes it.
describe('the closed set of html', () => {
  it('accepts only html that is harmless and that sanitize-html would not change', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        fc.pre(isCanonical(html));
        assert.deepEqual(inspect(html).faults, []);
        assert.equal(sanitizeByParsing(html), html);
      }),
      { numRuns: 300, maxSkipsPerRun: 1000 },
    );
  });

  it('does not accept rendered html with a character changed into something harmful', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      with: fc.constantFrom('', '<', '>', '"', '&', ' ', '/', 'x', '\0'),
    });
    fc.assert(
      fc.property(anyText, change, (text, { at, with: character }) => {
        const { html } = renderMarkdown(text);
        const position = Math.floor(at * html.length);
        const changed = html.slice(0, position) + character + html.slice(position + 1);
        if (!isCanonical(changed)) return;
        assert.deepEqual(inspect(changed).faults, []);
        assert.equal(sanitizeByParsing(changed), changed);
      }),
      { numRuns: 3000 },
    );
  });

  it('rejects a block inside a paragraph, a link inside a link and a cell outside a row', () => {
    const link = '<a href="https://a.example" rel="nofollow ugc noopener noreferrer" target="_blank">';
    assert.equal(isCanonical('<p><p>x</p></p>'), false);
    assert.equal(isCanonical(`<p>${link}<em>${link}x</a></em></a></p>`), false);
    assert.equal(isCanonical('<table><td>x</td></table>'), false);
    assert.equal(isCanonical(`<p>${link}x</a></p>`), true);
  });
});

function htmlOf(text: string): string {
  return renderMarkdown(text).html;
}

function linkTo(address: string, label: string): string {
  return `<a href="${address}" rel="nofollow ugc noopener noreferrer" target="_blank">${label}</a>`;
}

const task = '<li class="task-list-item">';
const box = '<label><input type="checkbox" disabled="" /> ';
const checked = '<label><input type="checkbox" checked="" disabled="" /> ';

// What users write in comments looks as they expect.
describe('Markdown', () => {
  it('sets emphasis', () => {
    assert.equal(
      htmlOf('**bold** _soft_ ~~gone~~ `code`'),
      '<p><strong>bold</strong> <em>soft</em> <s>gone</s> <code>code</code></p>',
    );
  });

  // What opens and closes emphasis is told by spaces and punctuation, and these scripts write no spaces.
  for (const [text, html] of [
    ['强调**标点。**后', '强调<strong>标点。</strong>后'],
    ['x**「括号」**y', 'x<strong>「括号」</strong>y'],
    ['これは**「重要」**です。', 'これは<strong>「重要」</strong>です。'],
    ['これは*「重要」*です。', 'これは<em>「重要」</em>です。'],
    ['이것은**"중요"**합니다', '이것은<strong>"중요"</strong>합니다'],
    ['价格~~（旧）~~新', '价格<s>（旧）</s>新'],
    ['𠮷**「a」**𠮷', '𠮷<strong>「a」</strong>𠮷'],
    ['**[链接](https://a.example)**后', `<strong>${linkTo('https://a.example', '链接')}</strong>后`],
    ['a**"b"**c', 'a**"b"**c'],
  ] as const)
    it(`sets emphasis beside Chinese, Japanese and Korean: ${text}`, () => {
      assert.equal(htmlOf(text), `<p>${html}</p>`);
      assert.equal(renderMarkdown(text).plain, html.replace(/<[^>]*>/g, ''));
    });

  it('keeps every line break and separates paragraphs', () => {
    assert.equal(htmlOf('one\ntwo\n\nthree'), '<p>one<br />two</p><p>three</p>');
    assert.equal(htmlOf('*one*\r\ntwo\r\n\r\nthree'), '<p><em>one</em><br />two</p><p>three</p>');
  });

  for (const [what, text, html] of [
    ['nests lists', '- a\n- b\n  1. c\n  2. d', '<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li></ul>'],
    ['keeps the first number of a list', '5. a\n6. b', '<ol start="5"><li>a</li><li>b</li></ol>'],
    [
      'makes paragraphs of the items of a loose list',
      '- a\n\n- b',
      '<ul><li><p>a</p></li><li><p>b</p></li></ul>',
    ],
    [
      'knows headings, rules and quotes',
      '# a\n\n> b\n\n---',
      '<h3>a</h3><blockquote><p>b</p></blockquote><hr />',
    ],
    [
      'aligns the columns of tables',
      '|a|b|\n|-|:-:|\n|1|*2*|',
      '<table><thead><tr><th>a</th><th align="center">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td align="center"><em>2</em></td></tr></tbody></table>',
    ],
    [
      'keeps code as typed and names its language',
      '```TypeScript title="x"\nif (a < b) {\n\n  **c**;\n}\n```',
      '<pre><code class="language-typescript">if (a &lt; b) {\n\n  **c**;\n}\n</code></pre>',
    ],
    ['drops a language that is not a plain name', '```a"b\nx\n```', '<pre><code>x\n</code></pre>'],
    ['shows html as text', '<div>"x" & y</div>', '<p>&lt;div&gt;"x" &amp; y&lt;/div&gt;</p>'],
    [
      'begins headings below that of the list of comments',
      '# a\n## b\n### c\n#### d\n##### e\n\nf\n=',
      '<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6><h3>f</h3>',
    ],
    [
      'shows the boxes of tasks',
      '- [ ] a\n- [x] *b*\n  1. [X] c\n\n    d\n- [y] e\n- \\[ ] f\n- [ ]',
      `<ul>${task}<p>${box}a</label></p></li>${task}<p>${checked}<em>b</em></label></p>` +
        `<ol>${task}${checked}c</label></li></ol><p>d</p></li>` +
        '<li><p>[y] e</p></li><li><p>[ ] f</p></li><li><p>[ ]</p></li></ul>',
    ],
    [
      'shows tasks of a tight list',
      '* [ ] a\n* [ ] b',
      `<ul>${task}${box}a</label></li>${task}${box}b</label></li></ul>`,
    ],
    ['knows no task outside of a list', '[ ] a', '<p>[ ] a</p>'],
    [
      'knows the tags that people type',
      '<kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <ins>i</ins> <mark>m</mark> <b>b</b> <I>i</I> <del>d</del> a<br>b<br/>\nc',
      '<p><kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <ins>i</ins> <mark>m</mark> <strong>b</strong> <em>i</em> <s>d</s> a<br />b<br />c</p>',
    ],
    [
      'breaks lines in the cells of tables',
      '|a|\n|-|\n|b<br>c|',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b<br />c</td></tr></tbody></table>',
    ],
    [
      'shows tags without their other half as text',
      '<b>a <i>b</b> **c <kbd>d** e</kbd> <kbd style="x">f</kbd> </sub> `<b>`',
      '<p>&lt;b&gt;a &lt;i&gt;b&lt;/b&gt; <strong>c &lt;kbd&gt;d</strong> e&lt;/kbd&gt; &lt;kbd style="x"&gt;f&lt;/kbd&gt; &lt;/sub&gt; <code>&lt;b&gt;</code></p>',
    ],
    [
      'makes links of links and pictures in html',
      '<a class="x" href="https://a.example/?b&amp;c">d **e**</a> <img width="9" alt="f" src="https://a.example/g.png" />',
      `<p>${linkTo('https://a.example/?b&amp;c', 'd <strong>e</strong>')} ${linkTo('https://a.example/g.png', 'f')}</p>`,
    ],
    [
      'makes no link of an address that runs a script or mentions a user',
      '<a href="javascript:x">a</a> <a href="@u1">b</a>',
      '<p>&lt;a href="javascript:x"&gt;a&lt;/a&gt; &lt;a href="@u1"&gt;b&lt;/a&gt;</p>',
    ],
    [
      'folds details',
      'a\n<details>\n<summary>b **c**</summary>\n\n- d\n\n<details><summary>e</summary>\nf\n</details>\n</details>\ng',
      '<p>a</p><details><summary>b <strong>c</strong></summary><ul><li>d</li></ul>' +
        '<details><summary>e</summary><p>f</p></details></details><p>g</p>',
    ],
    [
      'folds what has tags in a block of code',
      '<details>\n\n````html\n<details>\n</details>\n```\n</details>\n````\n\n- ~~~\n  </details>\n  ~~~\n\n`` `a` ``\n</details>\nb',
      '<details><pre><code class="language-html">&lt;details&gt;\n&lt;/details&gt;\n```\n&lt;/details&gt;\n</code></pre>' +
        '<ul><li><pre><code>&lt;/details&gt;\n</code></pre></li></ul><p><code>`a`</code></p></details><p>b</p>',
    ],
    ['shows details that do not end as typed', '<details>\na', '<p>&lt;details&gt;<br />a</p>'],
    [
      'keeps details within their item',
      '- <details>\n  a\n  </details>\n</details>',
      '<ul><li><details><p>a</p></details></li></ul><p>&lt;/details&gt;</p>',
    ],
    [
      'shows footnotes as typed',
      'a[^1]\n\n[^1]: https://a.example',
      `<p>a[^1]</p><p>[^1]: ${linkTo('https://a.example', 'https://a.example')}</p>`,
    ],
    [
      'shows what other systems mean by other signs as typed',
      '||a|| [spoiler]b[/spoiler] >!c!< :tada: $d$ ==e== H~2~O ^f^\n\n> [!NOTE]\n> g\n\n<!-- h -->',
      '<p>||a|| [spoiler]b[/spoiler] &gt;!c!&lt; :tada: $d$ ==e== H~2~O ^f^</p>' +
        '<blockquote><p>[!NOTE]<br />g</p></blockquote><p>&lt;!-- h --&gt;</p>',
    ],
  ] as const)
    it(what, () => {
      assert.equal(htmlOf(text), html);
    });

  it('shows text that nests too deep as typed', () => {
    const text = `${'> '.repeat(25)}deep **down**`;
    assert.deepEqual(renderMarkdown(text), {
      html: `<p>${text.replaceAll('>', '&gt;')}</p>`,
      plain: text,
    });
  });

  it('shows text that would expand too much as typed', () => {
    const text = 'www.a.b '.repeat(8000);
    assert.equal(htmlOf(text), `<p>${text}</p>`);
  });

  it('shows text that would take the parser too long as typed', () => {
    const text = '># a\nb\n'.repeat(2000);
    assert.equal(htmlOf(text), `<p>${text.trimEnd().replaceAll('>', '&gt;').replaceAll('\n', '<br />')}</p>`);
  });

  it('shows text with very many marks as typed, and renders realistic numbers of marks', () => {
    const many = '*a* '.repeat(6001);
    assert.equal(htmlOf(many), `<p>${many}</p>`);
    const fewer = '*a* '.repeat(6000);
    assert.equal(htmlOf(fewer), `<p>${'<em>a</em> '.repeat(6000).trimEnd()}</p>`);
    const paragraphs = '*a*\n\n'.repeat(6001);
    assert.equal(htmlOf(paragraphs).includes('<em>'), false);
  });

  it('counts no marks in code', () => {
    const code = '*a* '.repeat(6001);
    assert.equal(htmlOf(`\`\`\`\n${code}\n\`\`\``), `<pre><code>${code}\n</code></pre>`);
  });

  it('knows quotes with lines that go on without a mark', () => {
    assert.equal(htmlOf('> a\nb\n> # c\nd'), '<blockquote><p>a<br />b</p><h3>c</h3></blockquote><p>d</p>');
  });

  it('renders an empty text as nothing', () => {
    const nothing = { html: '', plain: '' };
    assert.deepEqual(renderMarkdown(''), nothing);
    assert.deepEqual(renderMarkdown('\n\n'), nothing);
    assert.deepEqual(renderMarkdown(' \t\r\n '), nothing);
  });
});

// A link leads to an absolute web or mail address that is visible as such, or is not a link.
describe('links', () => {
  it('carry an escaped address and the relations of foreign content', () => {
    assert.equal(
      htmlOf('[a](https://a.example/?b=1&c=ä)'),
      `<p>${linkTo('https://a.example/?b=1&amp;c=%C3%A4', 'a')}</p>`,
    );
  });

  it('are created from bare addresses, without the full stop that follows', () => {
    assert.equal(
      htmlOf('See https://a.example/b_c_d (or http://b.example).'),
      `<p>See ${linkTo('https://a.example/b_c_d', 'https://a.example/b_c_d')} (or ${linkTo('http://b.example', 'http://b.example')}).</p>`,
    );
  });

  it('are created from www addresses, with https', () => {
    assert.equal(
      htmlOf('see www.a.example/b'),
      `<p>see ${linkTo('https://www.a.example/b', 'www.a.example/b')}</p>`,
    );
  });

  it('end before a bracket they did not open and before punctuation of any script', () => {
    const page = linkTo('http://a.example/b_(c)', 'http://a.example/b_(c)');
    assert.equal(htmlOf('(http://a.example/b_(c)), http://a.example/b_(c)。'), `<p>(${page}), ${page}。</p>`);
    assert.equal(htmlOf('**http://a.example/b_(c)**: x'), `<p><strong>${page}</strong>: x</p>`);
    assert.equal(
      htmlOf('[http://a.example/b_(c)] (see http://a.example/b_(c)(!)'),
      `<p>[${page}] (see ${linkTo('http://a.example/b_(c)(!)', 'http://a.example/b_(c)(!)')}</p>`,
    );
  });

  it('may have a port, a query and a fragment', () => {
    assert.equal(
      htmlOf('http://a.example:8080?b=[c]#d: e'),
      `<p>${linkTo('http://a.example:8080?b=%5Bc%5D#d', 'http://a.example:8080?b=[c]#d')}: e</p>`,
    );
  });

  it('are not created from file names, host names and mail addresses', () => {
    assert.equal(
      htmlOf('readme.md *a.example* ada@b.example'),
      '<p>readme.md <em>a.example</em> ada@b.example</p>',
    );
  });

  it('to a mail address stay in the page', () => {
    assert.equal(
      htmlOf('<ada@b.example>'),
      '<p><a href="mailto:ada@b.example" rel="nofollow ugc noopener noreferrer">ada@b.example</a></p>',
    );
  });

  it('show an international address as typed and lead to its ASCII form', () => {
    assert.equal(htmlOf('http://ж.рф/'), `<p>${linkTo('http://xn--f1a.xn--p1ai/', 'http://ж.рф/')}</p>`);
    assert.equal(
      htmlOf('http://xn--f1a.xn--p1ai/'),
      `<p>${linkTo('http://xn--f1a.xn--p1ai/', 'http://xn--f1a.xn--p1ai/')}</p>`,
    );
  });

  it('stay text when they are relative or run a script', () => {
    assert.equal(htmlOf('[a](/b)'), '<p>[a](/b)</p>');
    assert.equal(htmlOf('[a](//b.example)'), '<p>[a](//b.example)</p>');
    assert.equal(htmlOf('[a](javascript:b)'), '<p>[a](javascript:b)</p>');
  });

  it('never lead past a user name that looks like a host', () => {
    assert.equal(htmlOf('https://bank.example@evil.example'), '<p>https://bank.example@evil.example</p>');
    assert.equal(htmlOf('http://a:1@b.example'), '<p>http://a:1@b.example</p>');
    assert.equal(
      htmlOf('[a](https://bank.example:x@evil.example)'),
      '<p>[a](https://bank.example:x@evil.example)</p>',
    );
  });

  it('contain no other link', () => {
    assert.equal(
      htmlOf('[a <https://b.example> www.c.example](https://a.example)'),
      `<p>${linkTo('https://a.example', 'a https://b.example www.c.example')}</p>`,
    );
  });

  it('without a text show their address', () => {
    assert.equal(
      htmlOf('[](https://a.example)'),
      `<p>${linkTo('https://a.example', 'https://a.example')}</p>`,
    );
  });

  it('without a text that is seen show their address', () => {
    for (const [text, rest] of [
      ['[\u200b](https://a.example)', '\u200b'],
      ['[ ](https://a.example)', ' '],
      ['[&nbsp;](https://a.example)', '\u00a0'],
      ['[**\u2060**](https://a.example)', '<strong>\u2060</strong>'],
      ['[`\u200b`](https://a.example)', '<code>\u200b</code>'],
      ['[<b></b>](https://a.example)', '<strong></strong>'],
      ['[<https://b.example>\u200b](https://a.example)', undefined],
      ['[</b>](https://a.example)', undefined],
      ['<a href="https://a.example"><b></b></a>', '<strong></strong>'],
      ['<a href="https://a.example"></a>', ''],
      ['![\u200b](https://a.example)', '\u200b'],
    ] as const) {
      const html = htmlOf(`${text} b`);
      if (rest === undefined) assert.doesNotMatch(html, />https:\/\/a/, text);
      else assert.equal(html, `<p>${linkTo('https://a.example', `https://a.example${rest}`)} b</p>`);
    }
  });

  it('take the place of images', () => {
    assert.equal(
      htmlOf('![a *b*](https://a.example/c.png "d")'),
      `<p>${linkTo('https://a.example/c.png', 'a *b*')}</p>`,
    );
    assert.equal(
      htmlOf('![](https://a.example/c.png)'),
      `<p>${linkTo('https://a.example/c.png', 'https://a.example/c.png')}</p>`,
    );
    assert.equal(
      htmlOf('[![a](https://a.example/c.png)](https://b.example)'),
      `<p>${linkTo('https://b.example', 'a')}</p>`,
    );
  });
});

// A mention names a user once, whatever the rest of the text, and cannot notify a crowd.
describe('mentions', () => {
  it('are marked and collected in order', () => {
    const { html, plain } = renderMarkdown('[Ada Lovelace](@u17), [Grace](@u9) and [Ada](@u17)');
    assert.equal(
      html,
      '<p><span class="mention" data-user-id="17">Ada Lovelace</span>, ' +
        '<span class="mention" data-user-id="9">Grace</span> and <span class="mention" data-user-id="17">Ada</span></p>',
    );
    assert.equal(plain, 'Ada Lovelace, Grace and Ada');
    assert.deepEqual(mentionsIn(html), [17, 9]);
  });

  it('are not created from ids that no user can have', () => {
    assert.deepEqual(mentionsIn(renderMarkdown('[a](@u0) [a](@u017) [a](@u9007199254740992)').html), []);
    assert.deepEqual(mentionsIn(renderMarkdown('[a](@u9007199254740991)').html), [9_007_199_254_740_991]);
  });

  it('are not created from code, images and escaped text', () => {
    assert.deepEqual(mentionsIn(renderMarkdown('`[a](@u1)` ![a](@u1) \\[a](@u1) @u1').html), []);
  });

  it('end at the limit', () => {
    const text = Array.from({ length: mentionsMax + 10 }, (_, index) => `[a](@u${index + 1})`).join(' ');
    assert.deepEqual(
      mentionsIn(renderMarkdown(text).html),
      Array.from({ length: mentionsMax }, (_, index) => index + 1),
    );
  });
});

// A paragraph from right to left is shown so on any page; all other html stays as it is.
describe('the direction of a text', () => {
  it('is its own where there are letters from right to left', () => {
    assert.equal(renderMarkdown('شكرا!').html, '<p dir="auto">شكرا!</p>');
    assert.equal(renderMarkdown('a\n\nשלום').html, '<p dir="auto">a</p><p dir="auto">שלום</p>');
    assert.equal(
      renderMarkdown('# שלום\n\n- **a**\n1. b').html,
      '<h3 dir="auto">שלום</h3><ul><li dir="auto"><strong>a</strong></li></ul><ol><li dir="auto">b</li></ol>',
    );
    assert.match(renderMarkdown('- [ ] א').html, /^<ul><li class="task-list-item" dir="auto"><label>/);
    for (const text of ['Grüße, 日本, Ελλάδα, Привет, हिन्दी 🎉', '**a**'])
      assert.doesNotMatch(renderMarkdown(text).html, /dir/);
    assert.ok(isCanonical(renderMarkdown('# א\n\n> שלום\n\n1. **ב**').html));
    assert.ok(!isCanonical('<p dir="rtl">a</p>'));
    assert.ok(!isCanonical('<td dir="auto">a</td>'));
  });
});

// Plain text is what a reader reads, for search, notifications and mail.
describe('plain text', () => {
  it('drops markup and keeps the words', () => {
    assert.equal(
      renderMarkdown('# Title\n\n**bold** [link](https://a.example) ![alt](https://a.example/b.png) `code`')
        .plain,
      'Title\nbold link alt code',
    );
  });

  it('puts each block, line and item on its own line', () => {
    assert.equal(renderMarkdown('a\nb\n\n- c\n- d\n\n  e\n\n> f\n\n---\n\ng').plain, 'a\nb\nc\nd\ne\nf\ng');
  });

  it('keeps the lines of code', () => {
    assert.equal(renderMarkdown('a\n\n```js\nb <c>\n\n  d\n```\n\ne').plain, 'a\nb <c>\n\n  d\ne');
  });

  it('has the boxes of tasks and what is folded', () => {
    assert.equal(
      renderMarkdown('- [ ] a\n- [x] b\n\n<details><summary>c</summary>\nd\n</details>').plain,
      '☐ a\n☑ b\nc\nd',
    );
  });

  it('separates the cells of a table with tabs', () => {
    assert.equal(renderMarkdown('|a|b|\n|-|-|\n|1|2|').plain, 'a\tb\n1\t2');
  });

  it('is not escaped', () => {
    assert.equal(renderMarkdown('a < b & *c* &copy; \\* "d"').plain, 'a < b & c © * "d"');
  });
});

/** While a long text is rendered, other requests are answered; the result is that of a short one. */
describe('a long text', () => {
  it('is rendered by a thread, and becomes what it becomes without one', async () => {
    for (const text of ['# a\n', '**b** [c](http://d.example) ', '| e '].map((piece) => piece.repeat(3000))) {
      const rendering = renderInTime(text);
      assert.ok(rendering instanceof Promise);
      assert.deepEqual(await rendering, renderMarkdown(text));
    }
  });

  it('is one of more than 4096 characters', () => {
    assert.deepEqual(renderInTime('*f*'.repeat(1365)), renderMarkdown('*f*'.repeat(1365)));
    assert.ok(renderInTime('g'.repeat(4097)) instanceof Promise);
  });
});
