import { createHash } from 'node:crypto';
import type { Rule, RuleAction } from 'confab-contract/moderation.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { AppView } from '../../access/access.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { moderates } from '../../access/standing.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { type Principal, type User, unstoredId } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { type Circumstances, type CompiledRules, isFor, matchText } from './compiled-rules.ts';
import type { Hook, HookQuestion } from './hook.ts';
import {
  countEarlier,
  deleteTexts,
  type Earlier,
  insertRecentText,
  oldestTexts,
  type Past,
} from './moderation.store.ts';
import { hookName, looksBack } from './rule-body.ts';
import type { RuleBook } from './rule-book.ts';
import { countMatches } from './rule-counts.ts';
import { type ScreenedText, textOfName, withName } from './screened-text.ts';

/**
 * Moderation screens what users write, with the rules and the hook of the operator, before the transaction that takes it
 * (decision 0066).
 */

/** A rule, or the hook, that matches a text, and what it does. */
export type Match = { readonly name: string; readonly action: RuleAction };

/** Reports an entry for the server, naming the rules, in the transaction that takes it. */
export type FileReport = (
  change: { readonly tx: Tx; readonly at: UnixMs },
  entry: EntryRow,
  rules: readonly string[],
) => Promise<void>;

/** The matches of an accepted text, at least one, and the function that files the report that some of them request. */
export type Verdict = {
  readonly matches: readonly Match[];
  readonly report: FileReport;
  /**
   * Of the text of a guest who is not stored yet: completes the verdict, which may have no match, in the transaction that
   * stores the guest and takes the text. Throws `text_refused`.
   */
  readonly complete?: (tx: Tx, author: Pick<User, 'id'>) => Promise<Verdict | undefined>;
};

/** Whether a rule holds the text, or the hook does. */
export function isHolding({ matches }: Verdict): boolean {
  return matches.some(({ action }) => action === 'hold');
}

/** A text on its way, and where it goes. */
export type Submission = {
  readonly caller: Principal;
  readonly app: AppView;
  readonly text: ScreenedText;
  /** Additional facts for the hook that do not follow from the other fields. */
  readonly question: Pick<
    HookQuestion,
    'operation' | 'kind' | 'id' | 'text' | 'plain' | 'options' | 'tags' | 'user_agent'
  >;
  readonly requestId: string;
};

/** Screens texts. */
export type Moderation = {
  /** Whether nothing of a caller is screened, known without a statement. */
  isIdle(caller: Principal): boolean;
  /** Decides about a text. Not to be called in a transaction. Throws `text_refused`. */
  screen(submission: Submission): Promise<Verdict | undefined>;
  /**
   * Whether no rule refuses or holds what has this name in it. `user` is who has it, undefined for a new guest. Not to be
   * called in a transaction.
   */
  takesName(name: string, user: User | undefined): Promise<boolean>;
  /** The rules in force. */
  rules(): Promise<CompiledRules>;
};

/** Creates the part that screens. Without a `hook`, only rules do. */
export function createModeration({
  db,
  clock,
  log,
  book,
  hook,
  report,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly book: RuleBook;
  readonly hook: Hook | undefined;
  readonly report: FileReport;
}): Moderation {
  return {
    isIdle: ({ kind }) => kind === 'key' || (hook === undefined && book.known()?.rules.length === 0),
    rules: () => book.current(),

    async takesName(name, user) {
      const rules = await book.current();
      const about =
        user === undefined
          ? { ageMs: 0, isOpenApp: true }
          : circumstancesOf(user, { access: 'write' }, clock.now());
      const matching = inOrder(rules, await matchText(rules, textOfName(name), about));
      const inTheWay = matching.filter(({ action }) => action !== 'report').map((rule) => rule.name);
      if (inTheWay.length > 0) log.info({ rules: inTheWay, user_id: user?.id }, 'rules refused a name');
      return inTheWay.length === 0;
    },

    async screen(submission) {
      const { caller, app } = submission;
      // Others read the name of a visitor beside each text, and visitors choose it themselves.
      const text =
        caller.user.way === null ? submission.text : withName(submission.text, caller.user.displayName);
      const rules = await book.current();
      if (exemptionOf(caller.user, app, rules) !== undefined) return undefined;
      const at = clock.now();
      const about = circumstancesOf(caller.user, app, at);
      const ruleMatches: Match[] = inOrder(rules, await matchText(rules, text, about));
      if (hook !== undefined && !ruleMatches.some(isRefusal)) {
        const action = await hook.judge(questionOf(submission, ruleMatches));
        if (action !== undefined) ruleMatches.push({ name: hookName, action });
      }
      const past = rules.rules.filter((rule) => looksBack(rule) && isFor(rule, about));
      if (ruleMatches.length === 0 && past.length === 0) return undefined;
      const note = async (tx: Tx, rulesOfPast: typeof past, userId: number) => {
        const all: Match[] = [...ruleMatches, ...(await matchPast(tx, rulesOfPast, { userId, text, at }))];
        for (const { name, action } of all) tx.defer(countMatches, { name, action, at });
        return all;
      };
      const verdictOf = (matches: readonly Match[]) => {
        assertTaken(matches, submission, log);
        return matches.length === 0 ? undefined : { matches, report };
      };
      const { id } = caller.user;
      if (id !== unstoredId) return verdictOf(await db.write((tx) => note(tx, past, id), 'adding'));
      if (ruleMatches.some(isRefusal)) return verdictOf(await db.write((tx) => note(tx, [], id), 'adding'));
      const complete: Verdict['complete'] = async (tx, author) => verdictOf(await note(tx, past, author.id));
      return { matches: ruleMatches, report, complete };
    },
  };
}

