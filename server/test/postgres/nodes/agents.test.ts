import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  answerTo,
  beginStream,
  eventOf,
  makeAgent,
  startChat,
  streaming,
  useProvider,
} from 'confab-testing/agents.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { before } from 'confab-testing/server.ts';

let nodes: Awaited<ReturnType<typeof startNodes>>;
before(async () => {
  nodes = await startNodes({}, { CONFAB_AGENTS: 'yes' });
});
after(() => nodes.close());
const provider = useProvider();

describe('agents of two nodes', () => {
  test('answer each message once, whichever node it was written to', async () => {
    const agent = await makeAgent(nodes.a, provider);
    const people = [await makeUser(nodes.a), await makeUser(nodes.a), await makeUser(nodes.a)];
    const chats = await Promise.all(people.map((person) => startChat(person, agent)));
    const asked = provider.asked.length;
    const written = people.flatMap((person, index) =>
      ['one', 'two', 'three'].map((text) => person.create(`/api/apps/${chats[index].id}/messages`, { text })),
    );
    await Promise.all(written);
    for (const [index, person] of people.entries()) {
      const path = `/api/apps/${chats[index].id}/messages` as const;
      const texts = await poll('the answers', async () => {
        const { data } = await person.read(path);
        const whole = data.filter(({ metadata }) => metadata === undefined);
        return whole.length < 6 ? undefined : data.map(({ text }) => text);
      });
      assert.deepEqual(texts.toSorted(), [
        'You said: one',
        'You said: three',
        'You said: two',
        'one',
        'three',
        'two',
      ]);
    }
    assert.equal(provider.asked.length - asked, 9);
  });

  test('that stop leave an answer that was begun to the others, which complete it', async () => {
    const agent = await makeAgent(nodes.a, provider);
    const ada = await makeUser(nodes.a);
    const chat = await startChat(ada, agent);
    provider.will((response) => beginStream(response).write(eventOf('So')));
    const question = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'Hi' });
    const begun = await poll('a beginning', async () => {
      const { data } = await ada.read(`/api/apps/${chat.id}/messages?order_by=id`);
      return data.find(({ id }) => id > question.id);
    });
    provider.will(streaming('So ', 'it is'));
    const third = await nodes.start();
    await nodes.b.close();
    await nodes.a.close();
    const token = await third.call('POST', `/api/users/${ada.id}/tokens`);
    const later = third.as(token.body.access_token);
    const answer = await answerTo(later, question);
    assert.deepEqual([answer.id, answer.text], [begun.id, 'So it is']);
  });
});
