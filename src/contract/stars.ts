import Type from 'typebox';
import { described, Id, listOf } from './fields.ts';
import { operation } from './operation.ts';

const StarredEntity = Type.Object(
  {
    id: described(Id, 'The id of the app.'),
    type: Type.String({ description: 'What is starred: always `app`.' }),
  },
  { $id: 'StarredEntity', description: 'Something that the caller has starred.' },
);
const StarList = listOf(StarredEntity, 'StarList');

const app = { app: 'ref' } as const;
const tag = 'Apps';

export const starOperations = {
  starApp: operation({
    id: 'starApp',
    method: 'POST',
    path: '/api/apps/{app}/stars',
    tag,
    summary: 'Stars the app for the caller; twice is once.',
    caller: 'user',
    on: { app: 'read' },
    effect: 'change',
    params: app,
    success: { 204: null },
    errors: [401, 404],
  }),
  unstarApp: operation({
    id: 'unstarApp',
    method: 'DELETE',
    path: '/api/apps/{app}/stars',
    tag,
    summary: 'Takes the star of the caller away.',
    caller: 'user',
    on: { app: 'read' },
    effect: 'change',
    params: app,
    success: { 204: null },
    errors: [401, 404],
  }),
  listStars: operation({
    id: 'listStars',
    method: 'GET',
    path: '/api/stars',
    tag,
    summary: 'Lists what the caller has starred and can see.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    list: {
      orderBy: ['id'],
      defaultOrder: { field: 'id', descending: false },
      expand: [],
    },
    success: { 200: StarList },
    errors: [401],
  }),
};
