import type { Command } from 'commander';
import { examineUids } from '../features/apps/reserved-uids.ts';
import { createNotifier } from '../features/notifications/notifier.ts';
import { describeParked } from '../features/notifications/parked.ts';
import { examineDeliveries } from '../features/webhooks/deliveries/doctor.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog } from '../main-store.ts';
import {
  addSettings,
  CommandError,
  configOf,
  type Flags,
  note,
  print,
  storeSettings,
  withStore,
} from './command.ts';

async function examine(flags: Flags, { retry }: { retry: boolean }): Promise<void> {
  const config = configOf(flags);
  const { webhookDeliveryDays: deliveryDays, people } = config;
  await withStore(flags, { mayMake: false }, async (db) => {
    const { read } = db;
    if (retry) {
      const notifier = createNotifier({ db, clock: systemClock, people, log: createLog(config) });
      print(`${await notifier.retryParked()} events that had been given up have their notifications.`);
    }
    const { events, notes, ...found } = await examineDeliveries({ read, clock: systemClock, deliveryDays });
    print(`${events} events of the last ${deliveryDays} days were held against their deliveries.`);
    const wrong = [...found.faults, ...(await examineUids(read)), ...(await describeParked(read))];
    for (const sentence of [...wrong, ...notes]) print(sentence);
    if (wrong.length > 0) throw new CommandError(`${wrong.length} things are wrong`);
    note(notes.length === 0 ? 'Nothing is wrong and nothing is stuck.' : 'Nothing is wrong.');
  });
}

/** Adds `confab doctor`. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Say whether every event has its deliveries and notifications, what is stuck and why, and which uids cannot be reached, also while a server runs. Exits with 1 when something is wrong; a receiver that fails is not.',
    )
    .option('--retry', 'first make the notifications of events that were given up');
  const flags = addSettings(command, [...storeSettings, 'webhookDeliveryDays', 'people']);
  command.action(({ retry }: { retry?: boolean }) => examine(flags(), { retry: retry === true }));
}
