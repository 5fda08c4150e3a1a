import { handler } from '../../binding/handler.ts';
import { markdownOperations } from '../../contract/markdown.ts';
import { json } from '../../kernel/json.ts';
import { renderInTime } from './long-texts.ts';

/** Renders a text that is not kept. */
export const renderText = handler(markdownOperations.renderText, async ({ body }) =>
  json(JSON.stringify(await renderInTime(body.text))),
);
