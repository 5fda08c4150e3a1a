import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, startTestServer, type TestServer, use } from 'confab-testing/server.ts';
import {
  createDataFolder,
  databaseOf,
  dropDatabaseOf,
  storeSettings,
} from 'confab-testing/stores/databases.ts';
import { type RoundTrips, startRoundTrips } from 'confab-testing/stores/round-trips.ts';
import { type Request, toldEvents, type World } from '../../features/webhooks/told-events.ts';
import { makeWorld } from '../../features/webhooks/told-world.ts';
import { makeReadings, pages, uncounted } from './readings.ts';
import { origin, signingIn } from './signing-in.ts';

/**
 * How often an operation waits for the database: requests of a deployment with a database in another building last as
 * many times its distance. `ROUND_TRIPS=write` before the command of this file writes the table anew.
 */

const tableFile = new URL('round-trips.json', import.meta.url);
const isWriting = process.env.ROUND_TRIPS === 'write';
const table: { readonly [name: string]: number } = JSON.parse(readFileSync(tableFile, 'utf8'));

/** Background work can fall into a request, which only makes more of it. */
const attemptsMax = 4;

type Asking = Omit<Request, 'as'> & { readonly as?: string | null };

const mailServer = useMailServer();
const receiver = useReceiver();
let trips: RoundTrips;
const server = use(async (): Promise<TestServer> => {
  const folder = await createDataFolder();
  await storeSettings(folder);
  trips = await startRoundTrips(databaseOf(folder) ?? '');
  const settings = {
    CONFAB_DATABASE_URL: trips.url,
    CONFAB_SIGN_IN: 'guest,email',
    CONFAB_SIGN_IN_PUZZLE: 'no',
    CONFAB_SMTP_URL: mailServer.url,
    CONFAB_MAIL_FROM: 'no-reply@example.com',
    CONFAB_CORS_ORIGINS: origin,
  };
  return await startTestServer(settings, { folder });
});
let world: World;
let requests: { readonly [name: string]: (() => Promise<Asking> | Asking) | undefined };
before(async () => {
  world = await makeWorld(server, receiver);
  const readings = Object.entries(await makeReadings(world));
  requests = {
    ...Object.fromEntries(
      Object.entries(toldEvents).map(([id, { request }]) => [id, async () => await request(world)] as const),
    ),
    ...Object.fromEntries(
      Object.entries(signingIn).map(([id, ask]) => [id, () => ask({ server, mails: mailServer.mails })]),
    ),
    ...Object.fromEntries(
      readings.map(([name, given]) => [name, typeof given === 'function' ? given : () => given]),
    ),
    // The origins are those of the settings here.
    updateSite: () => ({ body: { opens_pages: false } }),
    runDoctor: atRest,
    fixWithDoctor: atRest,
  };
});
after(async () => {
  await server.close();
  trips.close();
  await dropDatabaseOf(server.folder);
});

/** A request of an examination, which is refused while another one runs. */
async function atRest(): Promise<Asking> {
  await poll(
    'the examination',
    async () => (await server.read('/api/doctor')).state !== 'running' || undefined,
  );
  return {};
}

/** Makes one request of an operation, which must succeed; returns the statements of each of its round trips. */
async function tripsOf(name: string): Promise<string[][]> {
  const operation = operationList.find(({ id }) => id === name.split(' ')[0]);
  assert.ok(operation !== undefined);
  const request = await requests[name]?.();
  assert.ok(request !== undefined, 'add a request of it to server/test/postgres/trips/readings.ts');
  const { at = {}, query = '', body, as = server.key, headers = {} } = request;
  const path =
    operation.path.replaceAll(/\{([a-z]+)\}/g, (_, parameter: string) => String(at[parameter])) + query;
  const isReading = operation.method === 'GET';
  const made = await trips.count({ path, isReading }, async () => {
    const { status, text } = await server.call(operation.method, path, body, { as, headers });
    assert.ok(status in operation.success, `${status} ${text}`);
  });
  // What it examines in the background is read beside the requests that come next.
  if (requests[name] === atRest) await atRest();
  return made;
}

/** The fewest of some requests, of which the first that makes no more than expected is the last. */
async function fewestOf(name: string, expected: number): Promise<string[][]> {
  let fewest = await tripsOf(name);
  for (let attempt = 1; attempt < attemptsMax && fewest.length > expected; attempt += 1) {
    const made = await tripsOf(name);
    if (made.length < fewest.length) fewest = made;
  }
  return fewest;
}

describe('the round trips to the database', () => {
  const names = [
    ...operationList.map(({ id }) => id).filter((id) => !uncounted.some((each) => each === id)),
    ...pages,
  ];
  const counted: { [name: string]: number } = {};
  after(() => {
    if (isWriting) writeFileSync(tableFile, `${JSON.stringify(counted, null, 2)}\n`);
  });

  test('are counted of every operation', () => {
    if (!isWriting) assert.deepEqual(Object.keys(table), names);
  });

  for (const name of names)
    test(`of ${name} are as many as in the table`, async () => {
      const expected = isWriting ? 0 : (table[name] ?? 0);
      const made = await fewestOf(name, expected);
      counted[name] = made.length;
      if (isWriting) return;
      const list = made.map((statements, index) => `${index + 1}. ${statements.join('\n   ')}`).join('\n');
      assert.ok(made.length <= expected, `${made.length} in place of ${expected}:\n${list}`);
      assert.equal(made.length, expected, 'these are fewer than before: write the table anew');
    });
});
