import { createHmac } from 'node:crypto';
import { poll } from 'confab-testing/poll.ts';
import { list } from './wrong-lists.ts';
import {
  type Call,
  type Fields,
  fieldsOf,
  freshGuid,
  needRules,
  Refusal,
  type Reply,
  type State,
  timestamp,
} from './wrong-state.ts';

type Json = any;
type Handler = (state: State, call: Call) => Reply | Promise<Reply>;

const groups = ['comments', 'notifications', 'posts', 'apps', 'comment_created'];
const attemptsMax = 2;

/** How long a failed delivery waits for its next attempt, in milliseconds. */
const retryMs = 10;

const webhookFields: Fields = {
  payload_url: 'string',
  secret: 'string',
  triggers: 'strings',
  enabled: 'boolean',
  is_enabled: 'boolean',
};

function needWebhookRules(state: State, body: Json, isNew: boolean): void {
  const { payload_url: url, triggers, secret } = body;
  const isAddress = (text: string) => URL.canParse(text) && /^https?:/.test(text) && text.length <= 2048;
  const known = state.has('notificationsUnknown') ? ['comments'] : groups;
  needRules(state, [
    ['/payload_url', url === undefined ? !isNew : isAddress(url) || state.has('anyAddress')],
    ['/triggers', triggers === undefined ? !isNew : triggers.length > 0 || state.has('noTriggers')],
    ['/triggers', (triggers ?? []).every((one: string) => known.includes(one)) || state.has('anyTrigger')],
    ['/secret', secret === undefined || secret.length <= 256 || state.has('secretUnbounded')],
  ]);
}

function shownWebhook(state: State, { id, url, triggers, isEnabled, secret }: Json): Json {
  return {
    id,
    payload_url: url,
    triggers: state.has('triggersAsText') ? triggers.join() : triggers,
    is_enabled: isEnabled,
    ...(state.has('secretShown') && secret !== undefined ? { secret } : {}),
  };
}

function webhookOf(state: State, call: Call): Json {
  const webhook = state.webhooks.find(({ id }) => String(id) === call.params.id);
  if (webhook === undefined || (webhook.isDeleted && !state.has('deletedIsGot'))) throw new Refusal(404);
  return webhook;
}

/** Fails unless the caller may use webhooks: keys alone. */
function needKey(state: State, { caller }: Call, isRead: boolean): void {
  if (caller.kind === 'key' || (caller.kind === 'weakKey' && isRead)) return;
  if (isRead && state.has('tokenReadsWebhooks')) return;
  throw new Refusal(isRead || state.has('tokenWritesWebhooks401') ? 401 : 403);
}

/** The operations of webhooks and deliveries. */
export const webhookHandlers: Readonly<Record<string, Handler>> = {
  registerWebhook(state, call) {
    needKey(state, call, false);
    const body = fieldsOf(state, call, webhookFields);
    needWebhookRules(state, body, true);
    const webhook = {
      id: state.nextId(),
      url: body.payload_url,
      firstUrl: body.payload_url,
      triggers: body.triggers,
      isEnabled: state.has('enabledIgnored') ? true : (body.enabled ?? body.is_enabled ?? true),
      secret: body.secret,
      isDeleted: false,
    };
    state.webhooks.push(webhook);
    return { status: 201, body: shownWebhook(state, webhook) };
  },

  getWebhook(state, call) {
    needKey(state, call, true);
    return { status: 200, body: shownWebhook(state, webhookOf(state, call)) };
  },

  updateWebhook(state, call) {
    needKey(state, call, false);
    const body = fieldsOf(state, call, webhookFields);
    const webhook = webhookOf(state, call);
    needWebhookRules(state, body, state.has('patchNeedsBoth'));
    if (!state.has('urlNotChanged')) webhook.url = body.payload_url ?? webhook.url;
    webhook.triggers = body.triggers ?? webhook.triggers;
    if (!state.has('isEnabledIgnored'))
      webhook.isEnabled = body.is_enabled ?? body.enabled ?? webhook.isEnabled;
    if (!state.has('signsWithFirstSecret')) webhook.secret = body.secret ?? webhook.secret;
    return { status: 200, body: shownWebhook(state, webhook) };
  },

  listWebhooks(state, call) {
    needKey(state, call, true);
    const seen = state.webhooks.filter(({ isDeleted }) => !isDeleted || state.has('deletedIsListed'));
    return list(state, seen, call, {
      text: ({ url }) => url,
      show: (webhook) => shownWebhook(state, webhook),
    });
  },

  listDeliveries(state, call) {
    needKey(state, call, true);
    const webhook = webhookOf(state, call);
    const action = state.has('actionFilterIgnored') ? undefined : call.query.get('action');
    const seen = state.deliveries.filter(
      (one) => one.webhook === webhook && (action === undefined || one.action === action),
    );
    return list(state, seen, call, {
      text: ({ guid, action: name }) => `${guid} ${name}`,
      show: (delivery) => shownDelivery(state, delivery),
      isNewestFirst: true,
    });
  },

  deleteWebhook(state, call) {
    needKey(state, call, false);
    const webhook = webhookOf(state, call);
    webhook.isDeleted = true;
    return state.has('deleteIs200') ? { status: 200, body: shownWebhook(state, webhook) } : { status: 204 };
  },
};

