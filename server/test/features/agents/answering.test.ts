import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, test } from 'node:test';
import {
  type Answering,
  type Asked,
  answerTo,
  ask,
  beginStream,
  eventOf,
  makeAgent,
  startChat,
  streaming,
  useProvider,
} from 'confab-testing/agents.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { upload } from 'confab-testing/uploads.ts';

const server = useServer(
  { CONFAB_AGENTS: 'yes' },
  { agentDeadlines: { totalMs: 3000, headersMs: 1000, connectMs: 1000 } },
);
const provider = useProvider();

beforeEach(() => {
  provider.asked.length = 0;
  provider.will(streaming('Hel', 'lo'));
});

/** A person in a chat with an agent. */
async function meet(fields: object = {}) {
  const agent = await makeAgent(server, provider, fields);
  const ada = await makeUser(server, { name: 'Ada' });
  return { agent, ada, chat: await startChat(ada, agent) };
}

async function textsOf(by: Caller, chat: { id: number }): Promise<(string | undefined)[]> {
  const { data } = await by.read(`/api/apps/${chat.id}/messages?order_by=id`);
  return data.map(({ text }) => text);
}

/** Answers with a part of a stream, and the rest when it is released. */
function heldStream(first: string) {
  const begun = Promise.withResolvers<ServerResponse>();
  const answering: Answering = (response) => {
    beginStream(response).write(eventOf(first));
    begun.resolve(response);
  };
  const release = async (rest: string) => {
    const response = await begun.promise;
    response.write(eventOf(rest));
    response.end('data: [DONE]\n\n');
  };
  return { answering, begun: begun.promise, release };
}

describe('an agent of a provider', () => {
  test('has no characters that texts are refused for, also where a pair comes in two pieces', async () => {
    const { ada, chat } = await meet();
    provider.will(streaming('a\0b \ud83d', '\ude00 \udc00.'));
    const { text } = await ask(ada, chat, 'Hi');
    assert.equal(text, 'ab \u{1F600} \uFFFD.');
  });

  test('answers a message once, with its provenance, from what it is told', async () => {
    const { agent, ada, chat } = await meet({ instructions: 'Be short.', max_tokens: 50, secret: 'k-1' });
    const question = { text: 'Hi', metadata: { instructions: 'In French.' } };
    const answer = await ask(ada, chat, question);
    assert.deepEqual(
      [answer.text, answer.created_by_id, answer.via, answer.metadata],
      ['Hello', agent.id, 'agent', undefined],
    );
    assert.deepEqual(provider.asked, [
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer k-1',
        model: 'small',
        stream: true,
        max_tokens: 50,
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'system', content: 'In French.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    ]);
    const { data } = await server.read('/api/events?limit=100' as '/api/events');
    const created = data.filter(
      (event: any) => event.action === 'message_created' && event.actor.id === agent.id,
    );
    assert.deepEqual(
      created.map(({ actor }: any) => [actor.kind, actor.via]),
      [['bot', 'agent']],
    );
  });

  test('is sent the conversation so far, without answers that failed', async () => {
    const { ada, chat } = await meet();
    await ask(ada, chat, 'one');
    provider.will((response) => response.writeHead(500).end());
    await ask(ada, chat, 'two');
    provider.will(streaming('fine'));
    await ask(ada, chat, 'three');
    assert.deepEqual(
      provider.asked.at(-1)?.messages.map(({ role, content }) => `${role}: ${content}`),
      ['user: one', 'assistant: Hello', 'user: two', 'user: three'],
    );
  });

  test('is sent the newest part of a long conversation', async () => {
    const { ada, chat } = await meet();
    const long = 'x'.repeat(20_000);
    for (const number of [1, 2, 3]) await ask(ada, chat, `${number} ${long}`);
    const sent = provider.asked.at(-1)?.messages ?? [];
    assert.deepEqual(
      sent.map(({ content }) => content.slice(0, 5)),
      ['Hello', '2 xxx', 'Hello', '3 xxx'],
    );
  });

  test('is sent the texts of the context, and nothing of other files', async () => {
    const { ada, chat } = await meet();
    const text = (await upload(ada, { name: 'notes.txt', bytes: 'The launch is in May.' })).id;
    const binary = (await upload(ada, { name: 'data.bin', bytes: '\u0000\u0001\u0002' })).id;
    const asKit = inSecondForm(ada);
    const question = { text: 'When?', context: [text, binary], meeting_id: null, options: [] };
    await answerTo(ada, await asKit.create(`/api/apps/${chat.id}/messages`, question));
    assert.deepEqual(provider.asked[0]?.messages, [
      { role: 'user', content: 'Context (notes.txt):\n\nThe launch is in May.' },
      { role: 'user', content: 'When?' },
    ]);
  });

  test('refuses a context that is not the caller\u2019s', async () => {
    const { ada, chat } = await meet();
    const bob = await makeUser(server, { name: 'Bob' });
    const theirs = (await upload(bob, { name: 'notes.txt', bytes: 'secret' })).id;
    for (const context of [[theirs], [999_999], [theirs, theirs], Array(21).fill(1)]) {
      const path = `/api/apps/${chat.id}/messages`;
      const refused = await inSecondForm(ada).call('POST', path, { text: 'When?', context });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.text, /\/context/);
    }
    assert.deepEqual(await textsOf(ada, chat), []);
  });

  test('edits one message as the stream goes on, and shows that it writes', async () => {
    const { agent, ada, chat } = await meet();
    const held = heldStream('The first part');
    provider.will(held.answering);
    const question = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'Tell' });
    const partial: any = await poll('a part', async () => {
      const { data } = await ada.read(`/api/apps/${chat.id}/messages`);
      return data.find(({ created_by_id: by }) => by === agent.id);
    });
    assert.deepEqual([partial.text, partial.metadata], ['The first part', { agent_state: 'writing' }]);
    await held.release(' and the last');
    const answer = await answerTo(ada, question);
    assert.deepEqual(
      [answer.id, answer.text, answer.metadata],
      [partial.id, 'The first part and the last', undefined],
    );
    const { data } = await ada.read(`/api/messages/${answer.id}/revisions` as any);
    assert.equal((data as unknown[]).length, 0, 'the beginnings of an answer are no revisions of it');
  });

  test('writes to a client of the second form when the answer is complete', async () => {
    const { ada, chat } = await meet();
    const held = heldStream('The first part');
    provider.will(held.answering);
    const question = await inSecondForm(ada).create(`/api/apps/${chat.id}/messages`, { text: 'Tell' });
    await held.begun;
    const edits = () =>
      readStore(server.folder, `select count(*) as n from entries where app_id = ${chat.id}`);
    assert.equal(Number(edits()[0]?.['n']), 1);
    await held.release(' and the last');
    const answer = await answerTo(ada, question);
    assert.deepEqual([answer.text, answer.modified_at], ['The first part and the last', undefined]);
  });

  test('answers an address that cannot stream', async () => {
    const { ada, chat } = await meet();
    provider.will((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Whole' } }] })),
    );
    assert.equal((await ask(ada, chat, 'Hi')).text, 'Whole');
  });

  test('answers several messages of a chat in turn', async () => {
    const { ada, chat } = await meet();
    provider.will((response, asked) => streaming(`re ${asked.messages.at(-1)?.content}`)(response, asked));
    const path = `/api/apps/${chat.id}/messages` as const;
    for (const text of ['a', 'b', 'c']) await ada.create(path, { text });
    await poll('three answers', async () => ((await textsOf(ada, chat)).length === 6 ? true : undefined));
    const answers = (await textsOf(ada, chat)).filter((text) => text?.startsWith('re '));
    assert.deepEqual(answers, ['re a', 're b', 're c']);
  });
});

