import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

const css = (value: string, more: object = {}) => ({ type: 'CssSelector', value, ...more });
const svg = (value: string) => ({ type: 'SvgSelector', value });
const text = (exact: string, more: object = {}) => ({ type: 'TextQuoteSelector', exact, ...more });
const range = (startSelector: object, endSelector: object) => ({
  type: 'RangeSelector',
  startSelector,
  endSelector,
});
const at = (name = '') => `/anchor/selector/0${name}`;

/** Anchors that are refused, each with the field that is at fault. */
const refused: readonly (readonly [anchor: object, pointer: string])[] = [
  [{}, '/anchor/key'],
  [{ key: ' ' }, '/anchor/key'],
  [{ key: 'x'.repeat(257) }, '/anchor/key'],
  [{ key: 'a\nb' }, '/anchor/key'],
  [{ selector: [] }, '/anchor/selector'],
  [{ selector: Array.from({ length: 9 }, () => css('p')) }, '/anchor/selector'],
  [{ selector: [{}] }, at('/type')],
  [{ selector: [{ type: 'DataPositionSelector', start: 1, end: 2 }] }, at('/type')],
  [{ selector: [{ type: 'TextQuoteSelector', prefix: 'a' }] }, at('/exact')],
  [{ selector: [text('')] }, at('/exact')],
  [{ selector: [text('word '.repeat(100_000))] }, at('/exact')],
  [{ selector: [text('a', { prefix: 'x'.repeat(257) })] }, at('/prefix')],
  [{ selector: [text('a', { suffix: 'x'.repeat(257) })] }, at('/suffix')],
  [{ selector: [text('\ud800')] }, at('/exact')],
  [{ selector: [{ type: 'TextPositionSelector', start: 4, end: 3 }] }, at('/end')],
  [{ selector: [{ type: 'TextPositionSelector', start: -1, end: 3 }] }, at('/start')],
  [{ selector: [{ type: 'TextPositionSelector', start: 1 }] }, at('/end')],
  [{ selector: [css('x'.repeat(1025))] }, at('/value')],
  [{ selector: [css('p', { exact: 'a' })] }, at('/exact')],
  [{ selector: [css('p', { conformsTo: 'https://example.com/' })] }, at('/conformsTo')],
  [
    { selector: [{ type: 'FragmentSelector', value: 't=1', conformsTo: 'javascript:alert(1)' }] },
    at('/conformsTo'),
  ],
  [{ selector: [range(css('p'), range(css('p'), css('p')))] }, at('/endSelector/type')],
  [{ selector: [{ type: 'RangeSelector', startSelector: css('p') }] }, at('/endSelector')],
  [
    { selector: [css('p', { refinedBy: css('b', { refinedBy: css('') }) })] },
    at('/refinedBy/refinedBy/value'),
  ],
  [
    { selector: [css('p', { refinedBy: css('b', { refinedBy: css('i', { refinedBy: css('u') }) }) })] },
    at('/refinedBy/refinedBy/refinedBy'),
  ],
  // Each part is within its limit, and all together is not.
  [{ selector: Array.from({ length: 5 }, () => text('x'.repeat(4000))) }, '/anchor'],
];

/** Texts that are no SVG of shapes. */
const drawings: readonly string[] = [
  'words',
  '<svg>',
  '<rect x="1"/>',
  '<svg/><svg/>',
  '<svg><svg/></svg>',
  '<svg>words</svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style>* { background: url(https://example.com) }</style></svg>',
  '<svg><foreignObject/></svg>',
  '<svg><image href="https://example.com/x.png"/></svg>',
  '<svg><use href="#a"/></svg>',
  '<svg><a href="javascript:alert(1)"/></svg>',
  '<svg><animate attributeName="d"/></svg>',
  '<svg onload="alert(1)"/>',
  '<svg><rect onclick="alert(1)"/></svg>',
  '<svg><rect style="fill: red"/></svg>',
  '<svg><rect class="a" id="b"/></svg>',
  '<svg><rect fill="url(#a)"/></svg>',
  '<svg><rect x="calc(1px)"/></svg>',
  '<svg><path d="M0 0 javascript:alert(1)"/></svg>',
  '<svg><g transform="rotate(1) url(a)"/></svg>',
  '<svg xmlns="http://www.w3.org/1999/xhtml"><rect/></svg>',
  '<svg xmlns:xlink="http://www.w3.org/1999/xlink"/>',
  '<x:svg xmlns:x="http://www.w3.org/2000/svg"/>',
  '<SVG/>',
  '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>',
  '<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>',
  '<?xml version="1.0"?><svg/>',
  '<?xml-stylesheet href="https://example.com/a.css"?><svg/>',
  '<svg><!-- --></svg>',
  '<svg><![CDATA[ ]]></svg>',
  '<svg><path d="&#77;0 0"/></svg>',
  `<svg>${'<g>'.repeat(1500)}`,
  `<svg>${'<g>'.repeat(8)}<path/>${'</g>'.repeat(8)}</svg>`,
  '<svg><path d="M0 0" d="M1 1"/></svg>',
  `<svg><path d="${'M0 0 '.repeat(2000)}"/></svg>`,
];

