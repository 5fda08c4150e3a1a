import type { ModerationRules } from 'confab-contract/moderation.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { RuleDocument } from './compiled-rules.ts';
import { ruleCounts } from './moderation.store.ts';
import { hookName } from './rule-body.ts';

/** Rules without what they have done, as their event has them. */
export function renderRules({ version, includesBots, rules, modifiedAt }: RuleDocument): Json {
  const modified = modifiedAt === null ? {} : { modified_at: timestamp(modifiedAt) };
  return json(JSON.stringify({ version, includes_bots: includesBots, rules, ...modified }));
}

/** Rules and what each has done. */
export async function rulesDetail(read: Pick<Read, 'all'> | Tx, document: RuleDocument): Promise<Json> {
  const rows = await (read as Pick<Read, 'all'>).all(ruleCounts, {});
  const known = new Map(rows.map((row) => [row.name, row]));
  const names = document.rules.map(({ name }) => name);
  const counts: ModerationRules['counts'] = [...names, ...(known.has(hookName) ? [hookName] : [])].map(
    (name) => {
      const { reported = 0, held = 0, refused = 0, lastAt } = known.get(name) ?? {};
      return {
        name,
        reported,
        held,
        refused,
        ...(lastAt === undefined ? {} : { last_at: timestamp(lastAt) }),
      };
    },
  );
  return json(`${renderRules(document).slice(0, -1)},"counts":${JSON.stringify(counts)}}`);
}
