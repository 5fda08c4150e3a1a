import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { targetOf } from 'confab-contract/policy.ts';
import { makeApp, makeBlob } from 'confab-testing/fixtures.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersOf, cellsOfEngine, likeAbsent, tryCells } from './cells.ts';
import { levelIn, levels } from './policy.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

type Kind = 'comment' | 'post' | 'message' | 'file';
const kinds: readonly Kind[] = ['comment', 'post', 'message', 'file'];

/** Something held, with what is on it. */
type Held = { readonly app: number; readonly id: number; readonly option: number; readonly reaction: number };

/**
 * What an operation does with something held: `sees` it, for its author and moderators; `removes` it, for its author with
 * write access and moderators; `decides` on it, or `restores` it, for moderators; `changes` it, for nobody, which those who
 * see it are told; `finds nothing`, whoever asks.
 */
type Intent = 'sees' | 'removes' | 'decides' | 'restores' | 'changes' | 'finds nothing';

/** The intent of each operation on one of these kinds, by the beginning of its name. */
const intents: readonly (readonly [name: RegExp, intent: Intent])[] = [
  [/^get(Comment|Post|Message|File)$/, 'sees'],
  [/^list(Comment|Post|Message)Revisions$/, 'sees'],
  [/^(trash|delete)(Comment|Post|Message|File)$/, 'removes'],
  [/^restore(Comment|Post|Message|File)$/, 'restores'],
  [/^(hold|approve|lock|unlock)(Comment|Post|Message|File)$/, 'decides'],
  [/^(update(Comment|Post|Message|File)|restoreFileVersion)$/, 'changes'],
  [/^(create|list|type)(Post|File)Comments?$/, 'finds nothing'],
  [/^(add|remove|list)(Comment|Post|Message)Reactions?$/, 'finds nothing'],
  [/^list(Comment|Post|Message)Attachments$/, 'finds nothing'],
  [/^(un)?subscribe(Post|File)$/, 'finds nothing'],
  [/^(resolve|reopen)Comment$/, 'finds nothing'],
  [/^report(Comment|Post|Message|File)$/, 'finds nothing'],
  [/^(list|get|delete)FileVersions?$/, 'finds nothing'],
  [/^(getOption|voteOption|listVoters|getReaction|deleteReaction)$/, 'finds nothing'],
];

/** An operation, with the kinds of content that it is tried on. */
type Row = { readonly operation: Operation; readonly of: readonly Kind[] };

/** The operations on content, with the kinds that each is tried on. */
const rows = operationList.flatMap((operation: Operation): Row[] => {
  const { on } = operation;
  if (on === undefined || typeof on === 'string' || 'own' in on) return [];
  const [target] = targetOf(on);
  if (target === 'option' || target === 'reaction') return [{ operation, of: ['comment', 'post'] }];
  return kinds.some((kind) => kind === target) ? [{ operation, of: [target as Kind] }] : [];
});

let world: World;
let now = Date.parse('2026-11-22T08:00:00Z');
let cells = 0;
let listCells = 0;
const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
const watch = useStoreWatch(server);
const places = () => world.places.filter(({ isTrashed }) => !isTrashed);
/** Who is somebody, and one who is nobody: the credential is refused before anything is looked for. */
const callers = () => world.callers.filter(({ kind }, index) => kind !== 'nobody' || index === 0);
const asAuthor = { headers: { 'x-confab-user': 'w-author' } };
const things = new Map<string, Held>();
const chats = new Map<Place, number>();

before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  const members = [
    ...['none', 'read', 'write'].map((access) => ({ uid: `w-${access}`, access })),
    { uid: 'w-moderator', access: 'write', role: 'moderator' },
  ];
  for (const place of places()) {
    const chat = await makeApp(
      server,
      { type: 'chat', access: place.access },
      { headers: { 'x-confab-user': 'w-creator' } },
    );
    await server.call('POST', `/api/apps/${chat.id}/members`, members);
    chats.set(place, chat.id);
  }
});

function appOf(kind: Kind, place: Place): string {
  if (kind === 'message') return String(chats.get(place));
  return place.apps.find((uid) => uid.endsWith(`${kind}s`)) ?? '';
}

