import { markdownOperations } from 'confab-contract/markdown.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { renderInTime } from './long-texts.ts';
import type { RenderedText } from './markdown.ts';
import { labelsOfMentions } from './mention-removal.ts';

/** Renders a text that is not kept. */
export const renderText = handler(markdownOperations.renderText, async ({ caller, body }) =>
  json(JSON.stringify(await renderFor(caller, body.text))),
);

/**
 * Renders what a caller writes; a promise for a long text (`renderInTime`). Visitors see nobody whom they could mention, so
 * what they write as a mention is the words of its label and does not look like one.
 */
export function renderFor(
  { kind }: Pick<Principal, 'kind'>,
  text: string,
): RenderedText | Promise<RenderedText> {
  const rendered = renderInTime(text);
  if (kind !== 'visitor') return rendered;
  return rendered instanceof Promise ? rendered.then(withoutMentions) : withoutMentions(rendered);
}

function withoutMentions({ html, plain }: RenderedText): RenderedText {
  return { html: labelsOfMentions(html), plain };
}