function isRefusal({ action }: Match): boolean {
  return action === 'refuse';
}

/** Why the rules do not hold for a user, or undefined where they do. */
export function exemptionOf(
  { isBot }: Pick<User, 'isBot'>,
  app: Pick<AppView, 'level'>,
  { includesBots }: CompiledRules,
): 'moderator' | 'bot' | undefined {
  if (moderates(app)) return 'moderator';
  return isBot && !includesBots ? 'bot' : undefined;
}

/**
 * The properties of a user and an app that decide which rules apply to a text. A guest is new until
 * they are trusted, because guests cost nothing to keep until they are old.
 */
export function circumstancesOf(
  { createdAt, way, isTrusted }: Pick<User, 'createdAt' | 'way' | 'isTrusted'>,
  { access }: Pick<AppView, 'access'>,
  at: UnixMs,
): Circumstances {
  const isNew = way === 'guest' && !isTrusted;
  return { ageMs: isNew ? 0 : at - createdAt, isOpenApp: access === 'write' };
}

/** The rules of a set in the order of the document. */
export function inOrder({ rules }: CompiledRules, matching: ReadonlySet<Rule>): Rule[] {
  return rules.filter((rule) => matching.has(rule));
}

/** A text that is compared with earlier ones. */
type Present = { readonly userId: number; readonly text: ScreenedText; readonly at: UnixMs };

/** Notes a text, and finds the rules that it matches because of earlier ones. */
async function matchPast(tx: Tx, rules: readonly Rule[], present: Present): Promise<Rule[]> {
  if (rules.length === 0) return [];
  const { userId, text, at } = present;
  const digest = digestOf(text);
  // Counting behind the insert counts what other nodes have committed; see `PostgresWriter`.
  const id = await tx.insert(insertRecentText, { userId, digest, createdAt: at });
  return await matchEarlier(tx, rules, { ...present, beforeId: id });
}

/** Finds the rules that a text matches because of those before `beforeId`. */
export async function matchEarlier(
  read: Pick<Read, 'get'> | Tx,
  rules: readonly Rule[],
  { userId, text, at, beforeId }: Present & { readonly beforeId: number },
): Promise<Rule[]> {
  const digest = digestOf(text);
  const matching: Rule[] = [];
  for (const rule of rules) {
    const lookback = pastOf(rule, text);
    if (lookback === undefined) continue;
    const { past, count, seconds } = lookback;
    const earlier: Earlier = { userId, digest, beforeId, since: at - seconds * 1000, top: count };
    const row = await (read as Pick<Read, 'get'>).get(countEarlier(past), earlier);
    if ((row?.count ?? 0) + 1 >= count) matching.push(rule);
  }
  return matching;
}

/** The fewest characters of texts that count as equal, where a rule says nothing else. */
const charactersMin = 40;

/** The texts that a rule counts; undefined where it counts none for this text. */
function pastOf(
  { equal_texts: equal, rate }: Rule,
  { plain }: ScreenedText,
): { past: Past; count: number; seconds: number } | undefined {
  // A rate matches what comes after as many texts as it allows.
  if (rate !== undefined) return { past: 'own', count: rate.count + 1, seconds: rate.seconds };
  if (equal === undefined || plain.trim().length < (equal.characters_min ?? charactersMin)) return undefined;
  const { of, count, seconds } = equal;
  return { past: of === 'user' ? 'own equal' : 'equal of others', count, seconds };
}

/** A digest of the words of a text, so that the text itself is not kept. */
function digestOf({ plain }: ScreenedText): string {
  return createHash('sha256').update(searchWords(plain)).digest('base64url').slice(0, 22);
}

function questionOf(
  { caller, app, text, question: shown }: Submission,
  matches: readonly Match[],
): HookQuestion {
  const { user } = caller;
  return {
    ...shown,
    link_count: text.linkCount,
    rules: matches.map(({ name }) => name),
    app: { id: app.id, uid: app.uid, type: app.type },
    user: {
      ...(user.id === unstoredId ? {} : { id: user.id }),
      uid: user.uid,
      display_name: user.displayName,
      ...(user.email === null ? {} : { email: user.email }),
      created_at: timestamp(user.createdAt),
      is_bot: user.isBot,
    },
  };
}

/**
 * Throws `text_refused` where a rule refuses. It does not say why: only the log names the rules, with the id of the
 * request that the author can quote.
 */
function assertTaken(matches: readonly Match[], { caller, app, requestId }: Submission, log: Log): void {
  const refusals = matches.filter(isRefusal);
  if (refusals.length === 0) return;
  log.info(
    {
      rules: refusals.map(({ name }) => name),
      user_id: caller.user.id === unstoredId ? undefined : caller.user.id,
      app_id: app.id,
      request_id: requestId,
    },
    'rules refused a text',
  );
  throw new Problem(
    'text_refused',
    'This text is not taken here. If you think that this is a mistake, give the operator the id of this request.',
  );
}

/** How long texts are remembered for the rules, in milliseconds: the longest window, and the clocks of nodes differ. */
const rememberedMs = 25 * 3_600_000;
/** The most texts that one transaction forgets. */
const forgottenMax = 500;

/** Forgets one batch of texts that no rule counts any more; returns whether there may be more. */
export async function forgetTexts({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const oldest = await db.read.all(oldestTexts, { top: forgottenMax });
  const ids = oldest.filter(({ createdAt }) => createdAt < clock.now() - rememberedMs).map(({ id }) => id);
  if (ids.length > 0) await db.write((tx) => tx.run(deleteTexts, { ids }));
  return ids.length === forgottenMax;
}
