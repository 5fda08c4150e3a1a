import type { Command } from 'commander';
import { operations } from '../contract/index.ts';
import type { Db } from '../db/db.ts';
import { getSystemUser } from '../features/users/user-record.ts';
import { createRedelivery } from '../features/webhooks/redelivery.ts';
import { webhookStates } from '../features/webhooks/webhook-states.ts';
import { bodyReader } from '../http/validate.ts';
import { systemClock, timestamp } from '../kernel/clock.ts';
import { parseId } from '../kernel/ids.ts';
import type { Input } from '../kernel/input.ts';
import type { Principal } from '../kernel/principal.ts';
import { Problem } from '../kernel/problem.ts';
import {
  addSettings,
  CommandError,
  exitMisused,
  type Flags,
  print,
  storeSettings,
  withStore,
} from './command.ts';

/** The commands that look at webhooks and have something sent to them, beside a server that may be running. */

/** What sends on request, on behalf of the built-in user. */
async function senderOf(db: Db) {
  const by: Pick<Principal, 'user'> = { user: await getSystemUser(db.read) };
  return { by, redelivery: createRedelivery({ db, clock: systemClock }) };
}

function idOf(text: string, what: string): number {
  const id = parseId(text);
  if (id === undefined) throw new CommandError(`${text} is no id of a ${what}`, { exitCode: exitMisused });
  return id;
}

/** Runs `work`; what the interface would answer as a problem is told in one line. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const exitCode = error.code === 'validation_failed' || error.code === 'wrong_type' ? exitMisused : 1;
    throw new CommandError(error.detail, { cause: error, exitCode });
  }
}

async function listWebhooks(db: Db): Promise<void> {
  for (const webhook of await webhookStates(db.read)) {
    const { id, payloadUrl, triggers, isEnabled, isOrdered, openedAt, reason, probeAt, waiting } = webhook;
    const probe = probeAt === null ? '' : `, next probe ${timestamp(probeAt)}`;
    const state = !isEnabled
      ? 'disabled'
      : openedAt === null
        ? 'enabled'
        : `paused since ${timestamp(openedAt)} (${reason}${probe})`;
    const wait = waiting === 0 ? '' : `\t${waiting} wait`;
    print(`${id}\t${payloadUrl}\t${triggers.join(',')}${isOrdered ? '\tordered' : ''}\t${state}${wait}`);
  }
}

async function ping(db: Db, text: string): Promise<void> {
  const id = idOf(text, 'webhook');
  const { by, redelivery } = await senderOf(db);
  const delivery = JSON.parse(await told(() => redelivery.pingWebhook(by, id))) as { id: number };
  print(`Delivery ${delivery.id} of webhook ${id} is to be sent.`);
}

type Filters = { readonly [name: string]: string | undefined };

/** What a filter says, in the words and types of the interface. */
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
  { webhook, delivery }: { webhook: string; delivery: string | undefined },
  filters: Filters,
): Promise<void> {
  const id = idOf(webhook, 'webhook');
  const { by, redelivery } = await senderOf(db);
  const choice = choiceOf(filters);
  if (delivery !== undefined) {
    if (Object.keys(choice).length > 0)
      throw new CommandError('a delivery is named or chosen by filters, not both', { exitCode: exitMisused });
    const deliveryId = idOf(delivery, 'delivery');
    await told(() => redelivery.redeliver(by, id, deliveryId));
    print(`Delivery ${deliveryId} of webhook ${id} is to be sent again.`);
    return;
  }
  const read = bodyReader(operations.redeliverMany);
  let count = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part: Json = await told(async () => {
      const body = { ...choice, after };
      const input = read({ value: body, sources: body }, { isStrict: false });
      return JSON.parse(await redelivery.redeliverMany(by, id, input as Input<object>)) as Json;
    });
    count += part.redelivered;
    after = part.next;
  }
  print(`${count} deliveries of webhook ${id} are to be sent again.`);
}

type Json = { readonly redelivered: number; readonly next?: number };

/** Adds `list`, `ping` and `redeliver` to the command `confab webhook`. */
export function addSendingCommands(webhook: Command): void {
  const store = (flags: () => Flags, work: (db: Db) => Promise<void>) =>
    withStore(flags(), { mayMake: false }, work);

  const list = webhook
    .command('list')
    .description(
      'List the webhooks: id, address, triggers, whether it is sent to, how many deliveries wait.',
    );
  const listFlags = addSettings(list, storeSettings);
  list.action(() => store(listFlags, listWebhooks));

  const pinged = webhook
    .command('ping')
    .description('Send a webhook an event of its own, to see whether it works; a running server sends it.')
    .argument('<webhook>', 'its number in the list');
  const pingFlags = addSettings(pinged, storeSettings);
  pinged.action((id: string) => store(pingFlags, (db) => ping(db, id)));

  const again = webhook
    .command('redeliver')
    .description('Have one delivery sent again, or all that the filters match; a running server sends them.')
    .argument('<webhook>', 'its number in the list')
    .argument('[delivery]', 'the id of one delivery')
    .option('--status <status>', 'those that are pending, retrying, delivered, failed or canceled')
    .option('--status-code <number>', 'those whose last attempt was answered with this status')
    .option('--action <action>', 'those of this action, such as comment_created')
    .option('--event-id <id>', 'the one of this event')
    .option('--since <time>', 'those of events from this time (RFC 3339) on')
    .option('--until <time>', 'those of events before this time (RFC 3339)');
  const againFlags = addSettings(again, storeSettings);
  again.action((id: string, delivery: string | undefined) => {
    const { status, statusCode, action, eventId, since, until } = again.opts() as Filters;
    const given = Object.entries({ status, statusCode, action, eventId, since, until });
    const filters = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return store(againFlags, (db) => redeliver(db, { webhook: id, delivery }, filters));
  });
}
