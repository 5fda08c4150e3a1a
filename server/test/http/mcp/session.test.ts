import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import { tools } from 'confab-contract/tools.ts';
import { startCommand } from 'confab-testing/command.ts';
import { connectProgram, type Era } from 'confab-testing/mcp.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { createDataFolder } from 'confab-testing/stores/databases.ts';

// A program with the official client does what its credential may do, as the same requests over HTTP would.
describe('a session of the Model Context Protocol', () => {
  const server = useServer({ CONFAB_MCP: 'yes' });

  for (const [era, version] of [
    ['modern', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const satisfies [Era, string][])
    test(`reads a thread, answers, reports, and is refused (${version})`, async (t) => {
      const ann = await server.token(freshUid('ann'), { name: 'Ann Archer' });
      const bob = await server.token(freshUid('bob'), { name: 'Bob Baker' });
      const app = await server.create('/api/apps', { uid: freshUid(), type: 'comments', access: 'write' });
      const first = await server.create(
        `/api/apps/${app.id}/comments`,
        { text: 'Which **day** suits you?' },
        { as: ann },
      );
      const program = await connectProgram(server, bob, { era });
      const { client } = program;
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal(client.getServerVersion()?.name, 'confab');
      assert.match(client.getInstructions() ?? '', /never instructions to you/);
      t.diagnostic(`${version}, connect: ${program.bytes()} bytes`);

      const listed = (await client.listTools()).tools;
      assert.ok(listed.some(({ name }) => name === 'createAppComment'));
      t.diagnostic(`${version}, list ${listed.length} tools: ${program.bytes()} bytes`);

      const read = await program.call('listAppComments', { app: app.uid, thread: 'roots' });
      assert.equal(read.isError, false);
      const [head, line, text] = read.text.split('\n');
      assert.equal(head, '1 in all:');
      assert.match(line ?? '', new RegExp(`^#${first.id} by "Ann Archer" \\(user \\d+\\) · 20\\d\\d-`));
      assert.equal(text, '> Which **day** suits you?');
      t.diagnostic(`${version}, read a thread: ${program.bytes()} bytes`);

      const answered = await program.call('createAppComment', {
        app: app.uid,
        reply_to: first.id,
        text: 'Friday.',
      });
      assert.equal(answered.isError, false, answered.text);
      const id = Number(/^#(\d+) by "Bob Baker"/.exec(answered.text)?.[1]);
      const stored = await server.read(`/api/comments/${id}`);
      assert.deepEqual([stored.text, stored.reply_to_id, stored.via], ['Friday.', first.id, 'mcp']);
      t.diagnostic(`${version}, answer: ${program.bytes()} bytes`);

      const reported = await program.call('reportComment', { id: first.id, reason: 'off_topic' });
      assert.equal(reported.isError, false, reported.text);
      const { data: reports } = await server.read(`/api/reports?app=${app.id}`);
      assert.equal(reports.length, 1);
      t.diagnostic(`${version}, report: ${program.bytes()} bytes`);

      const refused = await program.call('deleteComment', { id: first.id });
      assert.equal(refused.isError, true);
      assert.match(refused.text, /^Refused with 403 edit_forbidden: \w/);
      assert.equal((await server.call('GET', `/api/comments/${first.id}`)).status, 200);
      t.diagnostic(`${version}, refused: ${program.bytes()} bytes`);
      await client.close();
    });

  test('is refused what the scopes of its key leave out', async () => {
    const reader = await server.running.keys.create(freshUid(), { scopes: ['read'] });
    const app = await server.create('/api/apps', { uid: freshUid(), type: 'comments' });
    const program = await connectProgram(server, reader);
    const { tools: listed } = await program.client.listTools();
    assert.deepEqual(
      listed.filter(({ annotations }) => annotations?.readOnlyHint !== true),
      [],
    );
    assert.ok(listed.some(({ name }) => name === 'listReports'));
    const refused = await program.call('createAppComment', { app: app.uid, text: 'No' });
    assert.deepEqual(refused, {
      text: 'Refused with 403 scope_missing: The API key lacks the scope apps.',
      isError: true,
    });
    assert.equal((await server.read(`/api/apps/${app.id}/comments`)).count, 0);
  });

  test('lists for each caller the tools that it may call', async () => {
    const user = await server.token(freshUid());
    const ofUser = (await (await connectProgram(server, user)).client.listTools()).tools;
    const ofKey = (await (await connectProgram(server, server.key)).client.listTools()).tools;
    const names = (list: typeof ofUser) => new Set(list.map(({ name }) => name));
    assert.ok(names(ofUser).has('addCommentReaction') && !names(ofKey).has('addCommentReaction'));
    assert.ok(names(ofKey).has('createBan') && !names(ofUser).has('createBan'));
    assert.deepEqual(new Set([...names(ofUser), ...names(ofKey)]), new Set(Object.keys(tools)));
  });

  test('has the names, sentences and arguments of the contract, and hints that agree with it', async () => {
    const { tools: listed } = await (await connectProgram(server, server.key)).client.listTools();
    for (const { name, description, inputSchema, annotations } of listed) {
      const operation = operations[name as keyof typeof tools];
      assert.ok(description?.startsWith(operation.summary), name);
      assert.equal(annotations?.readOnlyHint === true, operation.method === 'GET', name);
      if (operation.method === 'DELETE') assert.equal(annotations?.idempotentHint, true, name);
      if (name.startsWith('create') && name !== 'createBan')
        assert.equal(annotations?.idempotentHint, false, name);
      assert.equal(
        annotations?.destructiveHint === true,
        /^(delete(?!Ban)|update|resolveReport|moderateUser)/.test(name),
        name,
      );
      for (const parameter of Object.keys(operation.params))
        assert.ok(inputSchema.required?.includes(parameter), `${name} ${parameter}`);
    }
  });

  test('acts for the user that its key names', async () => {
    const uid = freshUid('cy');
    await server.token(uid, { name: 'Cy' });
    const app = await server.create('/api/apps', { uid: freshUid(), type: 'comments' });
    const program = await connectProgram(server, server.key, { headers: { 'x-confab-user': uid } });
    const { text } = await program.call('createAppComment', { app: app.uid, text: 'For Cy' });
    assert.match(text, /^#\d+ by "Cy" \(user \d+\) · [^\n]+ · via mcp\n> For Cy\n/);
  });

  test('pages with `after`, without an item twice or left out', async () => {
    const app = await server.create('/api/apps', { uid: freshUid(), type: 'comments' });
    for (let i = 0; i < 7; i += 1)
      await server.create(`/api/apps/${app.id}/comments`, { text: `number ${i}` });
    const program = await connectProgram(server, server.key);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { text } = await program.call('listAppComments', {
        app: app.uid,
        top: 3,
        ...(after && { after }),
      });
      seen.push(...[...text.matchAll(/^> (number \d)$/gm)].map(([, each = '']) => each));
      after = /call again with after "([^"]+)"/.exec(text)?.[1];
    } while (after !== undefined);
    assert.deepEqual(
      seen,
      Array.from({ length: 7 }, (_, i) => `number ${i}`),
    );
  });

  test('shows apps and their threads as resources, and nothing that its caller may not read', async () => {
    const uid = freshUid('a b/ü');
    const app = await server.create('/api/apps', {
      uid: uid.replace(' ', '-'),
      type: 'comments',
      name: 'Plans',
    });
    await server.create(`/api/apps/${app.id}/comments`, { text: 'A plan' });
    const { client } = await connectProgram(server, server.key);
    const { resources } = await client.listResources();
    const { uri } = resources.find(({ name }) => name === 'Plans') ?? { uri: '' };
    assert.equal(uri, `confab://apps/${encodeURIComponent(app.uid ?? '')}`);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['confab://apps/{uid}', 'confab://apps/{uid}/comments'],
    );
    const textOf = async (address: string) => {
      const { contents } = await client.readResource({ uri: address });
      return contents.map((part) => ('text' in part ? part.text : '')).join('');
    };
    assert.match(await textOf(uri), /^id: \d+\ntype: comments\n/);
    assert.match(await textOf(`${uri}/comments`), /^1 in all:\n#\d+ by "System"[^\n]*\n> A plan$/);
    const stranger = (await connectProgram(server, await server.token(freshUid()))).client;
    for (const address of [
      uri,
      `${uri}/comments`,
      'confab://apps/nothing',
      'confab://users/1',
      'confab://apps/%zz',
    ])
      await assert.rejects(stranger.readResource({ uri: address }), /not found/i);
    assert.deepEqual(
      (await stranger.listResources()).resources.filter((one) => one.uri === uri),
      [],
    );
  });

  test('has prompts for the tasks of a moderator', async () => {
    const { client } = await connectProgram(server, server.key);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['moderate_queue', 'summarise_thread', 'answer_comment'],
    );
    const names = new Set(Object.keys(tools));
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { app: 'x', comment: '7' } });
      const { content } = messages[0] ?? {};
      const text = content?.type === 'text' ? content.text : '';
      const called = [...text.matchAll(/\b(?:get|list|create|resolve)[A-Z]\w+/g)].map(([tool]) => tool);
      assert.ok(called.length >= 2 && called.every((tool) => names.has(tool)), text);
    }
    await assert.rejects(client.getPrompt({ name: 'summarise_thread' }));
    await assert.rejects(client.getPrompt({ name: 'constructor' }));
  });

  test('leaves `via` in events, texts, revisions and notifications, and only there', async () => {
    const ann = await server.token(freshUid('ann'));
    const bob = await server.token(freshUid('bob'));
    const app = await server.create('/api/apps', { uid: freshUid(), type: 'comments', access: 'write' });
    const plain = await server.create(`/api/apps/${app.id}/comments`, { text: 'By hand' }, { as: ann });
    assert.equal(plain.via, undefined);
    const program = await connectProgram(server, bob);
    const { text } = await program.call('createAppComment', {
      app: app.uid,
      reply_to: plain.id,
      text: 'By program',
    });
    const id = Number(/^#(\d+)/.exec(text)?.[1]);
    const latest = async () =>
      (await server.read('/api/events?before=9007199254740991&top=100')).data as Event[];
    const created = (await latest()).find(
      ({ comment, action }) => action === 'comment_created' && comment?.id === id,
    );
    assert.deepEqual(
      [created?.actor?.kind, created?.actor?.via, created?.comment?.via],
      ['person', 'mcp', 'mcp'],
    );
    const ofPlain = (await latest()).find(
      (one) => one.action === 'comment_created' && one.comment?.id === plain.id,
    );
    assert.deepEqual([ofPlain?.actor?.via, ofPlain?.comment?.via], [undefined, undefined]);
    // A notification has the actor of its cause.
    const notified = await poll('the notification', async () =>
      (await latest()).find(
        (one) => one.action === 'notification_created' && one.notification?.link?.id === id,
      ),
    );
    assert.equal(notified.actor?.via, 'mcp');
    // An edit says how the new words were written, and keeps in the revision how the old ones were.
    await server.call('PATCH', `/api/comments/${id}`, { text: 'By hand now' }, { as: bob });
    assert.equal((await server.read(`/api/comments/${id}`)).via, undefined);
    await program.call('updateComment', { id, text: 'By program again' });
    assert.equal((await server.read(`/api/comments/${id}`)).via, 'mcp');
    const { data: revisions } = await server.read(`/api/comments/${id}/revisions?order_by=id`);
    assert.deepEqual(
      revisions.map((one: { text: string; via?: string }) => [one.text, one.via]),
      [
        ['By program', 'mcp'],
        ['By hand now', undefined],
      ],
    );
    // The same words again are no edit, whoever sends them.
    await server.call('PATCH', `/api/comments/${id}`, { text: 'By program again' }, { as: bob });
    assert.equal((await server.read(`/api/comments/${id}`)).via, 'mcp');
    // Other users see it in the log and in lists.
    const { data } = await server.read(`/api/apps/${app.id}/comments`, { as: ann });
    assert.equal(data.find((one: { id: number }) => one.id === id)?.via, 'mcp');
  });

  type Event = {
    readonly action: string;
    readonly actor?: { readonly kind?: string; readonly via?: string };
    readonly comment?: { readonly id: number; readonly via?: string };
    readonly notification?: { readonly link?: { readonly id: number } };
  };
});

/** Makes the first loading of the protocol fail, as where no file descriptor is free. */
const failingOnce = `import { registerHooks } from 'node:module';
let failures = 1;
registerHooks({
  load(url, context, next) {
    if (url.endsWith('/mcp/protocol.ts') && failures-- > 0) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
    return next(url, context);
  },
});`;

describe('the protocol, which is loaded at its first message,', () => {
  test('is loaded again where it could not be', async (t) => {
    const { child, said } = await startCommand(
      ['serve', '--port', '0', '--data-dir', await createDataFolder()],
      { CONFAB_MCP: 'yes', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failingOnce)}` },
    );
    t.after(() => child.kill('SIGKILL'));
    const url = await poll('the address', () => /listens on (\S+)/.exec(said.stdout)?.[1]);
    const key = await poll('the key', () => /wys_\w{38}/.exec(said.stdout + said.stderr)?.[0]);
    const ping = async () => {
      const { status } = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
      return status;
    };
    assert.deepEqual([await ping(), await ping()], [500, 200]);
  });
});
