import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { htmlToMarkdown } from '../src/html-to-markdown.ts';

// Html becomes the Markdown that a person would write for it.
describe('html to Markdown', () => {
  const markdown = (html: string): string => htmlToMarkdown(html, { lineFeeds: 'space' });

  test('keeps styles, and moves white space out of them', () => {
    assert.equal(markdown('a<b> bold </b>and <i>it</i>, <del>no</del>'), 'a **bold** and *it*, ~~no~~');
    assert.equal(markdown('<b>a</b><b>b</b> <b><i>c</i> d</b>'), '**ab *c* d**');
    assert.equal(markdown('<b>a <p>b</p></b>'), '**a**\n\n**b**');
  });

  test('drops a style that could not be read back, not its text', () => {
    assert.equal(markdown('x<b>"y"</b>z'), 'x"y"z');
  });

  test('drops a style whose start would end the one around it', () => {
    assert.equal(markdown('<b><i>\\</i><b>\na<i>b</i></b></b>'), '***\\\\* ab**');
    assert.equal(markdown('<b><i>a</i>a <i><del>.</del></i></b>'), '***a*a ~~.~~**');
  });

  test('keeps links with a web or mail address, and only the text of others', () => {
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

  test('turns a picture into a link', () => {
    assert.equal(
      markdown('<img src="https://a.example/p/cat.jpg?w=1">'),
      '[cat.jpg](https://a.example/p/cat.jpg?w=1)',
    );
    assert.equal(markdown('<img alt="A [cat]">'), 'A \\[cat\\]');
  });

  test('keeps lists, quotations, headings, rules, tables and code', () => {
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

  test('keeps tasks and folded blocks', () => {
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
      markdown('<table><tr><td><details><summary>a</summary>b</details></table>'),
      '| a b |\n| --- |',
    );
    assert.equal(markdown('<summary>a</summary>b'), 'a\n\nb');
  });

  test('drops unknown tags and scripts', () => {
    assert.equal(markdown('<x-y>a</x-y><font>b</font><script>c</script><style>d</style>&eacute;'), 'abé');
  });

  test('reads line feeds as WordPress does', () => {
    const html = 'a\nb<br />\nc\n\n\n<b>d</b>\n<blockquote>e</blockquote>\nf <code>g\nh</code>';
    assert.equal(
      htmlToMarkdown(html, { lineFeeds: 'break' }),
      'a\nb\nc\n\n**d**\n\n> e\n\nf\n\n```\ng\nh\n```',
    );
  });

  test('flattens what nests too deep and stays fast', () => {
    assert.match(markdown(`${'<blockquote>'.repeat(5000)}deep`), /^(?:> ){12}deep$/);
    assert.ok(markdown('<b>a</b>b '.repeat(20_000)).length > 100_000);
    assert.ok(markdown('[<i>'.repeat(20_000)).length > 20_000);
  });

  // Patterns that start again at each character of a run take minutes for these.
  test('takes linear time for long runs of one character', { timeout: 60_000 }, () => {
    const count = 600_000;
    const blank = htmlToMarkdown(`a${' '.repeat(count)}b`, { lineFeeds: 'break' });
    assert.equal(blank.replace(/ +/, ' '), 'a b');
    assert.equal(markdown(`<h1>${'#'.repeat(count)} a</h1>`).length > count, true);
  });
});
