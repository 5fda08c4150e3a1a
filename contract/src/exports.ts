import Type from 'typebox';
import { operationsOf } from './operation.ts';

const Archive = Type.String();

export const exportOperations = operationsOf('Users', {
  exportUser: {
    method: 'GET',
    path: '/api/users/{user}/export',
    summary: 'Sends everything that the server has of a user, as a tar archive.',
    description:
      'For API keys, and for users about themselves. The archive has JSON lines in `lines/`, each with the name of its table as `of`; the uploads in `files/`, which the lines of `blobs` name as `path`; and at its end `export.json` with the number of lines of each kind. An archive without `export.json` was cut off. What is created after the export has begun is left out.',
    caller: 'any',
    on: { user: 'export', trashed: 'included' },
    effect: 'wait',
    media: 'application/x-tar',
    success: { 200: Archive },
    signedIn: Archive,
    errors: [401, 404],
    problems: ['took_too_long'],
  },
});
