import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { connectProgram } from 'confab-testing/mcp.ts';
import { guests, useWorld } from './page.ts';

const { server, open, appFor } = useWorld({ ...guests, CONFAB_MCP: 'yes' });
const [ada] = usePeople(server, 'Ada Lovelace');

// Readers see that a program wrote under the name of a person, and only there.
describe('comments that a program wrote', () => {
  test('have the mark of one', async () => {
    const app = await appFor('/programs');
    await makeComment(ada, app, { text: 'By hand' });
    const program = await connectProgram(server, server.key, { headers: { 'x-confab-user': ada.uid } });
    const { isError, text } = await program.call('createAppComment', {
      app: String(app),
      text: 'By program',
    });
    assert.equal(isError, false, text);
    const { page, faults, context } = await open({ path: '/programs' });
    const marksOf = (words: string) => page.locator('article', { hasText: words }).locator('.mark');
    await marksOf('By program').waitFor();
    assert.equal(await marksOf('By program').textContent(), 'bot');
    assert.equal(await marksOf('By hand').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
