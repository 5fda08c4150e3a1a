import Type from 'typebox';
import { Embed, embedOperations } from '../embeds.ts';
import { string } from '../fields.ts';
import { operationsOf } from '../operation.ts';
import { replacing } from './replacing.ts';

const o = Type.Optional;

/** Limits of what a client says of an embed. */
export const embedLimits = {
  urlCharactersMax: 2048,
  titleCharactersMax: 256,
  descriptionCharactersMax: 1024,
  actionCharactersMax: 64,
  actionsMax: 10,
} as const;

const address = (description: string) =>
  Type.String({ minLength: 1, maxLength: embedLimits.urlCharactersMax, description });

const EmbedMake = Type.Object(
  {
    url: o(address('The absolute http or https address that the embed leads to.')),
    type: o(
      Type.Unsafe<'link' | 'photo'>({
        type: 'string',
        enum: ['link', 'photo'],
        description:
          'With it the embed is made of the other fields, and nothing is fetched. Without it, `url` is fetched. `video` and `rich` would need `html` and are refused.',
      }),
    ),
    title: o(
      Type.String({ maxLength: embedLimits.titleCharactersMax, description: 'Its title, as plain text.' }),
    ),
    description: o(
      Type.String({
        maxLength: embedLimits.descriptionCharactersMax,
        description: 'Its description, as plain text.',
      }),
    ),
    image: o(address('The absolute http or https address of its picture.')),
    html: o(string('Refused: markup is not passed on, because clients put it into the page.')),
    actions: o(
      Type.Array(Type.String({ minLength: 1, maxLength: embedLimits.actionCharactersMax }), {
        maxItems: embedLimits.actionsMax,
        description:
          'The names of its buttons, of which no two are the same. Pressing one fires an event in the page of the client; the server does not hear of it.',
      }),
    ),
  },
  { $id: 'EmbedMake', description: 'The address to fetch, or what the embed shows.' },
);

/** The operations of the second form on embeds. */
export const secondFormEmbedOperations = operationsOf('Embeds', {
  embedAddress: {
    method: 'GET',
    path: '/api/embeds',
    summary: 'Fetches an address and creates an embed from the page, as POST does.',
    caller: 'any',
    // It creates an embed as well.
    scopes: ['apps'],
    on: 'caller',
    effect: 'wait',
    query: Type.Object({ url: o(address('The absolute http or https address of a page or picture.')) }),
    success: { 200: Embed },
    errors: [400, 401, 422],
    problems: ['embed_failed'],
  },
  createEmbedInSecondForm: {
    ...replacing(embedOperations.createEmbed),
    summary: 'Creates an embed: of the page at an address, or with `type` of what the client says.',
    body: EmbedMake,
    example: { type: 'link', title: 'Plan', url: 'https://example.com/plan', actions: ['Approve'] },
  },
});
