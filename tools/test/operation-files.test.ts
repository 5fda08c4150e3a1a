import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { handlers } from 'confab-server/src/main/handlers.ts';
import {
  findTestOfPath,
  getTest,
  operationTests,
  elsewhere as testedElsewhere,
} from 'confab-testing/operation-tests.ts';

/**
 * Where the function of an operation is found (decision 0040): in the folder of the last segment of its path that names
 * one, in the file of the first word of its id. The inverse of a verb stands with the verb.
 */

const features = 'server/src/features';
const inverses: { readonly [verb: string]: string } = {
  approve: 'hold',
  unlock: 'lock',
  reopen: 'resolve',
  restore: 'trash',
  unmark: 'mark',
  unpin: 'pin',
  unstar: 'star',
  unsubscribe: 'subscribe',
};

const hub = 'the hub is in no feature: its carriers and its operations are one thing';

const signing = 'signing in has several steps below one path, each in the file of its way';

/** What can be done with entries of any kind is bound in one file of each kind (docs/decisions/0165). */
const ofEveryEntry = /\/(comments|posts|messages)\/\1\.ts$/;

/** The operations that stand elsewhere, each with the reason. */
const elsewhere: { readonly [id: string]: { readonly file: string; readonly reason: string } } = {
  negotiateConnection: { file: 'server/src/realtime/negotiate.ts', reason: hub },
  openConnection: { file: 'server/src/realtime/open.ts', reason: hub },
  sendToConnection: { file: 'server/src/realtime/send.ts', reason: hub },
  endConnection: { file: 'server/src/realtime/end.ts', reason: hub },
  eraseUser: {
    file: `${features}/erasures/create.ts`,
    reason: 'to delete a user is to create an erasure, which goes on after the answer',
  },
  exportUser: {
    file: `${features}/exports/get.ts`,
    reason: 'to export a user is to get an export, which is read while it is sent',
  },
  getCaller: { file: `${features}/users/get.ts`, reason: 'its path, /api/user, names one of the users' },
  pingWebhook: {
    file: `${features}/webhooks/deliveries/ping.ts`,
    reason: 'a ping is a delivery that is made on request',
  },
  redeliverMany: {
    file: `${features}/webhooks/deliveries/redeliver.ts`,
    reason: 'its path names the redeliveries, which are deliveries',
  },
  restoreFileVersion: {
    file: `${features}/versions/restore.ts`,
    reason: 'it is no inverse: versions have no trash, and restoring one makes another',
  },
  getSignIn: { file: `${features}/visitors/ways.ts`, reason: signing },
  makePuzzle: { file: `${features}/visitors/ways.ts`, reason: signing },
  signInAsGuest: { file: `${features}/visitors/guest.ts`, reason: signing },
  signInByEmail: { file: `${features}/visitors/email.ts`, reason: signing },
  confirmCode: { file: `${features}/visitors/email.ts`, reason: signing },
  confirmLink: { file: `${features}/visitors/email.ts`, reason: signing },
  refuseMail: { file: `${features}/visitors/email.ts`, reason: signing },
  exchangeCode: { file: `${features}/visitors/exchange.ts`, reason: signing },
  renewSignIn: { file: `${features}/visitors/renew.ts`, reason: signing },
  signOut: { file: `${features}/visitors/sign-out.ts`, reason: signing },
  updateVisitor: { file: `${features}/visitors/update.ts`, reason: signing },
  addMailbox: { file: `${features}/visitors/mailbox.ts`, reason: signing },
  confirmMailbox: { file: `${features}/visitors/mailbox.ts`, reason: signing },
  explainAccess: {
    file: `${features}/members/explain.ts`,
    reason: 'access/ decides rights and binds no operation',
  },
  rotateWebhookSecret: {
    file: `${features}/webhooks/secrets/rotate.ts`,
    reason: 'its path names the one secret of a webhook',
  },
};

/** Every file that makes a handler of an operation, by the id of the operation. */
function handlerFiles(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // The operations of the second form are in a folder of their own.
  const files = globSync('server/src/**/*.ts').filter((file) => !file.includes('/second-form/'));
  for (const file of files.sort())
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/\bhandler\(\s*\w+Operations\.(\w+)/g))
      found.set(id, file);
  return found;
}

/** The folder of each noun of a path. Folders may lie in one another; that of webhooks is for all that they are made of. */
const folders = new Map(
  globSync(`${features}/**/`)
    .sort((a, b) => a.length - b.length)
    .map((folder) => [path.basename(folder), folder]),
).set('webhooks', `${features}/webhooks/registration`);

function expectedFile({ id, path: url }: Operation): string {
  const nouns = url.split('/').filter((segment) => folders.has(segment));
  const [, verb = ''] = /^([a-z]+)/.exec(id) ?? [];
  return `${folders.get(nouns.at(-1) ?? '')}/${inverses[verb] ?? verb}.ts`;
}

describe('the function of each operation', () => {
  const files = handlerFiles();

  it('exists once', () => {
    const left = operationList.filter(({ id }) => !files.has(id));
    assert.deepEqual(
      left.map((operation) => `${operation.id} in ${expectedFile(operation)}`),
      [],
      'write the function of each with `handler()`, in the file that is named here',
    );
    assert.deepEqual([...files.keys()].sort(), operationList.map(({ id }) => id).sort());
  });

  it('is in the list from which the server binds operations', () => {
    const listed = new Set(handlers.map(({ operation }) => operation.id));
    const left = operationList.filter(({ id }) => !listed.has(id)).map(({ id }) => id);
    assert.deepEqual(
      left,
      [],
      'import the function of each into server/src/main/handlers.ts and list it there',
    );
  });

  it('is in the file that its path and its id name, except those with a reason', (t) => {
    const others = operationList.filter((operation) => {
      const file = files.get(operation.id) ?? '';
      return file !== expectedFile(operation) && !ofEveryEntry.test(file);
    });
    assert.deepEqual(
      Object.fromEntries(others.map(({ id }) => [id, files.get(id)])),
      Object.fromEntries(Object.entries(elsewhere).map(([id, { file }]) => [id, file])),
    );
    for (const { reason } of Object.values(elsewhere)) assert.ok(reason.length > 20);
    t.diagnostic(`${operationList.length - others.length} of ${operationList.length} follow the rule`);
  });
});

// docs/operations.md names the test to read first, which follows from the path unless there is a line for it.
describe('the test of each operation', () => {
  it('is a file', () => {
    const absent = Object.entries(operationTests).filter(([, file]) => !existsSync(file));
    assert.deepEqual(absent, [], 'name a file that exists in testing/src/operation-tests.ts');
  });

  it('is named only where the path does not name it', () => {
    const named = operationList.filter(({ id }) => Object.hasOwn(testedElsewhere, id));
    const needless = named.filter(
      (operation) => findTestOfPath(operation.path) === operationTests[operation.id],
    );
    assert.deepEqual(
      needless.map(({ id }) => id),
      [],
      'remove these lines from testing/src/operation-tests.ts',
    );
  });

  it('is that of the last noun of the path that has one', () => {
    const path = '/api/comments/{id}/reactions/summary';
    assert.equal(findTestOfPath(path), 'server/test/features/reactions/reactions.test.ts');
  });

  it('must be named where no noun of the path has one', () => {
    assert.throws(
      () => getTest({ id: 'getNothing', path: '/api/nothing' }),
      /of getNothing, \/api\/nothing: add .*, or name its test in `elsewhere` of testing\/src/,
    );
  });
});
