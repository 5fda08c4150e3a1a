import Type, { type Static } from 'typebox';
import { getting } from './common-operations.ts';
import { count, described, Id, limits, string } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** Limits of the fields of a blob whose bytes are stored elsewhere, in characters. */
const characters = { providerMax: 256, addressMax: 2048, mediaTypeMax: 128 } as const;

/** An upload, or a link to a file stored elsewhere. Other users do not see it until something uses it. */
export const Blob = Type.Object(
  {
    id: described(Id, 'The id of the blob.'),
    name: string('The name of the file, at most 256 characters, without folders or invisible characters.'),
    media_type: string('The media type, judged by the bytes; for a file kept elsewhere, as it was declared.'),
    width: o(Type.Integer({ description: 'The width of a picture, in pixels. Absent for anything else.' })),
    height: o(Type.Integer({ description: 'The height of a picture, in pixels. Absent for anything else.' })),
    size: count('The size in bytes.'),
    thumbnail_url: o(
      string(
        'The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.',
      ),
    ),
    provider: o(string('The name of the service that keeps the bytes. Absent for an upload.')),
    external_url: o(string('The address at which the provider shows the file. Absent for an upload.')),
    download_url: o(
      string(
        'The address at which the provider serves the bytes. Absent for an upload, and when the provider has none.',
      ),
    ),
    embed_url: o(
      string(
        'The address at which the provider shows the file inside another page. Absent for an upload, and when the provider has none.',
      ),
    ),
    raw: o(
      string(
        'Data of the provider about the file, as it was sent or as JSON. Absent for an upload, and when nothing was sent.',
      ),
    ),
  },
  {
    $id: 'Blob',
    description:
      'An upload, or a file kept elsewhere. Only its creator and API keys see it until something uses it.',
  },
);

const address = Type.String({
  maxLength: characters.addressMax,
  description: 'An http or https address without a user name.',
});

export const ExternalBlobCreate = Type.Object(
  {
    provider: Type.String({
      minLength: 1,
      maxLength: characters.providerMax,
      description: 'The name of the service that keeps the bytes, at most 256 characters.',
    }),
    link: described(address, 'The address at which the provider shows the file.'),
    name: Type.String({
      maxLength: limits.nameCharactersMax,
      description: 'The name of the file, at most 256 characters.',
    }),
    size: o(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The size in bytes; 0 when absent.',
      }),
    ),
    media_type: o(
      Type.String({
        maxLength: characters.mediaTypeMax,
        description: 'The media type of the file, such as `image/png`. Guessed from the name when absent.',
      }),
    ),
    width: o(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The width of a picture, in pixels.' }),
    ),
    height: o(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The height of a picture, in pixels.' }),
    ),
    download: o(described(address, 'The address at which the provider hands out the bytes.')),
    embed: o(described(address, 'The address at which the provider shows the file inside another page.')),
    raw: o(
      Type.Unknown({
        description:
          'Data of the provider about the file: any JSON, at most 64 KiB serialised. A string is kept as it is.',
      }),
    ),
  },
  { $id: 'ExternalBlobCreate', description: 'A file that is kept elsewhere.' },
);
export type ExternalBlobCreate = Static<typeof ExternalBlobCreate>;

export const blobOperations = operationsOf('Blobs', {
  createBlob: {
    method: 'POST',
    path: '/api/blobs',
    summary: 'Uploads a file of at most 50 MiB, to be used by a comment, a post or a file within 24 hours.',
    description:
      'An upload can be used once, and only by its uploader or an API key. Visitors who have signed in send pictures of at most 10 MiB for comments, where the operator lets them (`CONFAB_COMMENTS_PICTURES`). Of each the server keeps a WebP of at most 2,048 pixels a side that it has made itself, without metadata.',
    caller: 'any',
    scopes: ['apps'],
    on: 'caller',
    effect: 'wait',
    upload: { part: 'blob', bytesMax: limits.uploadBytesMax },
    success: { 201: Blob },
    signedIn: Blob,
    errors: [400, 401, 422],
  },
  createImportBlob: {
    method: 'POST',
    path: '/api/blobs/import',
    summary: 'Uploads an export of at most 512 MiB, to be used by an import within 24 hours.',
    description: 'Only an import takes an upload of more than 50 MiB. Sending it may take 50 minutes.',
    caller: 'key',
    scopes: ['apps', 'users'],
    on: 'caller',
    effect: 'wait',
    upload: { part: 'blob', bytesMax: limits.importBytesMax },
    success: { 201: Blob },
    errors: [400, 401],
  },
  createExternalBlob: {
    method: 'POST',
    path: '/api/blobs/external',
    summary: 'Names a file that is kept elsewhere, to be used as an upload is.',
    description: 'Nothing is fetched from the addresses, now or later.',
    caller: 'any',
    scopes: ['apps'],
    on: 'caller',
    effect: 'change',
    concurrentBy: 'caller',
    body: ExternalBlobCreate,
    success: { 201: Blob },
    errors: [400, 401, 422],
    example: {
      provider: 'Google Drive',
      link: 'https://docs.example.com/document/1',
      name: 'Plan.gdoc',
      media_type: 'application/vnd.google-apps.document',
    },
  },
  getBlob: {
    ...getting(Blob),
    path: '/api/blobs/{id}',
    summary: 'Gets a blob of the caller; an API key can get any blob.',
    on: { blob: 'read' },
  },
});
