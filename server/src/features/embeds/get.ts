import { embedOperations } from 'confab-contract/embeds.ts';
import { handler } from '../../binding/handler.ts';
import { renderEmbed } from './embed-json.ts';

/** An embed of the caller by its id. */
export const getEmbed = handler(embedOperations.getEmbed, async ({ on, caller }) =>
  renderEmbed(on.embed, caller),
);
