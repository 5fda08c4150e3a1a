import { moderationOperations } from 'confab-contract/moderation.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { append, type NewEvent } from '../../events/events.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RuleDocument } from './compiled-rules.ts';
import { deleteOtherCounts } from './moderation.store.ts';
import { checkedRules, hookName } from './rule-body.ts';
import { namesOf, readDocument, writeDocument } from './rule-book.ts';
import { renderRules, rulesDetail } from './rules-json.ts';

type Actors = { readonly actorOf: (caller: Principal) => NewEvent['actor'] };

/** Replaces the rules, if nobody has since the client read them. Throws `validation_failed`. */
export const replaceModerationRules = handler(
  moderationOperations.replaceModerationRules,
  (input) => input.read({ rules: checkedRules }),
  async ({ tx, caller, body, at }, { actorOf }: Actors) => {
    const { version } = await readDocument(tx);
    if (body.version !== version)
      throw invalidField('/version', 'outdated', `must be ${version}, because the rules were changed since`);
    const { rules, includes_bots: includesBots } = body;
    const document: RuleDocument = {
      version: version + 1,
      includesBots: includesBots ?? false,
      rules,
      modifiedAt: at,
    };
    await writeDocument(tx, document);
    await tx.run(deleteOtherCounts, { names: [...namesOf(rules), hookName] });
    const entity = { id: document.version, json: renderRules(document) };
    await append(tx, { action: 'rules_updated', actor: actorOf(caller), appId: null, entity, at });
    return await rulesDetail(tx, document);
  },
);
