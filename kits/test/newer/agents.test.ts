import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { keepPicture, listening, meet, part, type TwoPeople, words, write } from './two-people.ts';

/**
 * A model that answers every question by the same words, in pieces, as the protocol of OpenAI streams them. It thinks until
 * it is told to answer: the kit shows only what comes after it has asked for the messages of a new conversation.
 */
async function startModel() {
  let thought = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      await thought.promise;
      thought = Promise.withResolvers();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of ['It has ', 'forty-two ', '**cogs**.'])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
      );
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    answer: () => thought.resolve(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// A user asks an agent in version 32, and its answer appears as it is written.
describe('an agent in version 32', () => {
  let people: TwoPeople;
  let model: Awaited<ReturnType<typeof startModel>>;

  before(async () => {
    model = await startModel();
    people = await meet({ settings: { CONFAB_AGENTS: 'yes' } });
    await people.server.call('PUT', '/api/agents/guide', {
      name: 'Guide',
      base_url: model.url,
      model: 'small',
      secret: 'a-key',
    });
  });

  after(async () => {
    await people.close();
    await model.close();
  });

  const answer = (page: Page) => part(page.locator('wy-message', { hasText: 'cogs' }), 'wy-content');

  test('answers in the copilot', async () => {
    const page = await people.open(
      'ada',
      '<wy-copilot agent="guide" instructions="Be brief." style="flex: 1"></wy-copilot>',
    );
    await write(page.locator('wy-editor-message'), 'How many cogs?', 'Send');
    await listening(page, { action: 'message_created', apps: 1 });
    model.answer();
    assert.equal(await words(answer(page).filter({ hasText: 'forty-two' })), 'It has forty-two cogs.');
    assert.equal(await words(answer(page).locator('strong')), 'cogs');
    await keepPicture(page, 'newer-copilot');
  });

  test('is found among those whom a user can write to, and answers in the messenger', async () => {
    const page = await people.open('ada', '<wy-messenger agent="guide" style="flex: 1"></wy-messenger>');
    await page.setViewportSize({ width: 1100, height: 800 });
    await part(page, 'wy-conversation-item', { hasText: 'How many cogs?' }).first().click();
    assert.match(await words(answer(page).filter({ hasText: 'forty-two' }).first()), /forty-two/);
    await page.locator('wy-conversation-new').locator('button').first().click();
    await write(page.locator('wy-editor-message'), 'And wheels?', 'Send');
    await listening(page, { action: 'message_created', apps: 2 });
    model.answer();
    await answer(page).filter({ hasText: 'forty-two' }).first().waitFor();
    await keepPicture(page, 'newer-messenger-of-an-agent');
  });

  test('no page has a fault', () => {
    assert.deepEqual(people.faults(), []);
  });
});
