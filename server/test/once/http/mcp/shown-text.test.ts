import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText } from '../../../../src/http/mcp/shown-text.ts';

// HTML is kept as it was made, so what the writer of today would not write is read as well.
test('a link that shows nothing is its address, whatever its html has', () => {
  const relations = 'rel="nofollow ugc noopener noreferrer" target="_blank"';
  for (const [label, shown] of [
    ['', 'https://e.example/?x&y'],
    ['\u200b', 'https://e.example/?x&y'],
    ['<strong> <br /></strong>', 'https://e.example/?x&y'],
    ['https://e.example/?x&amp;y<strong>\u00a0</strong>', 'https://e.example/?x&y'],
    ['https://e.example/?x&amp;yz', '[https://e.example/?x&yz](https://e.example/?x&y)'],
    ['<em>a</em>', '[*a*](https://e.example/?x&y)'],
    ['&lt;', '[<](https://e.example/?x&y)'],
  ] as const)
    assert.equal(
      shownText(`<p>a <a href="https://e.example/?x&amp;y" ${relations}>${label}</a> b</p>`),
      `a ${shown} b`,
    );
});

test('a block of code has no language', () => {
  assert.equal(shownText('<pre><code class="language-secret">a\n</code></pre>'), '```\na\n```');
});
