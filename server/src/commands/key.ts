import { type Command, InvalidArgumentError } from 'commander';
import { type Scope, scopes } from 'confab-contract/scopes.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import { dayMs, timestamp } from 'confab-contract/values/time.ts';
import type { Db } from '../db/db.ts';
import { createKeys, type Keys } from '../features/credentials/keys.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import {
  addJson,
  addSettings,
  note,
  type OutputOptions,
  printTable,
  printValue,
  show,
  storeSettings,
  withStore,
} from './command.ts';

/** `confab key`: API keys, with what they are limited to. */

function keysOf(db: Db): Keys {
  return createKeys({ db, clock: systemClock });
}

const scopeNames = [...Object.keys(scopes), 'all'];

function addScope(text: string, before: readonly string[] = []): readonly string[] {
  if (!scopeNames.includes(text)) throw new InvalidArgumentError(`It is one of ${scopeNames.join(', ')}.`);
  return [...before, text];
}

/** The moment a key ends: a day (its end, in UTC), or a number of days from now such as `90d`. */
function readEnd(text: string): number {
  const days = /^([1-9][0-9]{0,4})d$/.exec(text)?.[1];
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) + dayMs : Number.NaN;
  const end = days === undefined ? day : systemClock.now() + Number(days) * dayMs;
  if (Number.isNaN(end) || end <= systemClock.now())
    throw new InvalidArgumentError(
      'It is a day to come such as 2027-01-31, or a number of days such as 90d.',
    );
  return end;
}

type CreateFlags = OutputOptions & { readonly scope?: readonly (Scope | 'all')[]; readonly expires?: number };

async function createKey(db: Db, name: string, flags: CreateFlags): Promise<void> {
  const { scope = ['all'], expires } = flags;
  const limits = { scopes: scope, ...(expires === undefined ? {} : { expiresAt: expires }) };
  const key = await keysOf(db).create(name, limits);
  show({ key, name, scopes: scope, expires_at: timeOf(expires ?? null) }, flags, () => [key]);
}

/** A time as JSON has it. */
function timeOf(at: number | null): string | null {
  return at === null ? null : timestamp(at);
}

async function listKeys(db: Db, { json }: OutputOptions): Promise<void> {
  const keys = await keysOf(db).list();
  if (json === true) {
    printValue(
      keys.map(({ id, name, hint, scopes: limits, ...times }) => ({
        id,
        name,
        hint,
        scopes: limits.split(','),
        created_at: timestamp(times.createdAt),
        last_used_at: timeOf(times.lastUsedAt),
        expires_at: timeOf(times.expiresAt),
        revoked_at: timeOf(times.revokedAt),
      })),
    );
    return;
  }
  printTable(
    ['id', 'name', 'ends in', 'scopes', 'made', 'used', 'expires', 'revoked'],
    keys.map((key) => ({
      id: key.id,
      name: key.name,
      'ends in': `…${key.hint}`,
      scopes: key.scopes,
      made: timestamp(key.createdAt),
      used: timeOf(key.lastUsedAt) ?? 'never',
      expires: timeOf(key.expiresAt) ?? 'never',
      revoked: timeOf(key.revokedAt) ?? '',
    })),
  );
}

async function revokeKey(db: Db, text: string, output: OutputOptions): Promise<void> {
  const id = parseId(text);
  if (id === undefined || !(await keysOf(db).revoke(id)))
    throw new CommandError(`there is no key ${text} that could be revoked; "confab key list" shows all`);
  show({ id, is_revoked: true }, output, () => []);
  note(`Key ${id} is revoked.`);
}

/** Adds `confab key create`, `list` and `revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('Create, list and revoke API keys, also while a server runs.');

  const create = key
    .command('create')
    .description('Create a key and print it; it cannot be shown again.')
    .argument('[name]', 'what the key is for', 'command line')
    .option(
      '--scope <scope>',
      `what the key may do; repeat it for several: ${scopeNames.join(', ')} (default)`,
      addScope,
    )
    .option(
      '--expires <end>',
      'the last day of the key in UTC, such as 2027-01-31, or 90d; by default it does not expire',
      readEnd,
    );
  const createFlags = addSettings(addJson(create), storeSettings);
  create.action((name: string, limits: CreateFlags) =>
    withStore(createFlags(), { mayMake: true }, (db) => createKey(db, name, limits)),
  );

  const list = key
    .command('list')
    .description(
      'List the keys: id, name, last characters, scopes, and when each was created, was last used, expires and was revoked.',
    );
  const listFlags = addSettings(addJson(list), storeSettings);
  list.action((output: OutputOptions) =>
    withStore(listFlags(), { mayMake: false }, (db) => listKeys(db, output)),
  );

  const revoke = key
    .command('revoke')
    .description('Revoke a key; requests with it are refused from that moment.')
    .argument('<id>', 'its number in the list');
  const revokeFlags = addSettings(addJson(revoke), storeSettings);
  revoke.action((id: string, output: OutputOptions) =>
    withStore(revokeFlags(), { mayMake: false }, (db) => revokeKey(db, id, output)),
  );
}