const accepted: readonly object[] = [
  { key: '../../etc/passwd' },
  { key: '<script>' },
  { key: '(a+)+$' },
  { key: '%' },
  { selector: [css('(a+)+$'), css('*{')] },
  { selector: [text('(.*)*x', { prefix: '', suffix: '\\' })] },
  { selector: [text('שלום, 你好, 👩‍👩‍👧')] },
  { selector: [text('x'.repeat(4096))] },
  {
    selector: [
      svg(
        '<svg viewBox="0 0 10 10"><g transform="translate(1, 2) rotate(45)"><path d="M 0,0 L1e1-2.5z"/></g></svg>',
      ),
    ],
  },
  {
    selector: [svg(' <svg xmlns="http://www.w3.org/2000/svg"><polygon points="1,2 3,4"></polygon>\n</svg> ')],
  },
  { selector: [css('p', { refinedBy: css('b', { refinedBy: text('word') }) })] },
];

async function send(path: string, body: object) {
  return await server.call('POST', path, body);
}

describe('an anchor', () => {
  test('that breaks a rule is refused, and the field is named', async () => {
    const app = await makeApp(server);
    for (const [anchor, pointer] of refused)
      assertProblem(
        await send(`/api/apps/${app.id}/comments`, { text: 'x', anchor }),
        422,
        'validation_failed',
        pointer,
      );
    assert.equal((await server.read(`/api/apps/${app.id}/comments`)).count, 0);
  });

  test('with one fault has this one alone, and not what is missing without the value at fault', async () => {
    const app = await makeApp(server);
    for (const [anchor, pointer] of [
      [{ key: 'x'.repeat(257) }, '/anchor/key'],
      [{ selector: [text('x'.repeat(5000))] }, at('/exact')],
      [{ selector: [{ type: 'TextPositionSelector', start: -1, end: 3 }] }, at('/start')],
      [{ selector: [range(css('p'), css(''))] }, at('/endSelector/value')],
    ] as const) {
      const { body } = await send(`/api/apps/${app.id}/comments`, { text: 'x', anchor });
      assert.deepEqual(
        body.errors.map((error: { pointer: string }) => error.pointer),
        [pointer],
      );
    }
  });

  test('with a value of the wrong type is refused, and the field is named', async () => {
    const app = await makeApp(server);
    for (const [anchor, pointer] of [
      ['a', '/anchor'],
      [{ key: 1 }, '/anchor/key'],
      [{ selector: {} }, '/anchor/selector'],
      [{ selector: ['p'] }, at()],
      [{ selector: [css('p', { refinedBy: 'b' })] }, at('/refinedBy')],
      [{ selector: [range({ type: 'XPathSelector', value: 1 }, css('p'))] }, at('/startSelector/value')],
      [{ selector: [{ type: 'TextPositionSelector', start: '1', end: 2 }] }, at('/start')],
    ] as const)
      assertProblem(await send(`/api/apps/${app.id}/comments`, { anchor }), 400, 'wrong_type', pointer);
  });

  test('with a drawing that is more than shapes is refused', async () => {
    const app = await makeApp(server);
    for (const drawing of drawings) {
      const answer = await send(`/api/apps/${app.id}/comments`, { anchor: { selector: [svg(drawing)] } });
      assertProblem(answer, 422, 'validation_failed', at('/value'));
    }
  });

  test('is kept as it was sent, whatever its texts look like', async () => {
    const app = await makeApp(server);
    for (const anchor of accepted)
      assert.deepEqual((await makeComment(server, app.id, { anchor })).anchor, anchor);
  });

  test('keeps nothing that is no property of it, which is a fault where the request is strict', async () => {
    const app = await makeApp(server);
    const path = `/api/apps/${app.id}/comments`;
    const anchor = {
      key: 'a',
      id: 'urn:1',
      selector: [css('p', { '@context': 'x', refinedBy: css('b', { x: 1 }) })],
    };
    const made = await makeComment(server, app.id, { anchor });
    assert.deepEqual(made.anchor, { key: 'a', selector: [css('p', { refinedBy: css('b') })] });
    assertProblem(
      await server.call('POST', path, { anchor }, { headers: { prefer: 'handling=strict' } }),
      422,
      'validation_failed',
      '/anchor/id',
      at('/@context'),
      at('/refinedBy/x'),
    );
  });

  test('as deep as a body can be is refused in the time of a small one', async () => {
    const app = await makeApp(server);
    let selector: object = css('p');
    for (let depth = 0; depth < 55; depth += 1) selector = css('p', { refinedBy: selector });
    const answer = await send(`/api/apps/${app.id}/comments`, { anchor: { selector: [selector] } });
    assertProblem(answer, 422, 'validation_failed', at('/refinedBy/refinedBy/refinedBy'));
  });
});
