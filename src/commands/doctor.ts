import type { Command } from 'commander';
import { examineUids } from '../features/apps/reserved-uids.ts';
import { examineDeliveries } from '../features/webhooks/doctor.ts';
import { systemClock } from '../kernel/clock.ts';
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

async function examine(flags: Flags): Promise<void> {
  const { webhookDeliveryDays: deliveryDays } = configOf(flags);
  await withStore(flags, { mayMake: false }, async ({ read }) => {
    const { events, notes, ...found } = await examineDeliveries({ read, clock: systemClock, deliveryDays });
    const faults = [...found.faults, ...(await examineUids(read))];
    print(`${events} events of the last ${deliveryDays} days were held against their deliveries.`);
    for (const sentence of [...faults, ...notes]) print(sentence);
    if (faults.length > 0) throw new CommandError(`${faults.length} things are wrong`);
    note(notes.length === 0 ? 'Nothing is wrong and nothing is stuck.' : 'Nothing is wrong.');
  });
}

/** Adds `confab doctor`. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Say whether every event has its deliveries, what is stuck and why, and which uids cannot be reached, also while a server runs. Exits with 1 when something is wrong; a receiver that fails is not.',
    );
  const flags = addSettings(command, [...storeSettings, 'webhookDeliveryDays']);
  command.action(() => examine(flags()));
}
