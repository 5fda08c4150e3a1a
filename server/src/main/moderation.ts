import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createHook, type Hook } from '../features/moderation/hook.ts';
import { createModeration, type Moderation } from '../features/moderation/moderation.ts';
import { createRuleBook } from '../features/moderation/rule-book.ts';
import { reportByRules } from '../features/reports/rule-report.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Dial } from '../net/connector.ts';
import { createEgress } from '../net/egress.ts';
import { createRefusalLog } from '../net/refusals.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import { checkTarget } from '../net/target.ts';
import { startLoop } from '../workers/runner.ts';
import { egressRulesOf } from './outgoing.ts';

type ModerationOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The parts to stop, in the order in which they were started. */
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  readonly resolver?: Resolver;
  readonly dial?: Dial;
};

/** How often each of several nodes checks for changed rules whose notice it missed, in milliseconds. */
const lookMs = 5000;

/** The part that screens texts. Throws an Error for an address of the hook that is not permitted. */
export function startModeration(options: ModerationOptions, { db }: { db: Db }): Moderation {
  const { clock, log, started } = options;
  const book = createRuleBook(db);
  const look = startLoop({
    name: 'rules',
    log,
    async step() {
      await book.look();
      return db.peers === undefined ? undefined : lookMs;
    },
  });
  started.push({ name: 'the rules', stop: () => look.stop() });
  return createModeration({ db, clock, log, book, hook: startHook(options), report: reportByRules });
}

function startHook({
  config,
  clock,
  log,
  started,
  dial,
  resolver = createResolver(),
}: ModerationOptions): Hook | undefined {
  const { moderationHookUrl: url, moderationHookSecret: secret } = config;
  if (url === undefined || secret === undefined) return undefined;
  const rules = egressRulesOf(config);
  const target = checkTarget(url, rules);
  if (!target.ok) throw new Error(`CONFAB_MODERATION_HOOK_URL is refused: ${target.message}`);
  const egress = createEgress({
    rules,
    resolver,
    dial,
    onRefused: createRefusalLog(log),
    socketsPerOriginMax: 32,
  });
  started.push({ name: 'the moderation hook', stop: () => egress.close() });
  return createHook(
    {
      url,
      secret,
      timeoutMs: config.moderationHookSeconds * 1000,
      fallback: config.moderationHookFallback,
    },
    {
      egress,
      clock,
      log,
      signing: {
        headerPrefix: config.webhookHeaderPrefix,
        isStripe: false,
        userAgent: `Confab-Moderation/${version}`,
      },
    },
  );
}
