import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isList } from 'confab-server/generate/list-statements.ts';
import type { Filters, List } from 'confab-server/src/db/list.ts';
import type { Parameters, Statement } from 'confab-server/src/db/statement.ts';
import { root } from 'confab-tools/places.ts';

/** A statement of a store, or one shape of it, with its name. */
export type StoreStatement = { readonly name: string; readonly statement: Statement<unknown> };

/** The most combinations of which each is tried. */
const wholeMax = 64;

type Parts = Readonly<Record<string, readonly unknown[]>>;

const flags = [true, false];
const _states = [null, true, false];

/** Every combination of the filters of deliveries. */
const deliveryFilters = combinations({
  status: flags,
  statusCode: flags,
  action: flags,
  eventId: flags,
  since: flags,
  until: flags,
  after: ['id', 'sequence', 'nothing'],
});

const notificationTables = ['notifications', 'hidden_notifications'];

/** The shapes of the statements of lists and of their counts: the values of each part, or the shapes. */
const shapes: Readonly<Record<string, Parts | readonly unknown[]>> = {
  'listCandidates countCandidates': {
    directories: ['every', 'one', 'none'],
    hasApp: flags,
    hasQuestion: flags,
    sight: ['every', 'all', 'shared'],
  },
  'listDeliveries countDeliveries': {
    order: ['id', 'sequence', 'event_id', 'action', 'delivered_at', 'duration', 'status_code', 'status'],
    descending: flags,
    filters: deliveryFilters,
    hasQuestion: flags,
    hasPayload: flags,
  },
  'matchingDeliveries requeueDeliveries': deliveryFilters.map((filters) => JSON.stringify(filters)),
  setReadInScope: ['all', 'app', 'directory'],
  commentCounts: ['all', 'user', 'visitors'],
  countAllEntries: ['visible', 'all'],
  appsWithEntries: ['visible', 'all'],
  countAllFiles: ['visible', 'all'],
  countEarlier: ['own', 'own equal', 'equal of others'],
  plainPage: combinations({
    descending: flags,
    isAfter: flags,
    isExpanded: flags,
    isThreaded: flags,
    isSecond: flags,
  }),
  usersForMembership: ['every', 'all', 'shared'],
  invitableUsers: ['every', 'all', 'shared'],
  knownUser: combinations({ visibility: ['every', 'all', 'shared'], by: ['id', 'uid'] }),
  readableApps: ['every', 'readable'],
  invitableAgents: ['every', 'all', 'shared'],
  recipients: ['all', 'shared'],
  lastOfAudience: ['subscribers', 'members'],
  noticesIn: combinations({ table: notificationTables, scope: ['things', 'app', 'all'] }),
  'copyNotices deleteNotices noticesOfUser': notificationTables,
};

const shapesByName = new Map(
  Object.entries(shapes).flatMap(([names, parts]) => names.split(' ').map((name) => [name, parts] as const)),
);

/**
 * Every combination of the values of some parts. Of more than `wholeMax` those that have any three values together which
 * none before them has: each part adds text of its own, so a statement that an engine refuses has few of them.
 */
function combinations(parts: Parts): Record<string, unknown>[] {
  let combined: Record<string, unknown>[] = [{}];
  for (const [part, values] of Object.entries(parts))
    combined = combined.flatMap((shape) => values.map((value) => ({ ...shape, [part]: value })));
  if (combined.length <= wholeMax) return combined;
  const seen = new Set<string>();
  return combined.filter((shape) => {
    const before = seen.size;
    for (const three of threesOf(Object.entries(shape))) seen.add(JSON.stringify(three));
    return seen.size > before;
  });
}

/** Any three of some things, in their order. */
function* threesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (const [first, one] of all.entries())
    for (const [second, two] of all.slice(first + 1).entries())
      for (const three of all.slice(first + second + 2)) yield [one, two, three];
}

/**
 * Every combination of all parts except the order, with the orders distributed among them, and every order in both
 * directions.
 */
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

/** The places that a page in an order can have: the beginning, or after a cursor. */
function cursorsOf([part]: ReturnType<List<Parameters, Filters, unknown>['partsOf']>) {
  const isLeftOut = part?.hasNulls === true || part?.lowest !== undefined;
  return [undefined, 'indexed', ...(isLeftOut ? ['left out'] : [])];
}

/**
 * Every combination of the filters of a list, with the orders distributed among them, and every order in both
 * directions from every place.
 */
function statementsOf({
  filters,
  orders,
  partsOf,
  page,
  probes,
  count,
}: List<Parameters, Filters, unknown>): [string, unknown][] {
  const all = combinations(filters);
  const [plain] = all;
  const shapes = [
    ...all.map((settings, index) => ({ order: orders[index % orders.length], descending: false, settings })),
    ...orders.flatMap((order) =>
      flags.flatMap((descending) =>
        cursorsOf(partsOf(order)).map((after) => ({ order, descending, after, settings: plain })),
      ),
    ),
  ];
  return [
    ...shapes.map((shape): [string, unknown] => [JSON.stringify(shape), page(shape as never)]),
    ...shapes.flatMap((shape) =>
      probes(shape as never).map((statement, index): [string, unknown] => [
        `probes ${index} ${JSON.stringify(shape)}`,
        statement,
      ]),
    ),
    ...all.map((settings): [string, unknown] => [
      `count ${JSON.stringify(settings)}`,
      count(settings as never),
    ]),
  ];
}

function isStatement(exported: unknown): exported is Statement<unknown> {
  return typeof exported === 'object' && exported !== null && 'kind' in exported && 'build' in exported;
}

/** Every statement that the stores export, a shaped one once for each shape. Throws for one whose shapes are unknown. */
export async function allStatements(): Promise<StoreStatement[]> {
  const source = path.join(root, 'server/src');
  const files: string[] = [];
  for await (const file of glob('**/*.store.ts', { cwd: source })) files.push(file);
  const found: StoreStatement[] = [];
  const seen = new Set<string>();
  for (const file of files.sort()) {
    const store: Record<string, unknown> = await import(pathToFileURL(path.join(source, file)).href);
    for (const [name, exported] of Object.entries(store)) {
      if (isList(exported))
        for (const [shape, statement] of statementsOf(exported))
          found.push({ name: `${file} ${name} ${shape}`, statement: statement as Statement<unknown> });
      if (isStatement(exported)) found.push({ name: `${file} ${name}`, statement: exported });
      if (typeof exported !== 'function') continue;
      const parts = shapesByName.get(name);
      if (parts === undefined) throw new Error(`${file}: the shapes of ${name} are not listed`);
      seen.add(name);
      const keys = Array.isArray(parts) ? (parts as unknown[]) : shapesOf(parts as Parts);
      for (const key of keys) {
        const statement: unknown = exported(key);
        if (!isStatement(statement)) throw new Error(`${file}: ${name} makes no statement`);
        found.push({ name: `${file} ${name} ${JSON.stringify(key)}`, statement });
      }
    }
  }
  const unknown = [...shapesByName.keys()].filter((name) => !seen.has(name));
  if (unknown.length > 0) throw new Error(`no store exports ${unknown.join(', ')}`);
  return found;
}
