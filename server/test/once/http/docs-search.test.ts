import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { problems } from 'confab-contract/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { createDocsSearch, type DocsEntry, type DocsFound } from '../../../src/http/docs/docs-search.ts';
import { guideSources } from '../../../src/http/docs/guides.ts';
import { type DocsQuestion, others, tasks } from './docs-questions.ts';

const server = useServer();

async function find(question: string): Promise<DocsFound> {
  const path = `/docs/search.json?${new URLSearchParams({ q: question })}`;
  const { status, text } = await server.call('GET', path, undefined, { as: null });
  assert.equal(status, 200);
  return JSON.parse(text) as DocsFound;
}

/** The questions that have no right answer among the first three results, each with what it got. */
async function missed(questions: readonly DocsQuestion[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { asked, answers } of questions) {
    const found = (await find(asked)).results.slice(0, 3).map(({ href }) => href);
    const isRight = (href: string) =>
      answers.some((answer) => (answer.includes('#') ? href === answer : href.split('#')[0] === answer));
    if (!found.some(isRight)) lines.push(`${asked}: ${found.join(' ')} instead of ${answers.join(' ')}`);
  }
  return lines;
}

// Readers find the page that answers their question, in the words that they have for it.
describe('the search of the documentation', () => {
  test('answers what people ask with the right page among the first three', async (context) => {
    const [missedTasks, missedOthers] = [await missed(tasks), await missed(others)];
    for (const line of [...missedTasks, ...missedOthers]) context.diagnostic(line);
    assert.equal(tasks.length, 15);
    assert.equal(tasks.length + others.length, 60);
    assert.ok(missedTasks.length <= 1, missedTasks.join('\n'));
    assert.ok(missedTasks.length + missedOthers.length <= 6, [...missedTasks, ...missedOthers].join('\n'));
  });

  test('only leads to pages and sections that exist', async () => {
    const ids = new Map<string, string>();
    for (const answer of [...tasks, ...others].flatMap(({ answers }) => answers)) {
      const [path = '', id] = answer.split('#');
      if (!ids.has(path)) ids.set(path, (await server.call('GET', path, undefined, { as: null })).text);
      if (id !== undefined) assert.ok(ids.get(path)?.includes(`id="${id}"`), answer);
    }
  });

  test('finds every operation by its id and every problem by its code, first', async () => {
    for (const { id, tag } of operationList.filter((_, at) => at % 10 === 0))
      assert.equal((await find(id)).results[0]?.href, `/docs/reference/${tag.toLowerCase()}#${id}`);
    for (const code of Object.keys(problems).filter((_, at) => at % 5 === 0))
      assert.ok(
        (await find(code)).results.slice(0, 3).some(({ href }) => href === `/problems/${code}`),
        code,
      );
  });

  test('finds the beginning of a word, other forms, and a word with a slip', async () => {
    for (const question of ['upgra', 'upgraded', 'upgarding'])
      assert.ok(
        (await find(question)).results.slice(0, 3).some(({ href }) => href === '/docs/installing#upgrading'),
        question,
      );
  });

  test('finds nothing for nothing, and for a word that is nowhere', async () => {
    for (const question of ['', '   ', '?!', 'xqzvwkj'])
      assert.deepEqual(await find(question), { count: 0, results: [] }, question);
  });

  test('finds every guide by its title, first', async () => {
    for (const { path, markdown } of guideSources()) {
      const title = /^# (.*)$/m.exec(markdown)?.[1] ?? '';
      assert.equal((await find(title)).results[0]?.href.split('#')[0], path, title);
    }
  });

  test('looks at ten words of a question of any length, and sends twenty results', async () => {
    const ten = 'configuration moderation webhook notification performance backup import proxy user console';
    const found = await find(ten);
    assert.deepEqual(await find(`${ten} ${'metrics threads visitors '.repeat(500)}`), found);
    const many = await find('comments');
    assert.ok(many.results.length === 20 && many.count > 20);
    assert.ok(JSON.stringify(many).length < 12_000);
  });
});

const entry = (from: Partial<DocsEntry>): DocsEntry => ({
  kind: 'guide',
  title: 'A title',
  page: 'A page',
  about: '',
  name: '',
  href: '/a',
  blocks: [],
  ...from,
});

// A result shows why it was found.
describe('a result of the search', () => {
  test('has the part of the text that matches, with the words that do', async () => {
    const blocks = [
      'Nothing here.',
      `${'word '.repeat(80)}then restores a backup <b>at once</b> ${'end '.repeat(80)}`,
    ];
    const { find: ask } = await createDocsSearch([entry({ blocks })]);
    const { results } = ask('restore backups');
    const excerpt = results[0]?.excerpt ?? [];
    assert.deepEqual(
      excerpt.filter((_, at) => at % 2 === 1),
      ['restores', 'backup'],
    );
    assert.match(excerpt.join(''), /^… .*then restores a backup <b>at once<\/b> .* …$/);
    assert.ok(excerpt.join('').length < 200);
  });

  test('is a guide before an operation, and before an object', async () => {
    const kinds = ['object', 'operation', 'guide'] as const;
    const { find: ask } = await createDocsSearch(
      kinds.map((kind) => entry({ kind, href: `/${kind}`, title: 'Backups' })),
    );
    assert.deepEqual(
      ask('how do I back up').results.map(({ href }) => href),
      ['/guide', '/operation', '/object'],
    );
  });

  test('comes first with more of the words of a question', async () => {
    const { find: ask } = await createDocsSearch([
      entry({ href: '/one', title: 'Webhooks' }),
      entry({ href: '/both', title: 'Else', blocks: ['A webhook that is received in PHP.'] }),
    ]);
    assert.deepEqual(ask('php webhook').results.map(({ href }) => href)[0], '/both');
  });
});
