import type { Command } from 'commander';
import { operations } from 'confab-contract/index.ts';
import { Problem } from 'confab-contract/problem.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { manageableDelivery } from '../access/delivery/delivery-access.ts';
import { manageableWebhook } from '../access/webhook/webhook-access.ts';
import type { Db } from '../db/db.ts';
import { getSystemUser } from '../features/users/user-record.ts';
import { ping } from '../features/webhooks/deliveries/ping.ts';
import { readRedelivery, requeue, requeueMany } from '../features/webhooks/deliveries/redeliver.ts';
import { type WebhookState, webhookStates } from '../features/webhooks/registration/webhook-states.ts';
import { bodyReader } from '../http/bodies/validate.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import type { Input } from '../kernel/input.ts';
import type { Principal } from '../kernel/principal.ts';
import {
  addJson,
  addSettings,
  type Flags,
  type OutputOptions,
  printTable,
  printValue,
  show,
  storeSettings,
  withStore,
} from './command.ts';

/** Commands that list webhooks and send deliveries to them, alongside a server that may be running. */

/** The context of a command: the built-in user and the machine's time. */
async function callerOf(db: Db): Promise<{ readonly caller: Pick<Principal, 'user'>; readonly at: UnixMs }> {
  return { caller: { user: await getSystemUser(db.read) }, at: systemClock.now() };
}

function idOf(text: string, what: string): number {
  const id = parseId(text);
  if (id === undefined) throw new CommandError(`${text} is no id of a ${what}`, { exitCode: exitMisused });
  return id;
}

/** Runs `work`; reports a problem in one line. */
async function inOneLine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const exitCode = error.code === 'validation_failed' || error.code === 'wrong_type' ? exitMisused : 1;
    throw new CommandError(error.detail, { cause: error, exitCode });
  }
}

async function listWebhooks(db: Db, { json }: OutputOptions): Promise<void> {
  const webhooks = await webhookStates(db.read);
  if (json === true) {
    printValue(
      webhooks.map((webhook) => ({
        id: webhook.id,
        payload_url: webhook.payloadUrl,
        triggers: webhook.triggers,
        is_enabled: webhook.isEnabled,
        is_ordered: webhook.isOrdered,
        paused_since: webhook.openedAt === null ? null : timestamp(webhook.openedAt),
        paused_for: webhook.reason,
        next_probe_at: webhook.probeAt === null ? null : timestamp(webhook.probeAt),
        waiting: webhook.waiting,
      })),
    );
    return;
  }
  printTable(
    ['id', 'address', 'triggers', 'order', 'state', 'waiting'],
    webhooks.map((webhook) => ({
      id: webhook.id,
      address: webhook.payloadUrl,
      triggers: webhook.triggers.join(','),
      order: webhook.isOrdered ? 'ordered' : 'any',
      state: stateOf(webhook),
      waiting: webhook.waiting,
    })),
  );
}

function stateOf({ isEnabled, openedAt, reason, probeAt }: WebhookState): string {
  if (!isEnabled) return 'disabled';
  if (openedAt === null) return 'enabled';
  const probe = probeAt === null ? '' : `, next probe ${timestamp(probeAt)}`;
  return `paused since ${timestamp(openedAt)} (${reason}${probe})`;
}

async function pingWebhook(db: Db, text: string, output: OutputOptions): Promise<void> {
  const id = idOf(text, 'webhook');
  const by = await callerOf(db);
  const { delivery } = await inOneLine(() =>
    db.write(async (tx) => await ping({ tx, on: await manageableWebhook(tx, id), ...by })),
  );
  show({ webhook_id: id, delivery_id: delivery.id }, output, () => [
    `Delivery ${delivery.id} of webhook ${id} is to be sent.`,
  ]);
}

type Filters = { readonly [name: string]: string | undefined };