function shownDelivery(state: State, { id, guid, eventId, action, at, seconds, code, status }: Json): Json {
  return {
    id,
    guid: state.has('guidsDiffer') ? `${guid}-x` : guid,
    event_id: eventId,
    action,
    status: state.has('statusStaysRetrying') && status === 'delivered' ? 'retrying' : status,
    ...(at === undefined ? {} : { delivered_at: timestamp(state, at) }),
    ...(seconds === undefined ? {} : { duration: state.has('durationIsText') ? String(seconds) : seconds }),
    ...(code === undefined ? {} : { status_code: state.has('codeIsAlways200') ? 200 : code }),
  };
}

/** Makes the deliveries of an event and begins to send them. */
export function announce(state: State, action: string, subject: Json): void {
  if (state.has('neverDelivers')) return;
  const eventId = state.nextId();
  for (const webhook of state.webhooks) {
    if (webhook.isDeleted && !state.has('deliversWhenDeleted')) continue;
    if (!webhook.isEnabled && !state.has('deliversWhenDisabled')) continue;
    const isMeant = webhook.triggers.includes('comments') || webhook.triggers.includes(action);
    if (!isMeant && !state.has('deliversEveryGroup')) continue;
    const delivery: Json = {
      ...{ webhook, action, subject, guid: freshGuid(), status: 'pending', id: state.nextId() },
      eventId: state.has('eventIdPerDelivery') ? state.nextId() : eventId,
      happenedAt: Date.now(),
    };
    state.deliveries.push(delivery);
    if (state.has('eventIsTwoRows'))
      state.deliveries.push({ ...delivery, id: state.nextId(), guid: freshGuid() });
    const sending: Promise<void> = deliver(state, delivery).finally(() => state.sending.delete(sending));
    state.sending.add(sending);
  }
}

async function deliver(state: State, delivery: Json): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (attempt > 1) {
      if (state.has('retryChangesGuid')) delivery.guid = freshGuid();
      if (state.has('retryChangesBody')) delivery.subject = { ...delivery.subject, attempt };
      if (state.has('retryIsAnotherRow')) state.deliveries.push({ ...delivery, id: state.nextId() });
    }
    const startedAt = performance.now();
    delivery.code = await attemptOnce(state, delivery);
    Object.assign(delivery, { at: Date.now(), seconds: (performance.now() - startedAt) / 1000 });
    if (delivery.code !== undefined && delivery.code < 300) {
      delivery.status = 'delivered';
      return;
    }
    delivery.status = attempt === attemptsMax || state.has('neverRetries') ? 'failed' : 'retrying';
    if (delivery.status === 'failed' || state.stopping.signal.aborted) return;
    const from = performance.now();
    await poll('the time of the next attempt', () => performance.now() - from >= retryMs || undefined);
  }
}

/** Sends a delivery; returns the status of the receiver, or undefined when it has none. */
async function attemptOnce(state: State, delivery: Json): Promise<number | undefined> {
  const { webhook, guid, action } = delivery;
  const body = JSON.stringify({
    id: delivery.eventId,
    action,
    ...(state.has('actorMissing') ? {} : { actor: { id: 1, uid: 'system' } }),
    ...delivery.subject,
    guid,
    timestamp: timestamp(state, delivery.happenedAt),
    type: action.replace('_', '.'),
  });
  const response = await fetch(state.has('deliversToOldAddress') ? webhook.firstUrl : webhook.url, {
    method: state.has('deliversByPut') ? 'PUT' : 'POST',
    headers: {
      'content-type': state.has('deliversForms') ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-weavy-delivery': guid,
      ...(state.has('oneHeaderMissing') ? {} : { 'x-weavy-trigger': 'comments' }),
      ...signatures(state, webhook.secret ?? (state.has('signsWithoutSecret') ? 'none' : undefined), {
        guid,
        body,
      }),
    },
    body,
    redirect: state.has('redirectFollowed') ? 'follow' : 'manual',
    signal: state.stopping.signal,
  }).catch(() => undefined);
  return response?.status;
}

function signatures(
  state: State,
  secret: string | undefined,
  { guid, body }: { guid: string; body: string },
): Record<string, string> {
  if (secret === undefined) return {};
  const signed = state.has('signsOtherBytes') ? JSON.stringify(JSON.parse(body), null, 1) : body;
  const encoding = state.has('signsInBase64') ? 'base64' : 'hex';
  const digest = `sha256=${createHmac('sha256', secret).update(signed).digest(encoding)}`;
  const at = String(state.has('signsMilliseconds') ? Date.now() : Math.floor(Date.now() / 1000));
  const standard = createHmac('sha256', secret).update(`${guid}.${at}.${body}`).digest('base64');
  return {
    'x-weavy-signature': digest,
    'x-hub-signature-256': digest,
    'webhook-id': guid,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${standard}`,
  };
}
