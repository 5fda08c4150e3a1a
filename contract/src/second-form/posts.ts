import Type from 'typebox';
import { operationsOf } from '../operation.ts';
import { postOperations } from '../posts.ts';
import { replacing } from './replacing.ts';

const o = Type.Optional;

const query = Type.Object({
  app: o(
    Type.Array(Type.String({ format: 'app-uid' }), {
      description: 'Only the posts of these apps, each by its id or uid, at most 50.',
    }),
  ),
  following: o(
    Type.Boolean({ description: 'Whether only posts of users whom the caller follows are listed.' }),
  ),
  after: o(
    Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only posts with a higher id than this one, which may be negative. It is no cursor: pages are told by `skip`.',
    }),
  ),
  out: o(
    Type.Unsafe<'details'>({
      type: 'string',
      enum: ['details'],
      description: 'Accepted from clients that ask for details, which there are in any case.',
    }),
  ),
});

/** The operations of the second form on posts. */
export const secondFormPostOperations = operationsOf('Posts', {
  listPostsInSecondForm: {
    ...replacing(postOperations.listPosts),
    summary: 'Lists the posts of every app that the caller can see, or of some of them.',
    query: Type.Object({ ...postOperations.listPosts.query.properties, ...query.properties }),
  },
  listAppPostsInSecondForm: {
    ...replacing(postOperations.listAppPosts),
    query,
  },
});
