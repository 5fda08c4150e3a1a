import Type from 'typebox';
import { getting } from './common-operations.ts';
import { boolean, count, described, Id, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** A page or picture on the web that an entry shows. */
export const Embed = Type.Object(
  {
    id: described(Id, 'The id of the embed.'),
    description: o(
      string(
        'The description that the page declares, as plain text of at most 1024 characters. Absent when it declares none.',
      ),
    ),
    created_at: described(Timestamp, 'When the embed was created.'),
    created_by_id: described(Id, 'The id of the user who created the embed.'),
    host: string('The host name of `original_url`.'),
    original_url: string(
      'The address as it was sent. Characters that could end an HTML attribute, such as quotes and angle brackets, are percent-encoded.',
    ),
    is_link: boolean('Whether there is nothing to show but a link with its preview.'),
    type: string('What the embed shows: the preview of a page (`link`) or a picture (`photo`).'),
    version: o(
      string('The version of oEmbed in the answer of the site. Absent when the site does not offer oEmbed.'),
    ),
    title: o(
      string('The title of the page, as plain text of at most 256 characters. Absent when it has none.'),
    ),
    author_name: o(
      string(
        'The author that the page names, as plain text of at most 128 characters. Absent when it names none.',
      ),
    ),
    author_url: o(string("The address of the author's page. Absent when the page names none.")),
    provider_name: o(
      string(
        'The name of the site, as plain text of at most 128 characters. Absent when the page names none.',
      ),
    ),
    provider_url: o(string('The address of the site. Absent when the page names none.')),
    cache_age: o(
      count('How long the page may be cached, in seconds, as the page specifies. Absent when it does not.'),
    ),
    thumbnail_url: o(
      string('The address of a picture of the page, on the site of the page. Absent when it has none.'),
    ),
    thumbnail_width: o(
      Type.Integer({
        description: 'The width of that picture in pixels, as the page declares it. Absent when it does not.',
      }),
    ),
    thumbnail_height: o(
      Type.Integer({
        description:
          'The height of that picture in pixels, as the page declares it. Absent when it does not.',
      }),
    ),
    url: o(string('The address of the picture. Absent for a link.')),
    width: o(Type.Integer({ description: 'The width of a photo in pixels. Absent for a link.' })),
    height: o(Type.Integer({ description: 'The height of a photo in pixels. Absent for a link.' })),
    html: o(string('Not used: always absent, because markup of other sites is not passed on.')),
  },
  { $id: 'Embed', description: 'A page or picture on the web that a comment, a post or a message shows.' },
);

/** The most characters of an address to embed: the limit of every address that the server calls. */
const urlCharactersMax = 2048;

const EmbedCreate = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: urlCharactersMax,
      description: 'The absolute http or https address of a page or picture.',
    }),
  },
  { $id: 'EmbedCreate', description: 'The page or picture to create an embed of.' },
);

export const embedOperations = operationsOf('Embeds', {
  createEmbed: {
    method: 'POST',
    path: '/api/embeds',
    summary: 'Fetches an address and creates an embed from the page.',
    description:
      'Reads the Open Graph, Twitter and oEmbed data of a page, or the size of a picture, following at most 5 redirects, for at most 10 seconds and 512 KiB. All texts are plain. The same address is fetched at most once in 24 hours, and the same caller gets the same embed again. The response is 400 when there is nothing to show, for any reason.',
    caller: 'any',
    scopes: ['apps'],
    on: 'caller',
    effect: 'wait',
    body: EmbedCreate,
    success: { 201: Embed },
    errors: [400, 401, 422],
    problems: ['embed_failed'],
    example: { url: 'https://example.com/article' },
  },
  getEmbed: {
    ...getting(Embed),
    path: '/api/embeds/{id}',
    summary: 'Gets an embed of the caller.',
    description:
      'Embeds of other users are shown only inside the comments, posts and messages that use them.',
    on: { embed: 'read' },
  },
});