async function send(method: string, path: string, body?: unknown, sending: object = {}): Promise<Answer> {
  return (await server.call(method, path, body, sending)) as Answer;
}

/** Creates something by the author, with an edit, a poll, a comment, a reaction and a file, and holds it. */
async function makeHeld(kind: Kind, place: Place): Promise<Held> {
  const blob = await makeBlob(server, asAuthor);
  const fields =
    kind === 'file'
      ? { blob_id: blob }
      : { text: 'leaking words', options: [{ text: 'yes' }], blobs: [blob] };
  const made = await send('POST', `/api/apps/${appOf(kind, place)}/${kind}s`, fields, asAuthor);
  assert.equal(made.status, 201, made.text);
  const { id, app_id: app, options } = made.body;
  const path = `/api/${kind}s/${id}`;
  let reaction = 0;
  if (kind === 'comment' || kind === 'post') {
    const { headers } = world.callers.find(({ name }) => name === 'the creator') as Caller;
    const react = await send('POST', `${path}/reactions`, { content: '😎' }, { as: null, headers });
    assert.equal(react.status, 204, react.text);
    reaction = (await send('GET', `${path}/reactions`)).body.data[0].id;
  }
  if (kind === 'post' || kind === 'file')
    assert.equal((await send('POST', `${path}/comments`, { text: 'below' }, asAuthor)).status, 201);
  assert.equal((await send('POST', `${path}/hold`)).status, 200);
  const held = { app, id, option: options?.[0]?.id ?? 0, reaction };
  things.set(`${kind} in ${place.name}`, held);
  return held;
}

function heldIn(kind: Kind, place: Place): Held {
  const held = things.get(`${kind} in ${place.name}`);
  assert.ok(held !== undefined);
  return held;
}

const bodies: { readonly [kind: string]: unknown } = {
  comment: { text: 'x' },
  post: { text: 'x' },
  message: { text: 'x' },
  file: { name: 'x.txt' },
};

async function request(
  { id, method, path }: Operation,
  kind: Kind,
  held: Held,
  caller: Caller,
): Promise<Answer> {
  const target = path.startsWith('/api/options')
    ? held.option
    : path.startsWith('/api/reactions')
      ? held.reaction
      : held.id;
  const sent = id.startsWith('report')
    ? { reason: 'spam' }
    : id.startsWith('add')
      ? { content: '👍' }
      : id.startsWith('create')
        ? { text: 'x' }
        : bodies[kind];
  const body = id.startsWith('update') || /^(report|add|create)/.test(id) ? sent : undefined;
  const filled = path.replace('{id}', String(target)).replace('{version}', '1');
  return await send(method, filled, body, { as: null, headers: caller.headers });
}

function intentOf({ id }: Operation): Intent {
  const found = intents.filter(([name]) => name.test(id));
  assert.equal(found.length, 1, `${found.length} intents for ${id}`);
  return found[0]?.[1] as Intent;
}

/** Holds again what a success has changed. */
async function holdAgain({ id }: Operation, kind: Kind, place: Place): Promise<void> {
  const path = `/api/${kind}s/${heldIn(kind, place).id}`;
  if (id.startsWith('delete')) await makeHeld(kind, place);
  if (id.startsWith('trash')) await send('POST', `${path}/restore`);
  if (/^(trash|restore|approve)/.test(id)) assert.equal((await send('POST', `${path}/hold`)).status, 200);
}

const absent = { app: 0, id: 987_654_321, option: 987_654_321, reaction: 987_654_321 };
const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

/** The one status of an operation on something held. */
function statusFor(operation: Operation, caller: Caller, place: Place): number {
  const intent = intentOf(operation);
  if (caller.kind === 'nobody') return 401;
  if (operation.caller === 'user' && caller.kind === 'key') return 401;
  const level = levelIn(caller, place);
  const moderates = levels.indexOf(level) >= levels.indexOf('moderate');
  const isSeen = moderates || (caller.isAuthor === true && level !== 'none');
  if (!isSeen || intent === 'finds nothing') return 404;
  const success = Number(Object.keys(operation.success)[0]);
  if (intent === 'sees') return success;
  if (intent === 'changes') return 403;
  if (intent === 'removes' && level === 'write') return success;
  return moderates ? success : 403;
}

