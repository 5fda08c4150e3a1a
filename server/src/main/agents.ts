import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createAnswering } from '../features/answers/answering.ts';
import type { BlobLinks } from '../features/blobs/blob-links.ts';
import type { TypingNotices } from '../features/typing/type.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Dial } from '../net/connector.ts';
import { createEgress, type EgressTimeouts } from '../net/egress.ts';
import { createRefusalLog } from '../net/refusals.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import type { BlobStorage } from '../storage/storage.ts';
import { startAnswering } from '../workers/answering.ts';
import { egressRulesOf } from './outgoing.ts';

/** How long an answer may take, and how long its first byte, in milliseconds: models think before they write. */
const timeouts = { totalMs: 180_000, headersMs: 60_000 } as const;
/** How many requests one address gets at a time. */
const socketsMax = 32;

type Start = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The parts to stop, in the order in which they were started. */
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  readonly resolver?: Resolver;
  readonly dial?: Dial;
  readonly agentDeadlines?: Partial<EgressTimeouts>;
  readonly isQuiet?: boolean;
};

/** Starts the loop that has the agents of a provider answer, where the setting has it. */
export function startAgents(
  { config, clock, log, started, agentDeadlines, isQuiet, ...parts }: Start,
  store: {
    readonly db: Db;
    readonly box: SecretBox;
    readonly storage: BlobStorage;
    readonly links: BlobLinks;
  } & TypingNotices,
): void {
  if (config.agents !== 'yes' || isQuiet === true) return;
  const { resolver = createResolver(), dial } = parts;
  const egress = createEgress({
    rules: egressRulesOf(config),
    resolver,
    dial,
    onRefused: createRefusalLog(log),
    timeouts: { ...timeouts, ...agentDeadlines },
    socketsPerOriginMax: socketsMax,
  });
  started.push({ name: 'the sockets of agents', stop: () => egress.close() });
  const answering = createAnswering({ ...store, clock, log, egress, userAgent: `Confab-Agent/${version}` });
  const loop = startAnswering({ answering, log });
  store.db.onCommit('questions', loop.nudge);
  started.push({ name: 'the answers of agents', stop: () => loop.stop() });
}
