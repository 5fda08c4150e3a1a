import { handler } from '../../binding/handler.ts';
import { embedOperations } from '../../contract/embeds.ts';
import { renderEmbed } from './embed-json.ts';

/** An embed of the caller by its id. */
export const getEmbed = handler(embedOperations.getEmbed, async ({ on }) => renderEmbed(on.embed));