let told = 0;

/** Whether the log has events since the last call. */
function hasTold(): boolean {
  const before = told;
  told = Number(watch.rows('select max(id) as id from events')[0]?.['id']);
  return told !== before;
}

/** Tries an operation on what is held in one place as everyone. */
async function tryPlace(operation: Operation, kind: Kind, place: Place): Promise<string[]> {
  const expected = (caller: Caller) => statusFor(operation, caller, place);
  const tried = callersOf(operation.id, callers()).filter((caller) =>
    isTried(`${operation.id} of a ${kind}`, { status: expected(caller), kind: caller.kind }),
  );
  cells += tried.length;
  return await tryCells(tried, {
    nameOf: ({ name }) => `a ${kind} by ${name} in ${place.name}`,
    expected,
    send: (caller) => request(operation, kind, heldIn(kind, place), caller),
    hasChanged: hasTold,
    isRead: operation.method === 'GET',
    accepted: () => holdAgain(operation, kind, place),
    async refused(caller, answer) {
      if (answer.status === 404)
        await assertLikeAbsent(answer, `${operation.id} of a ${kind} by ${caller.name}`, () =>
          request(operation, kind, absent, caller),
        );
    },
  });
}

// Every operation on content, tried on something held by every kind of caller, has the status of its intent.
describe('the access matrix of held content', () => {
  test('has an intent for each operation on content', () => {
    for (const { operation } of rows) intentOf(operation);
    assert.ok(rows.length > 60);
  });

  for (const { operation, of } of rows)
    test(`of ${operation.id}`, async () => {
      const wrong: string[] = [];
      for (const kind of of)
        for (const place of places()) {
          if (!things.has(`${kind} in ${place.name}`)) await makeHeld(kind, place);
          wrong.push(...(await tryPlace(operation, kind, place)));
        }
      assert.deepEqual(wrong, []);
    });

  for (const kind of kinds)
    test(`of the lists of ${kind}s, and of the queue`, async () => {
      const wrong: string[] = [];
      for (const place of places()) {
        const { id, app } = await makeHeld(kind, place);
        for (const caller of callers()) {
          const sending = { as: null, headers: caller.headers };
          const level = levelIn(caller, place);
          const moderates = levels.indexOf(level) >= levels.indexOf('moderate');
          for (const list of [`/api/apps/${app}/${kind}s`, `/api/${kind}s`])
            for (const query of ['', '?trashed=null', ...(place.access === 'write' ? ['?q=leaking'] : [])]) {
              const answer = await send('GET', list + query, undefined, sending);
              listCells += 1;
              const isListed =
                answer.status === 200 && answer.body.data.some((item: { id: number }) => item.id === id);
              // Lists of one app show comments to their author, whoever else the caller is.
              const isOwn = caller.uid === 'w-author' && caller.kind === 'token' && answer.status === 200;
              const isExpected = isOwn && kind === 'comment' && list.startsWith('/api/apps/');
              if (isListed !== (isExpected && !query.includes('q=')))
                wrong.push(`${caller.name} ${isListed ? 'finds' : 'misses'} it in ${list}${query}`);
            }
          const queue = await send('GET', `/api/reports?held=true&app=${app}`, undefined, sending);
          listCells += 1;
          const isThere =
            queue.status === 200 &&
            queue.body.data.some((report: any) => report.entity.id === id && report.entity.type === kind);
          if (caller.kind !== 'nobody' && isThere !== moderates)
            wrong.push(
              `${caller.name} in ${place.name} ${isThere ? 'finds' : 'does not find'} it in the queue`,
            );
        }
      }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of held content: ${cells} cells with their exact status, ${listCells} lists`);
    const tried = rows.flatMap(({ operation, of }) => of.map(() => operation.id));
    const all = tried.flatMap((id) => callersOf(id, callers())).length * places().length;
    assertCount(cells, { all, operations: tried.length });
  });
});
