import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, makeAgent, streaming, useProvider } from 'confab-testing/agents.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';

const guid = '2352a1c6-abc6-420e-8b85-ca7d5aed8779';
const server = useServer({ CONFAB_AGENTS: 'yes' });
const provider = useProvider();

// What `<wy-copilot>` of version 32 sends, and what it reads.
test('a copilot makes its chat with the first message, finds it again, and gets one complete answer', async () => {
  const agent = await makeAgent(server, provider);
  const ada = await makeUser(server, { name: 'Ada' });
  const asKit = inSecondForm(ada);
  const uid = freshUid('wy-copilot');
  assert.equal((await asKit.call('GET', `/api/apps/${uid}`)).status, 404);
  const fields = { type: 'agent_chat', members: [agent.uid], uid, name: 'When is it?' };
  const chat = await asKit.create('/api/apps', fields);
  assert.deepEqual([chat.type, chat.uid, chat.name], [guid, uid, 'When is it?']);
  const members = chat.members.data.map(({ id, is_agent: isAgent }: any) => [id, isAgent]);
  assert.deepEqual(
    members.toSorted(),
    [
      [agent.id, true],
      [ada.id, false],
    ].toSorted(),
  );
  const again = await asKit.call('POST', '/api/apps', { ...fields, type: guid });
  assert.ok(again.status < 300, again.text);
  assert.equal(again.body.id, chat.id);
  assert.equal((await asKit.read(`/api/apps/${uid}`)).id, chat.id);
  provider.will(streaming('In ', 'May.'));
  const { id: context } = await upload(ada, { name: 'page.txt', bytes: 'The launch is in May.' });
  const question = await asKit.create(`/api/apps/${chat.id}/messages`, {
    text: 'When is it?',
    blobs: [],
    embed_id: null,
    meeting_id: null,
    options: [],
    metadata: { instructions: 'Be short.' },
    context: [context],
  });
  const { id } = await answerTo(ada, question);
  const answer = await asKit.read(`/api/messages/${id}`);
  assert.deepEqual(
    [answer.text, answer.created_by.is_agent, answer.created_by.name, answer.app.id, answer.updated_at],
    ['In May.', true, 'Guide', chat.id, undefined],
  );
  const { data } = await asKit.read(`/api/apps?type=${guid}&member=${agent.uid}`);
  assert.deepEqual(
    data.map((app: any) => [app.id, app.last_message.id, app.is_unread]),
    [[chat.id, id, true]],
  );
});
