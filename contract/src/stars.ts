import Type from 'typebox';
import { described, Id, listOf, string } from './fields.ts';
import { operationsOf } from './operation.ts';

const StarredEntity = Type.Object(
  {
    id: described(Id, 'The id of the app.'),
    type: string('What is starred: always `app`.'),
  },
  { $id: 'StarredEntity', description: 'Something that the caller has starred.' },
);
const StarList = listOf(StarredEntity, 'StarList');

export const starOperations = operationsOf('Apps', {
  starApp: {
    method: 'POST',
    path: '/api/apps/{app}/stars',
    summary: 'Stars the app for the caller; twice is once.',
    caller: 'user',
    on: { app: 'read' },
    effect: 'change',
    concurrentBy: 'caller',
    success: { 204: null },
    errors: [401, 404],
  },
  unstarApp: {
    method: 'DELETE',
    path: '/api/apps/{app}/stars',
    summary: 'Takes the star of the caller away.',
    caller: 'user',
    on: { app: 'read' },
    effect: 'change',
    concurrentBy: 'caller',
    success: { 204: null },
    errors: [401, 404],
  },
  listStars: {
    method: 'GET',
    path: '/api/stars',
    summary: 'Lists the items that the caller has starred and can see.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    list: { orderBy: ['id'], expand: [] },
    success: { 200: StarList },
    errors: [401],
  },
});
