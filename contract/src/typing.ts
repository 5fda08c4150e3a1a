import { operationsOf } from './operation.ts';

const typing = {
  method: 'PUT',
  caller: 'user',
  success: { 204: null },
  errors: [400, 401, 403, 404],
  effect: 'read',
} as const;

export const typingOperations = operationsOf('Realtime', {
  typeMessage: {
    ...typing,
    on: { app: 'write', holding: 'message' },
    path: '/api/apps/{id}/messages/typing',
    summary: 'Notifies the other users of a chat that the caller is writing a message.',
    description: 'Repeat the call while the user writes. More than one call a second has no further effect.',
  },
  typePost: {
    ...typing,
    on: { app: 'write', holding: 'post' },
    path: '/api/apps/{id}/posts/typing',
    summary: 'Notifies the other users of a posts app that the caller is writing a post.',
  },
  typeFileComment: {
    ...typing,
    on: { file: 'write' },
    path: '/api/files/{id}/comments/typing',
    summary: 'Notifies the other users of the app that the caller is writing a comment on a file.',
  },
  typePostComment: {
    ...typing,
    on: { post: 'write' },
    path: '/api/posts/{id}/comments/typing',
    summary: 'Notifies the other users of the app that the caller is writing a comment on a post.',
  },
  typeComment: {
    ...typing,
    on: { app: 'write', holding: 'comment' },
    path: '/api/apps/{app}/comments/typing',
    summary: 'Notifies the other users of an app that the caller is writing a comment.',
    description:
      'Where `CONFAB_COMMENTS_TYPING` is set, the stream of `GET /api/apps/{app}/changes` says it as well, at most once a second. It has no effect where the comment would be held for approval: nobody is shown by name before a moderator has seen them.',
    signedIn: null,
  },
  typeConversation: {
    ...typing,
    on: { conversation: 'write' },
    path: '/api/conversations/{id}/typing',
    summary: 'Notifies the other users of a conversation that the caller is writing a message.',
  },
});
