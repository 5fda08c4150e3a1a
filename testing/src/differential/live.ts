import { setTimeout as pause } from 'node:timers/promises';
import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { openEventStream, type StreamOptions } from '../harness/event-stream.ts';
import type { Caller } from './callers.ts';
import type { Run } from './run.ts';
import type { Answer, Servers } from './servers.ts';
import { type Pair, sides, type Text, Twin, textFor, textOf } from './twins.ts';

/**
 * Tests what has no single response, once at the end of a run: a polled live connection, the presence it causes, and
 * the log as a stream.
 */

/** How long a change of presence may take; leaving alone takes two seconds. */
const patienceMs = 20_000;

/** Tests live connections on both sides and compares the results. */
export async function tryLive(run: Run, servers: Servers): Promise<void> {
  const person = await freshPerson(run);
  await connect(run, servers, person);
  await stream(run, servers);
}

type Person = { readonly caller: Caller; readonly uid: string; readonly app: Twin };

async function must(
  run: Run,
  operation: Operation,
  { caller, path, body }: { caller: Caller; path: Text; body?: (side: 'left' | 'right') => string },
): Promise<Pair<Answer>> {
  const type = operation.takesText === true ? 'text/plain' : 'application/json';
  const headers = { ...caller.headers, ...(body === undefined ? {} : { 'content-type': type }) };
  const request = { method: operation.method, path, headers, ...(body === undefined ? {} : { body }) };
  const answers = await run.perform({ name: operation.id, operation, caller, request, about: undefined });
  for (const side of sides)
    if (answers[side].status >= 300)
      throw new Error(`${operation.id} of ${side} answered ${answers[side].status}: ${answers[side].bytes}`);
  return answers;
}

function fieldOf(answers: Pair<Answer>, name: string): Twin {
  const of = (side: 'left' | 'right') =>
    (JSON.parse(answers[side].bytes.toString()) as Record<string, string | number>)[name] ?? '';
  return new Twin(of('left'), of('right'));
}

async function freshPerson(run: Run): Promise<Person> {
  const { key } = run.callers;
  const uid = 'live-person';
  await must(run, operations.upsertUser, { caller: key, path: `/api/users/${uid}`, body: () => '{}' });
  await must(run, operations.issueToken, { caller: key, path: `/api/users/${uid}/tokens` });
  const caller = run.callers.user(uid);
  if (caller === undefined) throw new Error('the person has no token');
  const body = () => JSON.stringify({ uid: 'live-app', type: 'comments', access: 'write' });
  const app = fieldOf(await must(run, operations.createApp, { caller: key, path: '/api/apps', body }), 'id');
  return { caller, uid, app };
}

async function connect(run: Run, servers: Servers, { caller, uid, app }: Person): Promise<void> {
  const { key } = run.callers;
  const negotiated = await must(run, operations.negotiateConnection, {
    caller,
    path: '/hubs/rtm/negotiate?negotiateVersion=1',
  });
  const token = fieldOf(negotiated, 'connectionToken');
  const path = textOf`/hubs/rtm?id=${new Twin(encodeURIComponent(token.left), encodeURIComponent(token.right))}`;
  const say = (text: Text) =>
    must(run, operations.sendToConnection, { caller, path, body: (side) => `${textFor(text, side)}\u001e` });
  const poll = () => must(run, operations.openConnection, { caller, path });
  await poll();
  await say('{"protocol":"json","version":1}');
  await poll();
  await shownAs('active', servers, { key, uid });
  await must(run, operations.getUser, { caller: key, path: `/api/users/${uid}` });
  await say(
    textOf`{"type":1,"target":"Subscribe","invocationId":"1","arguments":["a${app}:comment_created"]}`,
  );
  await poll();
  const text = () => JSON.stringify({ text: 'seen at once', tags: ['live'] });
  await must(run, operations.createAppComment, {
    caller: key,
    path: textOf`/api/apps/${app}/comments`,
    body: text,
  });
  await poll();
  await must(run, operations.endConnection, { caller, path });
  await shownAs('away', servers, { key, uid });
  await must(run, operations.getUser, { caller: key, path: `/api/users/${uid}` });
}

/** Waits until both sides show a user as active or as away. */
async function shownAs(
  presence: 'active' | 'away',
  servers: Servers,
  { key, uid }: { key: Caller; uid: string },
): Promise<void> {
  for (const since = performance.now(); ; await pause(50)) {
    const answers = await servers.send({ method: 'GET', path: `/api/users/${uid}`, headers: key.headers });
    const shown = fieldOf(answers, 'presence');
    if (sides.every((side) => shown[side] === presence)) return;
    if (performance.now() - since > patienceMs) throw new Error(`nobody is shown as ${presence}`);
  }
}

/** Reads the newest part of the log as a list and as a stream, which must have the same events. */
async function stream(run: Run, servers: Servers): Promise<void> {
  const { key } = run.callers;
  const first = await must(run, operations.listEvents, { caller: key, path: '/api/events?top=50' });
  const after = fieldOf(first, 'next');
  const listed = await must(run, operations.listEvents, {
    caller: key,
    path: textOf`/api/events?top=100&after=${after}`,
  });
  const count = eventsIn(listed.left.bytes.toString()).length;
  const read = async (side: 'left' | 'right') => {
    const url = servers.urls[side];
    const credential = textFor(key.headers['authorization'] ?? '', side).replace('Bearer ', '');
    return await readEvents({ url, credential, after: Number(after[side]) }, count);
  };
  const [left, right] = await Promise.all([read('left'), read('right')]);
  run.hold(operations.streamEvents, { left, right });
}

function eventsIn(text: string): unknown[] {
  return (JSON.parse(text) as { data: unknown[] }).data;
}

/** The first events of a stream, parsed. */
async function readEvents(stream: Omit<StreamOptions, 'signal'>, count: number): Promise<unknown[]> {
  const events: unknown[] = [];
  // A short run has a log of one page, after which the stream has nothing to send.
  if (count === 0) return events;
  const signal = AbortSignal.timeout(patienceMs);
  for await (const { data } of await openEventStream({ ...stream, signal })) {
    events.push(JSON.parse(data));
    if (events.length === count) return events;
  }
  throw new Error('the stream ended early');
}
