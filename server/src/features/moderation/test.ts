import { moderationOperations, ruleActions, type TextToTest } from 'confab-contract/moderation.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { readRef } from 'confab-contract/values/ids.ts';
import { type AppView, findApp } from '../../access/access.ts';
import { findUser } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { renderInTime } from '../markdown/long-texts.ts';
import { isFor, matchText } from './compiled-rules.ts';
import { circumstancesOf, exemptionOf, inOrder, type Moderation, matchEarlier } from './moderation.ts';
import { looksBack } from './rule-body.ts';
import { screenedText } from './screened-text.ts';

/** A user of long standing. */
const anyUser = { id: 0, createdAt: 0, isBot: false, way: null, isTrusted: false };
/** An app in which members alone write. */
const closedApp = { access: 'none', level: 'write' } as const;

/** Tests the rules with a text, which they do not count. Throws `validation_failed` for an unknown user or app. */
export const testModerationRules = handler(
  moderationOperations.testModerationRules,
  async ({ read, body, caller, at }, { moderation }: { readonly moderation: Moderation }) => {
    const user = await userOf(read, body);
    const app = await appOf(read, body, user ?? caller.user);
    const rules = await moderation.rules();
    const text = screenedText({ text: body.text, ...(await renderInTime(body.text)) }, []);
    const about = circumstancesOf(user ?? anyUser, app ?? closedApp, at);
    const matching = await matchText(rules, text, about);
    const past = rules.rules.filter((rule) => looksBack(rule) && isFor(rule, about));
    const present = { userId: (user ?? anyUser).id, text, at, beforeId: Number.MAX_SAFE_INTEGER };
    for (const rule of await matchEarlier(read, past, present)) matching.add(rule);
    const exempt = user && exemptionOf(user, app ?? closedApp, rules);
    const matches = inOrder(rules, matching).map(({ name, action }) => ({ name, action }));
    const strictest = ruleActions.findLast((each) => matches.some(({ action }) => action === each));
    const action = exempt === undefined ? (strictest ?? 'take') : 'take';
    return json(JSON.stringify({ action, ...(exempt === undefined ? {} : { exempt }), matches }));
  },
);

async function userOf(read: Read, { user }: TextToTest): Promise<User | undefined> {
  if (user === undefined) return undefined;
  const ref = readRef(user);
  const author = ref && (await findUser(read, ref));
  if (author === undefined) throw invalidField('/user', 'not_found', 'names no user');
  return author;
}

async function appOf(read: Read, { app }: TextToTest, user: User): Promise<AppView | undefined> {
  if (app === undefined) return undefined;
  const ref = readRef(app);
  const target = ref && (await findApp(read, { kind: 'token', user }, ref));
  if (target === undefined) throw invalidField('/app', 'not_found', 'names no app');
  return target;
}
