import Type from 'typebox';
import { getting } from './common-operations.ts';
import { operationsOf } from './operation.ts';

/** The features that a client can offer its users, by the names that existing clients use. */
export const featureNames = [
  'attachments',
  'comments',
  'embeds',
  'meetings',
  'mentions',
  'polls',
  'previews',
  'reactions',
  'receipts',
  'thumbnails',
  'typing',
  'versions',
] as const;
/** One of the features. */
export type Feature = (typeof featureNames)[number];

const Features = Type.Array(Type.Unsafe<Feature>({ type: 'string', enum: [...featureNames] }), {
  $id: 'Features',
  description: 'The features that work in apps of this kind on this server.',
});

export const featureOperations = operationsOf('Apps', {
  getFeatures: {
    ...getting(Features),
    path: '/api/features/{set}',
    summary:
      'Gets the features that a client can offer in one kind of app: `chat`, `comments`, `feeds` (posts), `files` or `messenger`.',
    caller: 'user',
    on: 'caller',
    params: { set: 'text' },
  },
});
