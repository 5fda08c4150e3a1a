import Type, { type Static } from 'typebox';
import { changing, deleting } from './common-operations.ts';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { listOf } from './fields.ts';
import { operationsOf } from './operation.ts';

export const Message = Type.Object(
  { ...entryItemFields, ...entryDetailFields },
  { $id: 'Message', description: 'A message in a chat.' },
);
export type Message = Static<typeof Message>;
/** A message in a list, and the last message of a conversation. */
export const MessageItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields },
  { $id: 'MessageItem', description: 'A message in a list.' },
);
const MessageList = listOf(MessageItem, 'MessageList');

const shared = entryOperations({ detail: Message, list: MessageList });

export const messageOperations = operationsOf('Messages', {
  createMessage: {
    ...shared.created,
    path: '/api/apps/{app}/messages',
    on: { app: 'write', holding: 'message' },
    summary: 'Creates a message in a chat, a chat room or a private chat.',
    description:
      'For its author the conversation is read up to the message. A client finds its own message again by what it put into `metadata`.',
    example: { text: 'On my way', metadata: { temp_id: '0.5772' } },
  },
  listAppMessages: {
    ...shared.listedIn,
    path: '/api/apps/{app}/messages',
    on: { app: 'read' },
    summary: 'Lists the messages of an app.',
  },
  listMessages: {
    ...shared.listed,
    path: '/api/messages',
    summary: 'Lists the messages of every app the caller can see.',
  },
  getMessage: {
    ...shared.got,
    path: '/api/messages/{id}',
    on: { message: 'read', trashed: 'asked' },
    summary: 'Gets a message.',
  },
  updateMessage: {
    ...shared.updated,
    path: '/api/messages/{id}',
    on: { message: 'edit' },
    example: { text: 'On my way, ten minutes late' },
  },
  trashMessage: {
    ...changing(Message),
    concurrentBy: 'item',
    path: '/api/messages/{id}/trash',
    on: { message: 'remove', trashed: 'included' },
    summary: 'Puts a message in the trash.',
  },
  restoreMessage: {
    ...changing(Message),
    concurrentBy: 'item',
    path: '/api/messages/{id}/restore',
    on: { message: 'restore' },
    summary: 'Takes a message out of the trash.',
  },
  holdMessage: {
    ...changing(Message),
    concurrentBy: 'item',
    path: '/api/messages/{id}/hold',
    on: { message: 'moderate' },
    summary: 'Holds a message: only its author and moderators see it until it is approved.',
  },
  approveMessage: {
    ...changing(Message),
    concurrentBy: 'item',
    path: '/api/messages/{id}/approve',
    on: { message: 'approve' },
    summary: 'Approves a message that is held, so that everyone sees it.',
  },
  deleteMessage: {
    ...deleting,
    path: '/api/messages/{id}',
    on: { message: 'remove', trashed: 'included' },
    summary: 'Deletes a message permanently, in the trash or not.',
    description: 'Its attachments, options, votes and reactions go with it. This cannot be undone.',
  },
  listMessageAttachments: {
    ...shared.attachments,
    path: '/api/messages/{id}/attachments',
    on: { message: 'read' },
    summary: 'Lists the attachments of a message.',
  },
});
