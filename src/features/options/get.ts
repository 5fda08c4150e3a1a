import { handler } from '../../binding/handler.ts';
import { optionOperations } from '../../contract/options.ts';
import { optionDetail } from '../entries/entry-options.ts';

/** One option of a poll, with its first voters. */
export const getOption = handler(
  optionOperations.getOption,
  async ({ read, caller, on }) => await optionDetail(read, caller, on.option),
);
