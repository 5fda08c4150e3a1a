import type { Conversation } from 'confab-contract/conversations.ts';
import type { Message } from 'confab-contract/messages.ts';
import type { Caller } from './server.ts';

/** What a user does in conversations. Each request must succeed. */
export const talk = {
  /** Starts a conversation. */
  async start(person: Caller, fields: object): Promise<Conversation> {
    return await person.create('/api/conversations', fields);
  },

  /** Writes a message. */
  async write(person: Caller, conversation: { id: number }, text = 'hello'): Promise<Message> {
    return await person.create(`/api/apps/${conversation.id}/messages`, { text });
  },

  /** A conversation as the user sees it. */
  async see(person: Caller, { id }: { id: number }): Promise<Conversation> {
    return await person.read(`/api/conversations/${id}`);
  },

  /** The ids of the user's conversations, in order. */
  async list(person: Caller, query = ''): Promise<number[]> {
    const { data } = await person.read(`/api/conversations${query}` as '/api/conversations');
    return data.map(({ id }) => id);
  },
};