/** The flags of a filter, with the names and types of the API. */
function choiceOf(filters: Filters): object {
  const numbers = new Set(['statusCode', 'eventId']);
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      numbers.has(name) && /^\d+$/.test(value ?? '') ? Number(value) : value,
    ]),
  );
}

async function redeliver(
  db: Db,
  { webhook, delivery, filters }: { webhook: string; delivery: string | undefined; filters: Filters },
  output: OutputOptions,
): Promise<void> {
  const id = idOf(webhook, 'webhook');
  const by = await callerOf(db);
  const choice = choiceOf(filters);
  if (delivery !== undefined) {
    if (Object.keys(choice).length > 0)
      throw new CommandError('a delivery is named or chosen by filters, not both', { exitCode: exitMisused });
    const deliveryId = idOf(delivery, 'delivery');
    await inOneLine(() =>
      db.write(async (tx) => {
        const on = await manageableDelivery(tx, await manageableWebhook(tx, id), deliveryId);
        await requeue({ tx, on, ...by });
      }),
    );
    show({ webhook_id: id, redelivered: 1 }, output, () => [
      `Delivery ${deliveryId} of webhook ${id} is to be sent again.`,
    ]);
    return;
  }
  const read = bodyReader(operations.redeliverMany);
  let count = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part: Part = await inOneLine(async () => {
      const body = { ...choice, after };
      const input = read({ value: body, sources: body }, { isStrict: false }) as Input<object>;
      const on = await manageableWebhook(db.read, id);
      return await requeueMany({ db, on, ...by }, readRedelivery(input, id).valid());
    });
    count += part.redelivered;
    after = part.next;
  }
  show({ webhook_id: id, redelivered: count }, output, () => [
    `${count} deliveries of webhook ${id} are to be sent again.`,
  ]);
}

type Part = Awaited<ReturnType<typeof requeueMany>>;

/** Adds `list`, `ping` and `redeliver` to the command `confab webhook`. */
export function addSendingCommands(webhook: Command): void {
  const store = (flags: () => Flags, work: (db: Db) => Promise<void>) =>
    withStore(flags(), { mayMake: false }, work);

  const list = webhook
    .command('list')
    .description('List the webhooks: id, address, triggers, state, and the number of waiting deliveries.');
  const listFlags = addSettings(addJson(list), storeSettings);
  list.action((output: OutputOptions) => store(listFlags, (db) => listWebhooks(db, output)));

  const pinged = webhook
    .command('ping')
    .description('Send a test event to a webhook, to see whether it works; a running server sends it.')
    .argument('<webhook>', 'its number in the list');
  const pingFlags = addSettings(addJson(pinged), storeSettings);
  pinged.action((id: string, output: OutputOptions) => store(pingFlags, (db) => pingWebhook(db, id, output)));

  const again = webhook
    .command('redeliver')
    .description('Redeliver one delivery, or all that match the filters; a running server sends them.')
    .argument('<webhook>', 'its number in the list')
    .argument('[delivery]', 'the id of one delivery')
    .option('--status <status>', 'deliveries that are pending, retrying, delivered, failed or canceled')
    .option('--status-code <number>', 'deliveries whose last attempt got this status')
    .option('--action <action>', 'deliveries of this action, such as comment_created')
    .option('--event-id <id>', 'the delivery of this event')
    .option('--since <time>', 'deliveries of events from this time (RFC 3339) on')
    .option('--until <time>', 'deliveries of events before this time (RFC 3339)');
  const againFlags = addSettings(addJson(again), storeSettings);
  again.action((id: string, delivery: string | undefined) => {
    const { json, ...chosen } = again.opts() as { json?: true } & { [name: string]: string };
    const { status, statusCode, action, eventId, since, until } = chosen;
    const filterTexts = Object.entries({ status, statusCode, action, eventId, since, until });
    const filters = Object.fromEntries(filterTexts.filter(([, value]) => value !== undefined));
    return store(againFlags, (db) => redeliver(db, { webhook: id, delivery, filters }, { json }));
  });
}
