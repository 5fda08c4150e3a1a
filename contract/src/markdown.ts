import Type, { type Static } from 'typebox';
import { string, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const RenderedText = Type.Object(
  {
    html: string('The text as HTML that is safe to show; empty for a text without content.'),
    plain: string('The text without markup.'),
  },
  { $id: 'RenderedText', description: 'A text as it would be shown.' },
);

const TextToRender = Type.Object(
  { text: Text },
  { $id: 'TextToRender', description: 'A text that is not kept.' },
);
export type TextToRender = Static<typeof TextToRender>;

export const markdownOperations = operationsOf('Comments', {
  renderText: {
    method: 'POST',
    path: '/api/markdown',
    summary: 'Renders a text as a comment would show it, for a preview.',
    description: 'Nothing is kept, and no rule looks at the text. It counts as a write for rate limits.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    body: TextToRender,
    success: { 200: RenderedText },
    signedIn: RenderedText,
    errors: [400, 401, 422],
    example: { text: 'Ready for **review**' },
  },
});
