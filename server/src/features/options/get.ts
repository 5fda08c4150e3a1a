import { optionOperations } from 'confab-contract/options.ts';
import { handler } from '../../binding/handler.ts';
import { optionDetail } from './option-json.ts';

/** Options are the answers of a poll, for which users vote. A poll belongs to a comment, post or message. */

/** One option of a poll, with its first voters. */
export const getOption = handler(
  optionOperations.getOption,
  async ({ read, caller, on }) => await optionDetail(read, caller, on.option),
);
