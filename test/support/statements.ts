import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Statement } from '../../src/db/statement.ts';

/** A statement of a store, or one shape of it, with a name to find it by. */
export type StoreStatement = { readonly name: string; readonly statement: Statement<unknown> };

type Parts = Readonly<Record<string, readonly unknown[]>>;

const flags = [true, false];
const states = [null, true, false];

/** Every way in which deliveries are chosen. */
const deliveryFilters = combinations({
  status: flags,
  statusCode: flags,
  action: flags,
  eventId: flags,
  since: flags,
  until: flags,
  after: ['id', 'sequence', 'nothing'],
});

/** What shapes the statements of lists, and the count of each, can have: the values of each part, or the shapes. */
const shapes: Readonly<Record<string, Parts | readonly string[]>> = {
  'listApps countApps': {
    order: ['id', 'uid', 'type', 'name', 'display_name', 'created_at', 'modified_at'],
    descending: flags,
    trashed: states,
    hasQuestion: flags,
    hasTag: flags,
    hasTypes: flags,
    isLimited: flags,
  },
  'listPeople countPeople': {
    directories: ['every', 'one', 'none'],
    hasApp: flags,
    hasQuestion: flags,
    sight: ['every', 'all', 'shared'],
  },
  'listConversations countConversations': {
    order: ['pinned_at', 'last_message_id', 'id', 'name', 'created_at'],
    descending: flags,
    trashed: states,
    unread: states,
    hasTag: flags,
    hasMember: flags,
    terms: [0, 1, 32],
  },
  'listDeliveries countDeliveries': {
    order: ['id', 'sequence', 'event_id', 'action', 'delivered_at', 'duration', 'status_code', 'status'],
    descending: flags,
    filters: deliveryFilters,
    hasQuestion: flags,
    hasPayload: flags,
  },
  'chosenDeliveries requeueDeliveries': deliveryFilters.map((filters) => JSON.stringify(filters)),
  listAttempts: ['asc', 'desc'],
  'listDirectories countDirectories': {
    order: ['id', 'name', 'created_at'],
    descending: flags,
    hasQuestion: flags,
    isLimited: flags,
  },
  'listEntries countEntries': {
    scope: ['parent', 'below', 'visible', 'all'],
    order: ['id', 'created_at', 'modified_at'],
    descending: flags,
    trashed: states,
    hasQuestion: flags,
    hasTag: flags,
  },
  countAllEntries: ['visible', 'all'],
  'listFiles countFiles': {
    scope: ['app', 'visible', 'all'],
    order: ['id', 'name', 'size', 'created_at', 'modified_at', 'timestamp'],
    descending: flags,
    trashed: states,
    hasQuestion: flags,
    hasTag: flags,
  },
  countAllFiles: ['visible', 'all'],
  'listMembers countMembers': {
    order: ['id', 'uid', 'name', 'display_name', 'access', 'created_at'],
    descending: flags,
    suspended: states,
    trashed: states,
    hasQuestion: flags,
    hasTag: flags,
    sight: ['every', 'all'],
  },
  usersForMembership: ['every', 'all', 'shared'],
  peopleToInvite: ['every', 'all', 'shared'],
  recipients: ['all', 'shared'],
  'listNotifications countNotifications': {
    order: ['id', 'created_at'],
    descending: flags,
    unread: states,
    hasAction: flags,
    hasQuestion: flags,
  },
  lastOfCrowd: ['subscribers', 'members'],
  listReactions: {
    order: ['id', 'created_at'],
    descending: flags,
    hasContent: flags,
  },
  'listStars countStars': { descending: flags, hasQuestion: flags, hasTag: flags },
  'listUsers countUsers': {
    order: ['id', 'uid', 'name', 'display_name', 'email', 'created_at', 'modified_at'],
    descending: flags,
    suspended: states,
    trashed: states,
    hasQuestion: flags,
    hasTag: flags,
    directories: ['every', 'one', 'none'],
    sight: ['every', 'all', 'shared'],
  },
  'listWebhooks countWebhooks': {
    order: ['id', 'payload_url', 'is_enabled', 'created_at', 'modified_at'],
    descending: flags,
    hasQuestion: flags,
  },
};

const shapesByName = new Map(
  Object.entries(shapes).flatMap(([names, parts]) => names.split(' ').map((name) => [name, parts] as const)),
);

/** Every combination of the values of some parts. */
function combinations(parts: Parts): Record<string, unknown>[] {
  let combined: Record<string, unknown>[] = [{}];
  for (const [part, values] of Object.entries(parts))
    combined = combined.flatMap((shape) => values.map((value) => ({ ...shape, [part]: value })));
  return combined;
}

/** Every combination of all parts but the order, the orders dealt out among them, and every order in both directions. */
function shapesOf(parts: Parts): string[] {
  const { order: orders, ...others } = parts;
  let combined = combinations(others);
  if (orders !== undefined)
    combined = [
      ...combined.map((shape, index) => ({ ...shape, order: orders[index % orders.length] })),
      ...orders.flatMap((order) => flags.map((descending) => ({ ...combined[0], order, descending }))),
    ];
  return combined.map((shape) => JSON.stringify(shape));
}

function isStatement(exported: unknown): exported is Statement<unknown> {
  return typeof exported === 'object' && exported !== null && 'kind' in exported && 'build' in exported;
}

/** Every statement that the stores export, a shaped one once for each shape. Throws for one whose shapes are unknown. */
export async function allStatements(): Promise<StoreStatement[]> {
  const source = path.join(import.meta.dirname, '../../src');
  const files: string[] = [];
  for await (const file of glob('**/*.store.ts', { cwd: source })) files.push(file);
  const found: StoreStatement[] = [];
  const seen = new Set<string>();
  for (const file of files.sort()) {
    const store: Record<string, unknown> = await import(pathToFileURL(path.join(source, file)).href);
    for (const [name, exported] of Object.entries(store)) {
      if (isStatement(exported)) found.push({ name: `${file} ${name}`, statement: exported });
      if (typeof exported !== 'function') continue;
      const parts = shapesByName.get(name);
      if (parts === undefined) throw new Error(`${file}: the shapes of ${name} are not listed`);
      seen.add(name);
      const keys = Array.isArray(parts) ? (parts as string[]) : shapesOf(parts as Parts);
      for (const key of keys) {
        const statement: unknown = exported(key);
        if (!isStatement(statement)) throw new Error(`${file}: ${name} makes no statement`);
        found.push({ name: `${file} ${name} ${key}`, statement });
      }
    }
  }
  const unknown = [...shapesByName.keys()].filter((name) => !seen.has(name));
  if (unknown.length > 0) throw new Error(`no store exports ${unknown.join(', ')}`);
  return found;
}
