import Type, { type Static } from 'typebox';
import { Id, Timestamp } from './fields.ts';
import { operation } from './operation.ts';

const o = Type.Optional;

/** A page or picture on the web that an entry shows. */
export const Embed = Type.Object(
  {
    id: Id,
    description: o(Type.String()),
    created_at: Timestamp,
    created_by_id: Id,
    host: Type.String({ description: 'The host name of `original_url`.' }),
    original_url: Type.String({ description: 'The address as it was sent.' }),
    is_link: Type.Boolean({ description: 'Whether there is nothing to show but a link with its preview.' }),
    type: Type.String({ description: '`link` or `photo`.' }),
    version: o(Type.String({ description: 'The version of oEmbed that the page answered with.' })),
    title: o(Type.String()),
    author_name: o(Type.String()),
    author_url: o(Type.String()),
    provider_name: o(Type.String()),
    provider_url: o(Type.String()),
    cache_age: o(
      Type.Integer({ minimum: 0, description: 'For how many seconds the page says it stays so.' }),
    ),
    thumbnail_url: o(Type.String()),
    thumbnail_width: o(Type.Integer()),
    thumbnail_height: o(Type.Integer()),
    url: o(Type.String({ description: 'The address of the picture of a photo.' })),
    width: o(Type.Integer()),
    height: o(Type.Integer()),
    html: o(Type.String({ description: 'Never there: no markup of others is passed on.' })),
  },
  { $id: 'Embed' },
);

/** The most characters of an address to embed: the limit of every address that the server calls. */
const urlCharactersMax = 2048;

export const EmbedCreate = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: urlCharactersMax,
      description: 'The absolute http or https address of a page or picture.',
    }),
  },
  { $id: 'EmbedCreate' },
);
export type EmbedCreate = Static<typeof EmbedCreate>;

const tag = 'Embeds';

export const embedOperations = {
  createEmbed: operation({
    id: 'createEmbed',
    method: 'POST',
    path: '/api/embeds',
    tag,
    summary: 'Fetches an address and makes an embed of what is there.',
    description:
      'Reads the Open Graph, Twitter and oEmbed data of a page, or the size of a picture, following at most 5 redirects, for at most 10 seconds and 512 KiB. All texts are plain. The same address is fetched at most once in 24 hours, and the same caller gets the same embed again. 400 says that there is nothing to show, for whatever reason.',
    caller: 'any',
    body: EmbedCreate,
    success: { 201: Embed },
    errors: [400, 401, 422],
    example: { url: 'https://example.com/article' },
  }),
  getEmbed: operation({
    id: 'getEmbed',
    method: 'GET',
    path: '/api/embeds/{id}',
    tag,
    summary: 'Gets an embed of the caller.',
    description: 'The embeds of others are seen inside the comments, posts and messages that use them.',
    caller: 'any',
    params: { id: 'id' },
    success: { 200: Embed },
    errors: [401, 404],
  }),
};
