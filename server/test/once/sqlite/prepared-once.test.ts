import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { useServer } from 'confab-testing/server.ts';
import { register, settled } from 'confab-testing/webhooks.ts';

type Authorizer = NonNullable<Parameters<DatabaseSync['setAuthorizer']>[0]>;

// SQLite asks the authorizer whenever it prepares a statement: also when it does so by itself, within a call that runs one.
let preparedAgain = 0;
let isPreparing = false;
/**
 * What is always prepared again: the statements of a search index, which prepares them while one of ours runs, and the
 * pragma by which the log is looked at after each transaction, which takes a microsecond with that.
 */
const isAllowed = /_search|^wal_checkpoint$/;
const count: Authorizer = (_action, table) => {
  if (!isPreparing && table !== null && !isAllowed.test(table)) preparedAgain += 1;
  return 0;
};

/** Notes that what `work` does prepares statements because it was told to. */
function whilePreparing<T>(work: () => T): T {
  isPreparing = true;
  try {
    return work();
  } finally {
    isPreparing = false;
  }
}

const { prepare, exec, setAuthorizer } = DatabaseSync.prototype;
const watched = new WeakSet<DatabaseSync>();

/** Counts on every connection from its first statement on, except while the program asks the authorizer itself. */
function countPreparations(): void {
  const ask = (database: DatabaseSync, authorizer: Authorizer) => {
    watched.add(database);
    setAuthorizer.call(database, authorizer);
  };
  DatabaseSync.prototype.setAuthorizer = function (authorizer) {
    ask(this, authorizer ?? count);
  };
  DatabaseSync.prototype.prepare = function (...given) {
    if (!watched.has(this)) ask(this, count);
    return whilePreparing(() => prepare.apply(this, given));
  };
  DatabaseSync.prototype.exec = function (text) {
    return whilePreparing(() => exec.call(this, text));
  };
}

// A bare `limit ?` is planned by its value, so SQLite prepares its statement again for each call, which costs more than
// most statements.
describe('a statement that was prepared', () => {
  before(countPreparations);
  after(() => void Object.assign(DatabaseSync.prototype, { prepare, exec, setAuthorizer }));
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
