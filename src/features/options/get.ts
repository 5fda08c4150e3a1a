import { handler } from '../../binding/handler.ts';
import { optionOperations } from '../../contract/options.ts';
import { optionDetail } from './option-json.ts';

/** One option of a poll, with its first voters. */
export const getOption = handler(
  optionOperations.getOption,
  async ({ read, caller, on }) => await optionDetail(read, caller, on.option),
);
