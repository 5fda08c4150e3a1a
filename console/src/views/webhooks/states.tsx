import type { DeliveryItem, Webhook } from 'confab-client';
import { client } from '../../api.ts';
import { Badge, type Tone } from '../../components/Badge.tsx';
import { useQuery } from '../../data.ts';
import { formatAgo } from '../../i18n.ts';
import { t } from './messages.ts';

/** States of webhooks and of deliveries, in words. */

/** How often what is being sent is looked at again, in milliseconds: attempts are in no event. */
export const sendingMs = 4000;

/** Whether a webhook delivers, retries, is paused or switched off, and why. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { breaker, is_enabled: isEnabled, id } = webhook;
  const isDelivering = isEnabled && breaker.state === 'closed';
  const oldest = useQuery(
    `retrying ${id} ${isDelivering}`,
    async (signal) => (isDelivering ? await readRetrying(id, signal) : undefined),
    { everyMs: sendingMs },
  ).data;
  if (!isEnabled) return <State word={t('off')} text={t('offText')} />;
  if (breaker.state === 'open')
    return (
      <State
        tone="bad"
        word={t('paused')}
        text={t('pausedText', {
          since: formatAgo(breaker.opened_at ?? Date.now()),
          reason: errorWords(breaker.reason ?? ''),
          next: formatAgo(breaker.next_probe_at ?? Date.now()),
        })}
      />
    );
  if (oldest !== undefined)
    return (
      <State
        tone="warn"
        word={t('retrying')}
        text={t('retryingText', { since: formatAgo(oldest.created_at) })}
      />
    );
  return <State tone="good" word={t('delivering')} />;
}

async function readRetrying(id: number, signal: AbortSignal): Promise<DeliveryItem | undefined> {
  const query = { status: 'retrying', order_by: 'id', top: 1, count: false } as const;
  return (await client.listDeliveries(id, query, { signal })).data[0];
}

function State({
  tone,
  word,
  text,
}: {
  readonly tone?: Tone;
  readonly word: string;
  readonly text?: string;
}) {
  return (
    <span class="state">
      <Badge {...(tone === undefined ? {} : { tone })}>{word}</Badge>
      {text !== undefined && <span class="soft">{text}</span>}
    </span>
  );
}

/** The states of a delivery, with what they mean. */
export const deliveryTones = {
  pending: 'plain',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
  canceled: 'plain',
} as const;

/** A state of a delivery in a word. */
export function deliveryWord(status: DeliveryItem['status']): string {
  return t(`status_${status}`);
}

/** The state of a delivery. */
export function DeliveryState({ status }: { readonly status: DeliveryItem['status'] }) {
  return <Badge tone={deliveryTones[status]}>{deliveryWord(status)}</Badge>;
}

const errors = {
  gone: 'errorGone',
  redirect: 'errorRedirect',
  timeout: 'errorTimeout',
  connect_timeout: 'errorConnect',
  connect_refused: 'errorConnect',
  reset: 'errorReset',
  tls_error: 'errorTls',
  invalid_response: 'errorInvalid',
  header_overflow: 'errorInvalid',
  dns_not_found: 'errorName',
  dns_no_address: 'errorName',
  dns_timeout: 'errorNames',
  dns_error: 'errorNames',
  blocked_address: 'errorBlocked',
} as const;

/** Why an attempt failed, by the code of the server; a code that this console does not know stands as it is. */
export function errorWords(code: string): string {
  const status = /^http_(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return t('errorStatus', { status });
  return Object.hasOwn(errors, code) ? t(errors[code as keyof typeof errors]) : code;
}
