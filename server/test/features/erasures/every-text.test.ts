import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { wordsIn } from 'confab-testing/erase/counts.ts';
import { startSite } from 'confab-testing/erase/site.ts';
import { tailCharacters } from 'confab-testing/erase/world.ts';
import { type TextSender, textOperations, textSender } from 'confab-testing/every-text.ts';
import { makeApp, makeComment, makePost, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, type Caller, freshUid, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { newVerifier } from 'confab-testing/visitors.ts';
import { register } from 'confab-testing/webhooks.ts';

const origin = 'https://blog.example.com';
const mailServer = useMailServer();
const settings: Record<string, string> = {
  CONFAB_SIGN_IN: 'guest,email',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_SIGN_IN_PICTURES: 'all',
  CONFAB_MAIL_FROM: 'no-reply@example.com',
  CONFAB_CORS_ORIGINS: origin,
};
before(() => {
  settings.CONFAB_SMTP_URL = mailServer.url;
});
const server = useServer(settings);
const watch = useStoreWatch(server);
const receiver = useReceiver();
const site = use(startSite);
after(() => site.close());

/** Operations whose texts are not of people who can be erased, with the reason. */
const without: { readonly [operation: string]: string } = {
  initApp: 'its parts are those of createApp and createUser',
  createKey: 'names of keys are the operator’s',
  createDirectory: 'a group of users',
  updateDirectory: 'a group of users',
  replaceModerationRules: 'the rules of the operator',
  testModerationRules: 'keeps nothing',
  updateSite: 'what the operator sets for the site',
  createBan: 'a ban names no user',
  createImport: 'the operator’s file of an import',
  createImportBlob: 'the operator’s file of an import',
  registerWebhook: 'the operator’s',
  updateWebhook: 'the operator’s',
  redeliverMany: 'a filter',
  addMembers: 'uids of users',
  removeMembers: 'uids of users',
};

/** What stays after an erasure, by the operation with the field; docs/keeping-a-community.md says each. */
const stays = /^(createApp|upsertApp|updateApp|createConversation) /;

const deliveriesEnd = () =>
  poll('every delivery to end', () => {
    const [row] = watch.rows('select count(*) as n from deliveries where due_at is not null');
    return Number(row?.n) === 0 ? true : undefined;
  });

async function erasuresEnd(): Promise<void> {
  await poll('the erasures to end', () =>
    watch.rows('select 1 from erasures where finished_at is null').length === 0 ? true : undefined,
  );
}

function textOf(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n');
}

/** What the words found in a text were sent as. */
function originsIn(text: string, { words }: TextSender): string[] {
  const byEnd = new Map([...words].map(([word, sentAs]) => [word.slice(-tailCharacters), sentAs]));
  return wordsIn(text, new Set(byEnd.keys())).map((end) => byEnd.get(end) ?? '');
}

/** Where words are in the store and its files: the place with what each was sent as. */
function leftInStore(sender: TextSender): string[] {
  const inTables = watch.tables().flatMap((table) => {
    const text = watch.rows(`select * from "${table}"`).map(textOf).join('\n');
    return originsIn(text, sender).map((sentAs) => `${sentAs} → ${table}`);
  });
  const folder = join(server.folder, 'blobs');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const inFiles = names.flatMap((entry) => {
    const bytes = entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : '';
    return originsIn(`${entry.name}\n${bytes}`, sender).map((sentAs) => `${sentAs} → the files`);
  });
  return [...new Set([...inTables, ...inFiles])].toSorted();
}

const idsOf = (sql: string) => watch.rows(sql).map(({ id }) => Number(id));

/** Every address that a GET of the interface has for what is in the store. */
function addresses(): string[] {
  const kinds = ['comment', 'post', 'message'];
  const ids: { [segment: string]: readonly number[] } = Object.fromEntries(
    kinds.map((kind) => [`${kind}s`, idsOf(`select id from entries where kind = '${kind}'`)]),
  );
  for (const table of [
    'apps',
    'users',
    'files',
    'reports',
    'webhooks',
    'erasures',
    'meetings',
    'embeds',
    'blobs',
  ])
    ids[table] = idsOf(`select id from ${table}`);
  return operationList
    .filter(({ method, media }) => method === 'GET' && media === undefined)
    .flatMap(({ path, params, list }) => {
      const query = list === undefined || list.expand.length === 0 ? '' : `?expand=${list.expand.join(',')}`;
      const names = Object.keys(params);
      if (names.length === 0) return [path + query];
      const segment = /^\/api\/(\w+)\/\{/.exec(path)?.[1] ?? '';
      if (names.length > 1) return [];
      return (ids[segment] ?? []).map((id) => path.replace(/\{\w+\}/, String(id)) + query);
    });
}

/** Where words are in the answers of the interface to some callers. */
async function leftInAnswers(sender: TextSender, callers: readonly Caller[]): Promise<string[]> {
  const found = new Set<string>();
  let read = 0;
  for (const path of addresses())
    for (const caller of callers) {
      const { status, text } = await caller.call('GET', path);
      if (status === 200) read += 1;
      for (const sentAs of originsIn(text, sender))
        found.add(`${sentAs} → GET ${path.replaceAll(/\d+/g, 'N')}`);
    }
  assert.ok(read > 100, `only ${read} answers were read`);
  return [...found].toSorted();
}

const sender = textSender('person', () => site.url);
const visitors = textSender('visitor', () => site.url);
let bob: Person;

before(async () => {
  receiver.decide('/echo', ({ body }) => ({ status: 200, body }));
  const triggers = [
    'comments',
    'posts',
    'messages',
    'files',
    'apps',
    'polls',
    'notifications',
    'conversations',
    'members',
    'moderation',
  ];
  await register(server, { payload_url: `${receiver.url}/echo`, triggers });
  bob = await makeUser(server, { name: 'Bob' });
});

/** A user who moderates everywhere, written by each operation that writes users. */
async function makePerson(by = sender): Promise<Person> {
  const made = await by.send(server, 'createUser', [], { role: 'moderator' });
  await by.send(server, 'issueToken', [made.id]);
  await by.send(server, 'upsertUser', [made.uid], { role: 'moderator' });
  const { body } = await server.call('POST', `/api/users/${made.id}/tokens`);
  return { ...server.as(body.access_token), id: made.id, uid: String(made.id), token: body.access_token };
}

/** Everything that a user can write in an app of each type, seen by Bob. */
async function writeContent(ada: Person, by = sender): Promise<void> {
  const blobs = async () => ({ blobs: [await by.upload(ada)] });
  const apps: { [type: string]: number } = {};
  for (const type of ['comments', 'posts', 'files', 'chat']) {
    apps[type] = (await makeApp(server, { type, access: 'write', members: { manager: [ada] } })).id;
    await bob.call('POST', `/api/apps/${apps[type]}/subscribe`);
  }
  const mine = await by.send(ada, 'createAppComment', [apps.comments ?? 0], await blobs());
  await by.send(ada, 'updateComment', [mine.id]);
  const post = await by.send(ada, 'createPost', [apps.posts ?? 0], await blobs());
  await by.send(ada, 'updatePost', [post.id]);
  await by.send(ada, 'createPostComment', [await makePost(bob, apps.posts ?? 0)]);
  const message = await by.send(ada, 'createMessage', [apps.chat ?? 0], await blobs());
  await by.send(ada, 'updateMessage', [message.id]);
  const file = await by.send(ada, 'createFile', [apps.files ?? 0], { blob_id: await by.upload(ada) });
  await by.send(ada, 'updateFile', [file.id], { blob_id: await by.upload(ada), backup: true });
  await by.send(ada, 'createFileComment', [file.id]);
  await by.send(ada, 'createExternalBlob');
  const link = await by.send(ada, 'createExternalBlob');
  await by.send(ada, 'createFile', [apps.files ?? 0], { blob_id: link.id });
  await by.send(ada, 'createEmbed');
  const { id: embed_id } = await by.send(ada, 'createEmbed');
  await by.send(ada, 'createAppComment', [apps.comments ?? 0], { embed_id });
  await by.send(ada, 'renderText');
  const conversation = await by.send(ada, 'createConversation', [], { type: 'chat_room', members: [bob.id] });
  await by.send(ada, 'createMessage', [conversation.id]);
  // It is named for its reader after the other member.
  const pair = await bob.create('/api/conversations', { type: 'private_chat', members: [ada.id] });
  await by.send(ada, 'createMessage', [pair.id]);
  await makeComment(bob, apps.comments ?? 0, { text: `[Ada](@u${ada.id})` });
  await report(ada, apps, by);
}

/** What a user says of content of others, and decides about reports of others. */
async function report(ada: Person, apps: { readonly [type: string]: number }, by: TextSender): Promise<void> {
  const theirs = await makeComment(bob, apps.comments ?? 0);
  const theirPost = await makePost(bob, apps.posts ?? 0);
  const theirMessage = await bob.create(`/api/apps/${apps.chat}/messages`, { text: 'mine' });
  const blob = await bob.create('/api/blobs', formOf('theirs'));
  const theirFile = await bob.create(`/api/apps/${apps.files}/files`, { blob_id: blob.id });
  const reason = { reason: 'other' };
  await by.send(ada, 'reportComment', [theirs.id], reason);
  // The answer, which is kept for retries of another, ends with what the user said.
  const [open = 0] = idsOf(
    `select id from reports where entity_type = 'comment' and entity_id = ${theirs.id}`,
  );
  const once = { headers: { 'idempotency-key': freshUid('key') } };
  await server.call('POST', `/api/reports/${open}/resolve`, { action: 'keep' }, once);
  await by.send(ada, 'reportPost', [theirPost], reason);
  await by.send(ada, 'reportMessage', [theirMessage.id], reason);
  await by.send(ada, 'reportFile', [theirFile.id], reason);
  const eve = await makeUser(server, { name: 'Eve' });
  const bad = await makeComment(bob, apps.comments ?? 0);
  for (const again of [false, true]) {
    await (again ? await makeUser(server) : eve).call('POST', `/api/comments/${bad.id}/reports`, reason);
    const [id = 0] = idsOf(`select id from reports where entity_type = 'comment' and entity_id = ${bad.id}`);
    await by.send(ada, 'resolveReport', [id], { action: 'keep' });
    // The same decision by somebody else is answered with the note of the first.
    const headers = { 'idempotency-key': freshUid('key') };
    const answer = await server.call('POST', `/api/reports/${id}/resolve`, { action: 'keep' }, { headers });
    assert.equal(answer.status, 200, answer.text);
  }
  // Somebody reports what is theirs, so that the queue has a copy.
  const [mine = 0] = idsOf(`select id from entries where kind = 'comment' and created_by_id = ${ada.id}`);
  await eve.call('POST', `/api/comments/${mine}/reports`, reason);
}

function formOf(name: string): FormData {
  const form = new FormData();
  form.set('blob', new Blob([name], { type: 'text/plain' }), `${name}.txt`);
  return form;
}

/** What a user names for all members. */
async function nameThings(ada: Person): Promise<void> {
  const app = await sender.send(ada, 'createApp', [], { type: 'files', access: 'write' });
  const { uid } = await sender.send(ada, 'updateApp', [app.id]);
  await sender.send(ada, 'upsertApp', [uid], { type: 'files' });
}

async function erase(id: number, query = ''): Promise<void> {
  await settledLog(server);
  await deliveriesEnd();
  const answer = await server.call('DELETE', `/api/users/${id}${query}`);
  assert.equal(answer.status, 202, answer.text);
  await erasuresEnd();
}

// The fields come from the contract, so nobody can add a text that an erasure forgets.
describe('the texts of a person', () => {
  it('are gone after the erasure, from the store and from every answer', async () => {
    const ada = await makePerson();
    await nameThings(ada);
    await writeContent(ada);
    await sender.send(server, 'updateUser', [ada.id]);
    await settledLog(server);
    assert.ok(leftInStore(sender).length > 300);
    await erase(ada.id);
    const remain = [...leftInStore(sender), ...(await leftInAnswers(sender, [server, bob]))];
    assert.deepEqual(
      remain.filter((each) => !stays.test(each)),
      [],
    );
  });

  it('stay with content=keep where they are content, and nowhere else', async () => {
    const kept = textSender('keeper', () => site.url);
    const ada = await makePerson(kept);
    await writeContent(ada, kept);
    await erase(ada.id, '?content=keep');
    const remain = [...leftInStore(kept), ...(await leftInAnswers(kept, [server, bob]))];
    const content = /^(create|update)(Embed|AppComment|FileComment|PostComment|Comment|Post|Message) /;
    assert.deepEqual(
      remain.filter((each) => !stays.test(each) && !content.test(each)),
      [],
    );
    assert.ok(remain.some((each) => /^createMessage .text → GET/.test(each)));
  });
});

/** What signs a visitor in by mail. */
async function mailed(ticket: string, email: string, count = 0) {
  const mail = await poll('the mail', () => mailServer.mails.filter(({ to }) => to === email)[count]);
  return {
    ticket,
    code: /^\d{6}$/m.exec(mail.text)?.[0] ?? '',
    secret: /#.*?(wy\w+)/.exec(mail.text)?.[1] ?? mail.text,
  };
}

/** Signs a visitor in by a mail, with its code or its link. */
async function signInByMail(way: 'confirmCode' | 'confirmLink') {
  const anyone = server.as(null);
  const { verifier, challenge } = newVerifier();
  const { ticket } = await visitors.send(anyone, 'signInByEmail', [], { origin, challenge });
  const email = `${[...visitors.words.keys()].at(-1)}@example.com`;
  const { secret, ...sent } = await mailed(ticket, email);
  const { code } = await visitors.send(anyone, way, [], way === 'confirmCode' ? sent : { secret, challenge });
  const { access_token: token, user } = await visitors.send(anyone, 'exchangeCode', [], { code, verifier });
  return { ...server.as(token), id: Number(user.id), email };
}

describe('the texts of visitors', () => {
  it('go with the account that another has become a part of', async () => {
    const app = await makeApp(server, { access: 'write', visitors: 'write' });
    const guest = await visitors.send(server.as(null), 'signInAsGuest');
    const gil = server.as(guest.access_token);
    await visitors.send(gil, 'updateVisitor');
    const comment = await visitors.send(gil, 'createAppComment', [app.id], {
      ...{ options: undefined, metadata: undefined, tags: undefined },
    });
    await visitors.send(gil, 'updateComment', [comment.id], {
      ...{ options: undefined, metadata: undefined, tags: undefined },
    });
    const theirs = await makeComment(bob, app.id);
    await visitors.send(gil, 'reportComment', [theirs.id], { reason: 'other' });
    const mia = await signInByMail('confirmCode');
    const { ticket } = await visitors.send(gil, 'addMailbox', [], { origin, email: mia.email });
    await visitors.send(gil, 'confirmMailbox', [], await mailed(ticket, mia.email, 1));
    await erasuresEnd();
    const names = /^(signInAsGuest|updateVisitor) /;
    assert.deepEqual(
      leftInStore(visitors).filter((each) => names.test(each)),
      [],
    );
    const [said] = watch.rows(
      "select payload from events where action = 'report_created' order by id desc limit 1",
    );
    assert.match(String(said?.payload), new RegExp(`"created_by_id":${mia.id}}`));
    await erase(mia.id);
    const lia = await signInByMail('confirmLink');
    await erase(lia.id);
    const remain = [...leftInStore(visitors), ...(await leftInAnswers(visitors, [server, bob]))];
    assert.deepEqual(remain, []);
  });

  it('and of persons are those of every operation of the contract that takes one', () => {
    const tried = new Set([...sender.sent, ...visitors.sent, ...Object.keys(without)]);
    assert.deepEqual(
      textOperations.filter((id) => !tried.has(id)),
      [],
    );
    assert.deepEqual(
      Object.keys(without).filter((id) => !textOperations.includes(id)),
      [],
    );
  });
});
