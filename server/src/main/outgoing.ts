import { dayMs } from 'confab-contract/values/time.ts';
import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { AgentParts } from '../features/agents/agents.ts';
import { createEmbedFetch } from '../features/embeds/embed-fetch.ts';
import { createEmbedSource } from '../features/embeds/embeds.ts';
import { createLanes } from '../features/webhooks/sending/lanes.ts';
import { systemRandom } from '../features/webhooks/sending/retry.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Dial } from '../net/connector.ts';
import { createEgress, type EgressTimeouts } from '../net/egress.ts';
import { createRefusalLog } from '../net/refusals.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import { type EgressRules, parseEgressRules } from '../net/rules.ts';
import { createWebReader } from '../net/web-reader.ts';
import { slotsPerHostMax } from '../workers/sender-slots.ts';
import { startWebhookSender, type WebhookSender } from '../workers/webhook-sender.ts';
import type { ServerTraces } from './traces.ts';

type OutgoingOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly traces: ServerTraces | undefined;
  /** The parts to stop, in the order in which they were started. */
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  readonly resolver?: Resolver;
  readonly dial?: Dial;
  readonly deadlines?: Partial<EgressTimeouts>;
};

/** How long a webhook may only fail before it is disabled, in milliseconds. */
function disableAfterMs({ webhookDisableDays: days }: Config): number | undefined {
  return days === undefined ? undefined : days * dayMs;
}

/** The operator's rules for outgoing requests. Throws an Error that names the setting that is invalid. */
export function egressRulesOf({
  egressAllow: allow,
  egressNat64: nat64,
  egressPorts: ports,
}: Config): EgressRules {
  return parseEgressRules({ allow, nat64, ports });
}

/** What requests about agents get: undefined where agents cannot have a provider. */
function agentsOf({ agents }: Config, rules: EgressRules): AgentParts['agents'] {
  return agents === 'yes' ? { rules } : undefined;
}

/** Outgoing requests: link previews and webhook deliveries. The sender starts last, when clients can call. */
export function startOutgoing(
  { config, clock, log, metrics, traces, started, deadlines, ...parts }: OutgoingOptions,
  { db, box }: { db: Db; box: SecretBox },
) {
  const rules = egressRulesOf(config);
  const webhookRules = { ...rules, isHttpsOnly: config.webhookHttpsOnly === 'yes' };
  const onRefused = createRefusalLog(log);
  const { resolver = createResolver(), dial } = parts;
  const embedEgress = createEgress({ rules, resolver, dial, onRefused });
  started.push({ name: 'the sockets of embeds', stop: () => embedEgress.close() });
  const reader = createWebReader({ egress: embedEgress, userAgent: `Confab-Embed/${version}` });
  const fetchEmbed = createEmbedFetch({ reader, rules });
  let sender: WebhookSender | undefined;
  started.push({ name: 'webhook deliveries', stop: () => sender?.stop() });

  async function startSending(): Promise<void> {
    sender = await startWebhookSender({
      lanes: createLanes({ db, clock, disableAfterMs: disableAfterMs(config) }),
      egress: createEgress({
        rules: webhookRules,
        resolver,
        dial,
        onRefused,
        timeouts: deadlines,
        socketsPerOriginMax: slotsPerHostMax,
      }),
      clock,
      random: systemRandom,
      log,
      metrics,
      trace(eventId) {
        const cause = traces?.causeOf(eventId);
        return cause === undefined ? undefined : traces?.child('webhook attempt', 'client', cause);
      },
      name: {
        headerPrefix: config.webhookHeaderPrefix,
        isStripe: config.webhookStripeSignature === 'yes',
        userAgent: `Confab-Hookshot/${version}`,
        box,
      },
    });
    db.onCommit('webhooks', sender.forget);
    db.onCommit('deliveries', sender.nudge);
  }

  return {
    webhookRules,
    agents: agentsOf(config, rules),
    embeds: createEmbedSource({ db, clock, rules, onRefused, fetchEmbed }),
    startSending,
  };
}
