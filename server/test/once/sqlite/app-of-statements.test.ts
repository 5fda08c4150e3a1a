import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';

/** A condition on the app or on the parent, which is the app here, or a row that is added with its app. */
const namesApp = /"app_id" = \?|"apps"\."id" = \?|"parent_id" = \?|^insert into "\w+" \([^)]*"app_id"/;

/** The statements without the app, by the first table that they name. */
const without: Readonly<Record<string, string>> = {
  access_tokens: 'users and their tokens belong to no app',
  entry_search: 'the index has the id of the entry; its words begin with that of the app',
  entries: 'the path names a comment by its id alone',
};

// A store that is spread over several databases by app could send each of these requests to one of them, but for the
// tables above and for webhooks and their deliveries, which belong to no app and which the statements here leave out.
describe('the statements of the requests that come most often', () => {
  const statements: string[] = [];
  const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
  let app: number;
  let comment: number;
  let token: string;

  before(async () => {
    token = (await makeUser(server)).token;
    app = (await makeApp(server, { access: 'write' }, { as: token })).id;
    comment = (await makeComment(server, app, { text: 'hello', tags: ['t'] }, { as: token })).id;
  });

  for (const [request, send, others] of [
    [
      'create a comment',
      () => ['POST', `/api/apps/${app}/comments`, { text: 'x' }],
      ['access_tokens', 'entry_search'],
    ],
    ['list the comments of an app', () => ['GET', `/api/apps/${app}/comments`], ['access_tokens']],
    ['list them expanded', () => ['GET', `/api/apps/${app}/comments?expand=created_by`], ['access_tokens']],
    ['list the members of an app', () => ['GET', `/api/apps/${app}/members`], ['access_tokens']],
    ['get a comment', () => ['GET', `/api/comments/${comment}`], ['access_tokens', 'entries']],
  ] as const)
    test(`${request}: name the app, but for ${others.join(' and ')}`, async () => {
      statements.length = 0;
      const [method, path, body] = send() as [string, string, object?];
      const answer = await server.call(method, path, body, { as: token });
      assert.ok(answer.status < 300, answer.text);
      const unrouted = statements.filter((sql) => !namesApp.test(sql));
      assert.deepEqual(
        unrouted.map((sql) => /(?:from|into|update) "(\w+)"/.exec(sql)?.[1]),
        others,
      );
      for (const table of others) assert.ok(table in without);
    });
});
