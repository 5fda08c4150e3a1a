import Type, { type Static } from 'typebox';
import {
  EntryCreate,
  EntryPatch,
  entryDetailFields,
  entryExpandedFields,
  entryItemFields,
  entryList,
} from './entries.ts';
import { listOf, TrashedQuery } from './fields.ts';
import { FileList, fileList } from './files.ts';
import { operation } from './operation.ts';

export const Message = Type.Object({ ...entryItemFields, ...entryDetailFields }, { $id: 'Message' });
export type Message = Static<typeof Message>;
/** A message in a list, and as the last one of a conversation. */
export const MessageItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields },
  { $id: 'MessageItem' },
);
const MessageList = listOf(MessageItem, 'MessageList');

const tag = 'Messages';
const id = { id: 'id' } as const;

export const messageOperations = {
  createMessage: operation({
    id: 'createMessage',
    method: 'POST',
    path: '/api/apps/{app}/messages',
    tag,
    summary: 'Creates a message in a chat, a chat room or a private chat.',
    description:
      'For its author the conversation is read up to the message. A client finds its own message again by what it put into `metadata`.',
    caller: 'any',
    params: { app: 'ref' },
    body: EntryCreate,
    success: { 201: Message },
    errors: [400, 401, 403, 404, 422],
    example: { text: 'On my way', metadata: { temp_id: '0.5772' } },
  }),
  listAppMessages: operation({
    id: 'listAppMessages',
    method: 'GET',
    path: '/api/apps/{app}/messages',
    tag,
    summary: 'Lists the messages of an app.',
    caller: 'any',
    params: { app: 'ref' },
    list: entryList,
    success: { 200: MessageList },
    errors: [401, 404],
  }),
  listMessages: operation({
    id: 'listMessages',
    method: 'GET',
    path: '/api/messages',
    tag,
    summary: 'Lists the messages of every app the caller can see.',
    caller: 'any',
    list: entryList,
    success: { 200: MessageList },
    errors: [401],
  }),
  getMessage: operation({
    id: 'getMessage',
    method: 'GET',
    path: '/api/messages/{id}',
    tag,
    summary: 'Gets a message.',
    caller: 'any',
    params: id,
    query: TrashedQuery,
    success: { 200: Message },
    errors: [401, 404],
  }),
  updateMessage: operation({
    id: 'updateMessage',
    method: 'PATCH',
    path: '/api/messages/{id}',
    tag,
    summary: 'Changes the fields that are present; null clears one and an array replaces.',
    caller: 'any',
    params: id,
    body: EntryPatch,
    success: { 200: Message },
    errors: [400, 401, 403, 404, 422],
    example: { text: 'On my way, ten minutes late' },
  }),
  trashMessage: operation({
    id: 'trashMessage',
    method: 'POST',
    path: '/api/messages/{id}/trash',
    tag,
    summary: 'Puts a message in the trash.',
    caller: 'any',
    params: id,
    success: { 200: Message },
    errors: [400, 401, 403, 404],
  }),
  restoreMessage: operation({
    id: 'restoreMessage',
    method: 'POST',
    path: '/api/messages/{id}/restore',
    tag,
    summary: 'Takes a message out of the trash.',
    caller: 'any',
    params: id,
    success: { 200: Message },
    errors: [400, 401, 403, 404],
  }),
  deleteMessage: operation({
    id: 'deleteMessage',
    method: 'DELETE',
    path: '/api/messages/{id}',
    tag,
    summary: 'Deletes a message for good, in the trash or not.',
    description: 'Its attachments, options, votes and reactions go with it. There is no way back.',
    caller: 'any',
    params: id,
    success: { 204: null },
    errors: [400, 401, 403, 404],
  }),
  listMessageAttachments: operation({
    id: 'listMessageAttachments',
    method: 'GET',
    path: '/api/messages/{id}/attachments',
    tag,
    summary: 'Lists the attachments of a message.',
    caller: 'any',
    params: id,
    list: fileList,
    success: { 200: FileList },
    errors: [401, 404],
  }),
};
