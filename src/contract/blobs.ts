import Type from 'typebox';
import { Id } from './fields.ts';
import { operation } from './operation.ts';

const o = Type.Optional;

/** An upload. Nobody sees it until a comment, a post or a file uses it. */
const Blob = Type.Object(
  {
    id: Id,
    name: Type.String({
      description: 'What the uploader calls it, without folders or invisible characters.',
    }),
    media_type: Type.String({ description: 'By the bytes, never by what the uploader declared.' }),
    width: o(Type.Integer({ description: 'Of a picture, in pixels.' })),
    height: o(Type.Integer({ description: 'Of a picture, in pixels.' })),
    size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
    thumbnail_url: o(
      Type.String({ description: 'Of a picture; needs no credential and ends within 30 hours.' }),
    ),
  },
  { $id: 'Blob' },
);

const tag = 'Blobs';

export const blobOperations = {
  createBlob: operation({
    id: 'createBlob',
    method: 'POST',
    path: '/api/blobs',
    tag,
    summary: 'Uploads a file of at most 50 MiB, to be used by a comment, a post or a file within 24 hours.',
    description: 'An upload can be used once and by its uploader alone; an API key may use those of anyone.',
    caller: 'any',
    upload: { part: 'blob' },
    success: { 201: Blob },
    errors: [400, 401],
  }),
  getBlob: operation({
    id: 'getBlob',
    method: 'GET',
    path: '/api/blobs/{id}',
    tag,
    summary: 'Gets an upload of the caller; an API key gets those of anyone.',
    caller: 'any',
    params: { id: 'id' },
    success: { 200: Blob },
    errors: [401, 404],
  }),
};
