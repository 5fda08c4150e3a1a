import assert from 'node:assert/strict';
import type { Conversation } from '../../src/contract/conversations.ts';
import type { Message } from '../../src/contract/messages.ts';
import type { Answer, TestServer } from './server.ts';

/** A user who takes part in conversations. */
export type Person = { readonly uid: string; readonly id: number; readonly token: string };

/** Sends requests of users to a server. */
export function talking(server: TestServer) {
  /** One request of a user. */
  async function by<T = Conversation>(
    person: Person,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<T>> {
    return await server.call(method, path, body, { as: person.token });
  }

  /** Starts a conversation; fails unless it is created. */
  async function start(person: Person, fields: object): Promise<Conversation> {
    const answer = await by(person, 'POST', '/api/conversations', fields);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  /** Writes a message; fails unless it is accepted. */
  async function write(person: Person, conversation: { id: number }, text = 'hello'): Promise<Message> {
    const answer = await by<Message>(person, 'POST', `/api/apps/${conversation.id}/messages`, { text });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  /** A conversation as a user sees it. */
  async function see(person: Person, { id }: { id: number }): Promise<Conversation> {
    const answer = await by(person, 'GET', `/api/conversations/${id}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  /** The ids of a user's conversations, in order. */
  async function list(person: Person, query = ''): Promise<number[]> {
    const { body } = await by<{ data: Conversation[] }>(person, 'GET', `/api/conversations${query}`);
    return body.data.map(({ id }) => id);
  }

  return { by, start, write, see, list };
}
