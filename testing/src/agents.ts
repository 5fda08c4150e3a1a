import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after } from 'node:test';
import { type Arrival, type Receiver, startReceiver } from './harness/receiver.ts';
import { poll } from './poll.ts';
import { type Caller, freshUid, use } from './server.ts';

/** What an agent is asked, in the protocol of OpenAI. */
export type Asked = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly max_tokens?: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
};

/** How a stand-in answers: it writes the response, now or later. */
export type Answering = (response: ServerResponse, asked: Asked) => unknown;

/** A stand-in of an address that speaks the protocol of OpenAI. */
export type Provider = Receiver & {
  /** What it was asked since the start of the test, which empties it. */
  readonly asked: Asked[];
  /** Answers like this from now on. */
  will(answering: Answering): void;
};

/** One event of a stream. */
export function eventOf(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
}

/** Begins a stream. */
export function beginStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Answers with a stream of these pieces. */
export const streaming =
  (...pieces: string[]): Answering =>
  (response) => {
    beginStream(response);
    for (const piece of pieces) response.write(eventOf(piece));
    response.end('data: [DONE]\n\n');
  };

/** A stand-in for the tests of the file, closed after them. */
export function useProvider(): Provider {
  const provider = use(startProvider);
  after(() => provider.close());
  return provider;
}

/** Streams the last message back. */
const echo: Answering = (response, asked) =>
  streaming('You said: ', asked.messages.at(-1)?.content ?? '')(response, asked);

/** Starts a stand-in that streams an echo of the last message, until it is told to answer otherwise. */
export async function startProvider(): Promise<Provider> {
  const asked: Asked[] = [];
  let answering = echo;
  const receiver = await startReceiver(async (response, { path, headers, body }: Arrival) => {
    const one = { path, authorization: headers.authorization, ...JSON.parse(body.toString()) } as Asked;
    asked.push(one);
    await answering(response, one);
  });
  return {
    ...receiver,
    asked,
    will(next) {
      answering = next;
    },
  };
}

/** Makes an agent whose answers come from a stand-in. */
export async function makeAgent(
  server: Caller,
  provider: Pick<Provider, 'url'>,
  fields: object = {},
): Promise<{ readonly id: number; readonly uid: string }> {
  const uid = freshUid('agent');
  const body = { name: 'Guide', base_url: `${provider.url}/v1`, model: 'small', ...fields };
  const made = await server.call('PUT', `/api/agents/${uid}`, body);
  assert.equal(made.status, 201, made.text);
  return made.body as any;
}

/** Starts a chat of a person with an agent. */
export async function startChat(
  person: Caller,
  agent: { readonly uid: string },
  fields: object = {},
): Promise<any> {
  return await person.create(`/api/agents/${agent.uid}/chats`, fields);
}

/** Writes a message, and returns the answer to it once it is complete. */
export async function ask(
  person: Caller,
  chat: { readonly id: number },
  fields: object | string,
): Promise<any> {
  const body = typeof fields === 'string' ? { text: fields } : fields;
  return await answerTo(person, await person.create(`/api/apps/${chat.id}/messages`, body));
}

/** The answer to a message, once it is complete. */
export async function answerTo(
  person: Caller,
  question: { readonly id: number; readonly app_id: number },
): Promise<any> {
  return await poll('an answer', async () => {
    const { data } = await person.read(`/api/apps/${question.app_id}/messages?order_by=id`);
    const answer: any = data.find(({ id }) => id > question.id);
    return answer?.metadata?.agent_state === 'writing' ? undefined : answer;
  });
}