/** What a provider does wrong, and what the person is told. */
const wrongs: { readonly [name: string]: [Answering, RegExp, string] } = {
  'never answers': [() => undefined, /took too long/, 'timeout'],
  'begins and never ends': [
    (response) => beginStream(response).write(eventOf('So')),
    /^So\n\n.*took too long/,
    'timeout',
  ],
  'answers megabytes': [
    (response) => {
      const event = eventOf('word '.repeat(2000));
      beginStream(response);
      for (let at = 0; at < 400; at += 1) response.write(event);
      response.end();
    },
    /^word .*the answer is too long/s,
    'too_long',
  ],
  'sends a line without an end': [
    (response) => beginStream(response).end(`data: ${'x'.repeat(3_000_000)}`),
    /the answer is too long/,
    'too_long',
  ],
  'answers an error': [
    (response) => response.writeHead(429).end('{"error":{"message":"no"}}'),
    /refused/,
    'refused',
  ],
  redirects: [
    (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    /points to another one/,
    'redirect',
  ],
  'answers a page': [
    (response) => response.writeHead(200).end('<html>hello</html>'),
    /is no answer|too early/,
    'broken',
  ],
  'streams something else': [
    (response) => beginStream(response).end('data: {"weather":"fine"}\n\n'),
    /is no answer/,
    'invalid',
  ],
  'streams an error': [
    (response) => beginStream(response).end('data: {"error":{"message":"overloaded"}}\n\n'),
    /is no answer/,
    'invalid',
  ],
  'answers nothing': [streaming(''), /is no answer/, 'invalid'],
  'cuts the connection': [
    (response) => {
      beginStream(response).write(eventOf('So'), () => response.socket?.end());
    },
    /^So\n\n.*ended too early/,
    'broken',
  ],
};

describe('a provider that', () => {
  for (const [name, [answering, told, fault]] of Object.entries(wrongs))
    test(`${name} ends in a message that says so`, async () => {
      const { ada, chat } = await meet();
      provider.will(answering);
      const answer = await ask(ada, chat, 'Hi');
      assert.match(answer.text, told);
      assert.deepEqual(answer.metadata, { agent_state: 'failed', agent_error: fault });
      assert.ok(Buffer.byteLength(answer.text) <= 64 * 1024);
      provider.will(streaming('Back'));
      assert.equal((await ask(ada, chat, 'Again')).text, 'Back');
    });

  test('is gone ends in a message that says so', async () => {
    const gone = await startReceiver();
    gone.close();
    const agent = await makeAgent(server, gone);
    const ada = await makeUser(server, { name: 'Ada' });
    const answer = await ask(ada, await startChat(ada, agent), 'Hi');
    assert.match(answer.text, /cannot be reached/);
  });

  test('does not answer delays no other agent', async () => {
    provider.will(() => undefined);
    const slow = await makeAgent(server, provider);
    const people = await Promise.all([1, 2, 3].map(() => makeUser(server)));
    for (const person of people)
      for (let at = 0; at < 6; at += 1)
        await person.create(`/api/apps/${(await startChat(person, slow)).id}/messages`, { text: 'Hi' });
    const other = await startReceiver((response, { body }) =>
      streaming('Here')(response, JSON.parse(body.toString())),
    );
    const agent = await makeAgent(server, other);
    const ada = await makeUser(server);
    const before = performance.now();
    assert.equal((await ask(ada, await startChat(ada, agent), 'Hi')).text, 'Here');
    // Eight at a time for three seconds each would be more than twice this.
    assert.ok(performance.now() - before < 3000);
    other.close();
  });
});

describe('a message to an agent', () => {
  test('is refused as the 21st of one user in a minute, whichever agent it is to', async () => {
    const { agent, ada, chat } = await meet();
    const other = await startChat(ada, agent);
    for (let at = 0; at < 20; at += 1)
      await ada.create(`/api/apps/${(at % 2 === 0 ? chat : other).id}/messages`, { text: 'Hi' });
    const refused = await ada.call('POST', `/api/apps/${chat.id}/messages`, { text: 'One more' });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const bob = await makeUser(server);
    assert.equal((await ask(bob, await startChat(bob, agent), 'Hi')).text, 'Hello');
  });

  test('of a program or of the agent itself gets no answer', async () => {
    const { agent, chat } = await meet();
    const own = server.as(await server.token(agent.uid));
    await own.create(`/api/apps/${chat.id}/messages`, { text: 'To myself' });
    const other = await makeAgent(server, provider);
    const program = server.as(await server.token(other.uid));
    const theirs = await startChat(program, agent);
    await program.create(`/api/apps/${theirs.id}/messages`, { text: 'To another' });
    assert.deepEqual(
      readStore(server.folder, `select * from agent_questions where app_id in (${chat.id}, ${theirs.id})`),
      [],
    );
  });

  test('that is gone before the answer gets none, and holds up no other', async () => {
    const { ada, chat } = await meet();
    const held = heldStream('So');
    // Other tests leave questions behind, which are answered at once.
    const last = ({ messages }: Asked) => messages.at(-1)?.content;
    provider.will((response, asked) =>
      (last(asked) === 'one' ? held.answering : streaming('Hello'))(response, asked),
    );
    await ada.create(`/api/apps/${chat.id}/messages`, { text: 'one' });
    await held.begun;
    const second = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'two' });
    await ada.call('POST', `/api/messages/${second.id}/trash`);
    await ada.create(`/api/apps/${chat.id}/messages`, { text: 'three' });
    await held.release(' it is');
    await poll('the answers', async () => ((await textsOf(ada, chat)).length === 4 ? true : undefined));
    assert.deepEqual(await textsOf(ada, chat), ['one', 'three', 'So it is', 'Hello']);
    assert.deepEqual(
      provider.asked.find((asked) => last(asked) === 'three')?.messages.map(({ content }) => content),
      ['one', 'So it is', 'three'],
    );
  });

  test('is not answered in a chat that the agent has lost', async () => {
    const { agent, ada, chat } = await meet();
    await ada.call('DELETE', `/api/apps/${chat.id}/members/${agent.id}`);
    await ada.create(`/api/apps/${chat.id}/messages`, { text: 'Hi' });
    assert.deepEqual(readStore(server.folder, `select * from agent_questions where app_id = ${chat.id}`), []);
  });
});
