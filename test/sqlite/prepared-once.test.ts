import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from '../support/fixtures.ts';
import { settledLog } from '../support/notifications.ts';
import { useReceiver } from '../support/receiver.ts';
import { useServer } from '../support/server.ts';
import { register, settled } from '../support/webhooks.ts';

// SQLite asks the authorizer whenever it prepares a statement: also when it does so by itself, within a call that runs one.
let preparedAgain = 0;
let isPreparing = false;
/** The tables of a search index, which prepares statements of its own while one of ours runs. */
const ofIndex = /_search/;
const watched = new WeakSet<DatabaseSync>();

function watch(database: DatabaseSync): void {
  if (watched.has(database)) return;
  watched.add(database);
  database.setAuthorizer((_action, table) => {
    if (!isPreparing && table !== null && !ofIndex.test(table)) preparedAgain += 1;
    return 0;
  });
}

/** Notes that what `work` does prepares statements because it was told to. */
function whilePreparing<T>(work: () => T): T {
  isPreparing = true;
  try {
    return work();
  } finally {
    isPreparing = false;
  }
}

const { prepare, exec } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (...given) {
  watch(this);
  return whilePreparing(() => prepare.apply(this, given));
};
DatabaseSync.prototype.exec = function (text) {
  return whilePreparing(() => exec.call(this, text));
};

// A bare `limit ?` is planned by its value, so SQLite prepares its statement again for each call, which costs more than
// most statements.
describe('a statement that was prepared', () => {
  const server = useServer();
  const receiver = useReceiver();
  let use: () => Promise<void>;

  before(async () => {
    const { id } = await register(server, { payload_url: `${receiver.url}/`, triggers: ['comments'] });
    const ada = await makeUser(server);
    const as = { as: ada.token };
    const app = await makeApp(server, { access: 'write' });
    use = async () => {
      const text = { text: 'prepared once' };
      const made = await Promise.all(Array.from({ length: 30 }, () => makeComment(server, app.id, text, as)));
      await server.call('GET', `/api/comments/${made[0]}`, undefined, as);
      for (const query of ['', '?skip=20', '?top=5', '?q=once'])
        await server.call('GET', `/api/apps/${app.id}/comments${query}`, undefined, as);
      await settledLog(server);
      await settled(server, id, 'delivered');
    };
    for (let i = 0; i < 3; i += 1) await use();
  });

  test('is prepared once for creating, listing, notifying and delivering', async () => {
    preparedAgain = 0;
    for (let i = 0; i < 3; i += 1) await use();
    assert.equal(preparedAgain, 0);
  });

  test('is prepared again where its limit is not a parameter', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table things (id integer primary key)');
    const page = database.prepare('select id from things order by id limit ?');
    preparedAgain = 0;
    for (const top of [1, 2, 3]) page.all(top);
    database.close();
    assert.notEqual(preparedAgain, 0);
  });
});
