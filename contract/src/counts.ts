import Type from 'typebox';
import { count, limits } from './fields.ts';
import { operationsOf } from './operation.ts';

const CommentCounts = Type.Object(
  {
    counts: Type.Array(count('How many comments of the app itself are not in the trash.'), {
      description: 'The numbers in the order of the uids in the request.',
    }),
  },
  { $id: 'CommentCounts', description: 'How many comments some apps have.' },
);

export const countOperations = operationsOf('Comments', {
  listCounts: {
    method: 'GET',
    path: '/api/counts',
    summary: 'Counts the comments of up to 100 apps, for pages that list other pages.',
    description:
      'An app that does not exist, or that the caller may not see, has the count 0. More than 100 uids are ignored.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    query: Type.Object({
      uid: Type.Optional(
        Type.Array(Type.String({ format: 'app-uid' }), {
          maxItems: limits.topMax,
          description: 'The uid of an app. Send the parameter once for each app.',
        }),
      ),
    }),
    success: { 200: CommentCounts },
    visitors: CommentCounts,
    errors: [401],
  },
});
