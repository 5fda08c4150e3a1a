import { moderationOperations } from 'confab-contract/moderation.ts';
import { handler } from '../../binding/handler.ts';
import { readDocument } from './rule-book.ts';
import { rulesDetail } from './rules-json.ts';

/** Gets the rules and what they have done. */
export const getModerationRules = handler(moderationOperations.getModerationRules, async ({ read }) =>
  rulesDetail(read, await readDocument(read)),
);
