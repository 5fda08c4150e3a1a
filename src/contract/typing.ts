import { operation } from './operation.ts';

const typing = {
  method: 'PUT',
  tag: 'Realtime',
  caller: 'user',
  params: { id: 'id' },
  success: { 204: null },
  errors: [400, 401, 403, 404],
  problems: ['write_forbidden'],
} as const;

export const typingOperations = {
  typeMessage: operation({
    ...typing,
    id: 'typeMessage',
    path: '/api/apps/{id}/messages/typing',
    summary: 'Tells the others in a chat that the caller is writing a message.',
    description:
      'Repeat it while the caller writes; of what comes more often than once a second the rest is dropped.',
  }),
  typePost: operation({
    ...typing,
    id: 'typePost',
    path: '/api/apps/{id}/posts/typing',
    summary: 'Tells the others in a posts app that the caller is writing a post.',
  }),
  typeFileComment: operation({
    ...typing,
    id: 'typeFileComment',
    path: '/api/files/{id}/comments/typing',
    summary: 'Tells the others in the app that the caller is writing a comment on a file.',
  }),
  typePostComment: operation({
    ...typing,
    id: 'typePostComment',
    path: '/api/posts/{id}/comments/typing',
    summary: 'Tells the others in the app that the caller is writing a comment on a post.',
  }),
  typeConversation: operation({
    ...typing,
    id: 'typeConversation',
    path: '/api/conversations/{id}/typing',
    summary: 'Tells the others in a conversation that the caller is writing a message.',
  }),
};
