import type { Action } from 'confab-contract/actions.ts';
import type { operations } from 'confab-contract/index.ts';
import type { signingInOperations } from 'confab-contract/signing-in.ts';
import {
  makeApp,
  makeBlob,
  makeComment,
  makeDirectory,
  makeFile,
  makeImport,
  makePost,
  makeUser,
  makeWebhook,
} from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { freshUid, type TestServer } from 'confab-testing/server.ts';
import { settled } from 'confab-testing/webhooks.ts';

/** What the rows are tried on. */
export type World = {
  readonly server: TestServer;
  /** Access tokens of two users, whose uids are `ada` and `bob`. */
  readonly ada: string;
  readonly bob: string;
  /** Apps in which all users may write, by their type. */
  readonly apps: { readonly [type in 'comments' | 'posts' | 'files' | 'chat']: number };
  /** A webhook whose receiver responds. */
  readonly webhook: number;
};

/** A request of an operation. Without `as` it carries the API key. */
export type Request = {
  /** The values in the path. */
  readonly at?: { readonly [parameter: string]: string | number };
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly as?: string;
};

/** One operation: the events of a request that succeeds and changes something, or the reason why there are none. */
export type Row = {
  readonly tells: readonly Action[] | string;
  readonly request: (world: World) => Promise<Request> | Request;
};

/** What changes no content: it reads the store, writes elsewhere, and makes right what is derived. */
export const ofUpkeep = ['createBackup', 'verifyBackup', 'runDoctor', 'fixWithDoctor'] as const;

type Mutating = Exclude<
  {
    [O in keyof typeof operations]: (typeof operations)[O]['method'] extends 'GET' ? never : O;
  }[keyof typeof operations],
  (typeof ofUpkeep)[number] | keyof typeof signingInOperations
>;

const row = (tells: Row['tells'], request: Row['request']): Row => ({ tells, request });
const put = async ({ server }: World, method: string, path: string, as?: string, body?: unknown) => {
  const answer = await server.call(method, path, body, as === undefined ? {} : { as });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};

const aComment = async ({ server, apps, ada }: World, fields: object = { text: 'words' }): Promise<number> =>
  (await makeComment(server.as(ada), apps.comments, fields)).id;
const aPost = async ({ server, apps, ada }: World): Promise<number> =>
  await makePost(server.as(ada), apps.posts);
const aFile = async ({ server, apps, ada }: World): Promise<number> =>
  await makeFile(server.as(ada), apps.files);
const aMessage = async (world: World): Promise<number> =>
  (await put(world, 'POST', `/api/apps/${world.apps.chat}/messages`, world.ada, { text: 'words' })).id;
const anApp = async ({ server, ada }: World, fields: object = {}): Promise<number> =>
  (await makeApp(server.as(ada), { access: 'write', ...fields })).id;
const aRoom = async (world: World): Promise<number> =>
  (await put(world, 'POST', '/api/conversations', world.ada, { members: ['bob'], name: freshUid('room') }))
    .id;

const things = { comment: aComment, post: aPost, message: aMessage, file: aFile } as const;

const ofKeys = 'keys are no content; the log of the server has the key of each request';
const aKey = async (world: World): Promise<number> =>
  (await put(world, 'POST', '/api/keys', undefined, { name: 'spare', scopes: ['read'] })).id;

/** The rows of what is done to content of one kind alike. */
const trashed = (kind: keyof typeof things): Row =>
  row([`${kind}_trashed`], async (world) => ({ at: { id: await things[kind](world) }, as: world.ada }));
const restored = (kind: keyof typeof things): Row =>
  row([`${kind}_restored`], async (world) => {
    const id = await things[kind](world);
    await put(world, 'POST', `/api/${kind}s/${id}/trash`, world.ada);
    return { at: { id }, as: world.ada };
  });
// Other users are told as if it went to the trash.
const held = (kind: keyof typeof things): Row =>
  row([`${kind}_trashed`, `${kind}_held`], async (world) => ({ at: { id: await things[kind](world) } }));
const approved = (kind: keyof typeof things): Row =>
  row([`${kind}_restored`, `${kind}_approved`], async (world) => {
    const id = await things[kind](world);
    await put(world, 'POST', `/api/${kind}s/${id}/hold`);
    return { at: { id } };
  });
const lockable = { app: anApp, post: aPost, file: aFile } as const;
const locked = (kind: keyof typeof lockable): Row =>
  row([`${kind}_locked`], async (world) => ({ at: pathOf(kind, await lockable[kind](world)) }));
const unlocked = (kind: keyof typeof lockable): Row =>
  row([`${kind}_unlocked`], async (world) => {
    const id = await lockable[kind](world);
    await put(world, 'POST', `/api/${kind}s/${id}/lock`);
    return { at: pathOf(kind, id) };
  });
const pathOf = (kind: string, id: number) => (kind === 'app' ? { app: id } : { id });
const deleted = (kind: keyof typeof things): Row =>
  row([`${kind}_deleted`], async (world) => ({ at: { id: await things[kind](world) }, as: world.ada }));
const updated = (kind: 'comment' | 'post' | 'message'): Row =>
  row([`${kind}_updated`], async (world) => ({
    at: { id: await things[kind](world) },
    body: { text: freshUid('text') },
    as: world.ada,
  }));
const reacted = (kind: 'comment' | 'post' | 'message'): Row =>
  row(['reaction_added'], async (world) => ({
    at: { id: await things[kind](world) },
    body: { content: '👍' },
    as: world.bob,
  }));
const unreacted = (kind: 'comment' | 'post' | 'message'): Row =>
  row(['reaction_removed'], async (world) => {
    const id = await things[kind](world);
    await put(world, 'POST', `/api/${kind}s/${id}/reactions`, world.bob, { content: '👍' });
    return { at: { id }, as: world.bob };
  });

const reported = (kind: keyof typeof things): Row =>
  row(['report_created'], async (world) => ({
    at: { id: await things[kind](world) },
    body: { reason: 'spam' },
    as: world.bob,
  }));
const aReport = async (world: World): Promise<number> => {
  const id = await aComment(world);
  await put(world, 'POST', `/api/comments/${id}/reports`, world.bob, { reason: 'spam' });
  const { data } = await put(world, 'GET', '/api/reports?top=100');
  return data.find(({ entity }: { entity: { id: number } }) => entity.id === id).id;
};

const aNotification = async (world: World): Promise<number> => {
  const id = await aComment(world);
  await put(world, 'POST', `/api/comments/${id}/reactions`, world.bob, { content: '😎' });
  await settledLog(world.server);
  const [newest] = await notificationsOf(world.server, world.ada);
  if (newest === undefined) throw new Error('nobody was told');
  return newest.id;
};

const sent = async ({ server, webhook }: World): Promise<number> => {
  const { body } = await server.call('POST', `/api/webhooks/${webhook}/ping`);
  await settled(server, webhook, 'delivered');
  return body.id;
};

const connected = async (world: World): Promise<string> => {
  const { connectionId } = await put(world, 'POST', '/hubs/rtm/negotiate', world.ada);
  await put(world, 'GET', `/hubs/rtm?id=${connectionId}`, world.ada);
  return connectionId;
};

const typing = 'that somebody is writing is passed on and kept nowhere';
const connecting = 'a live connection is no data: it is gone with its server';

/** Every operation that is no reading. */
export const toldEvents: { readonly [O in Mutating]: Row } = {
  createApp: row(['app_created'], ({ ada }) => ({
    body: { uid: freshUid('app'), type: 'comments' },
    as: ada,
  })),
  updateApp: row(['app_updated'], async (world) => ({
    at: { app: await anApp(world) },
    body: { name: 'another' },
    as: world.ada,
  })),
  upsertApp: row(['app_created'], ({ ada }) => ({
    at: { app: freshUid('app') },
    body: { type: 'comments' },
    as: ada,
  })),
  // One for each of the three objects that it creates.
  initApp: row(['user_created', 'app_created', 'member_added'], () => ({
    body: { app: { uid: freshUid('app'), type: 'comments' }, user: { uid: freshUid('user') } },
  })),
  deleteApp: row(['app_deleted'], async (world) => ({ at: { app: await anApp(world) }, as: world.ada })),
  subscribeApp: row(['app_subscribed'], async (world) => ({
    at: { app: await anApp(world) },
    as: world.bob,
  })),
  unsubscribeApp: row(['app_unsubscribed'], async (world) => {
    const app = await anApp(world);
    await put(world, 'POST', `/api/apps/${app}/subscribe`, world.bob);
    return { at: { app }, as: world.bob };
  }),
  trashApp: row(['app_trashed'], async (world) => ({ at: { app: await anApp(world) }, as: world.ada })),
  restoreApp: row(['app_restored'], async (world) => {
    const app = await anApp(world);
    await put(world, 'POST', `/api/apps/${app}/trash`, world.ada);
    return { at: { app }, as: world.ada };
  }),
  lockApp: locked('app'),
  unlockApp: unlocked('app'),
  addMember: row(['member_added'], async (world) => ({
    at: { app: await anApp(world), user: 'bob' },
    body: {},
    as: world.ada,
  })),
  // One for each member.
  addMembers: row(['member_added', 'member_added'], async (world) => ({
    at: { app: await anApp(world) },
    body: [{ uid: 'bob' }, { uid: (await makeUser(world.server)).uid }],
    as: world.ada,
  })),
  removeMember: row(['member_removed'], async (world) => {
    const app = await anApp(world);
    await put(world, 'PUT', `/api/apps/${app}/members/bob`, world.ada, {});
    return { at: { app, user: 'bob' }, as: world.ada };
  }),
  removeMembers: row(['member_removed'], async (world) => {
    const app = await anApp(world);
    await put(world, 'PUT', `/api/apps/${app}/members/bob`, world.ada, {});
    return { at: { app }, body: ['bob'], as: world.ada };
  }),
  starApp: row(['app_starred'], async (world) => ({ at: { app: await anApp(world) }, as: world.bob })),
  unstarApp: row(['app_unstarred'], async (world) => {
    const app = await anApp(world);
    await put(world, 'POST', `/api/apps/${app}/stars`, world.bob);
    return { at: { app }, as: world.bob };
  }),

  createAppComment: row(['comment_created'], ({ apps, ada }) => ({
    at: { app: apps.comments },
    body: { text: 'words', options: [{ text: 'yes' }] },
    as: ada,
  })),
  createFileComment: row(['comment_created'], async (world) => ({
    at: { id: await aFile(world) },
    body: { text: 'words' },
    as: world.bob,
  })),
  createPostComment: row(['comment_created'], async (world) => ({
    at: { id: await aPost(world) },
    body: { text: 'words', blobs: [await makeBlob(world.server, { as: world.bob })] },
    as: world.bob,
  })),
  updateComment: updated('comment'),
  trashComment: trashed('comment'),
  restoreComment: restored('comment'),
  holdComment: held('comment'),
  approveComment: approved('comment'),
  deleteComment: deleted('comment'),
  resolveComment: row(['comment_resolved'], async (world) => ({
    at: { id: await aComment(world) },
    as: world.bob,
  })),
  reopenComment: row(['comment_reopened'], async (world) => {
    const id = await aComment(world);
    await put(world, 'POST', `/api/comments/${id}/resolve`, world.bob);
    return { at: { id }, as: world.bob };
  }),

  createBlob: row('an upload is a draft: whoever uses it in a file or a text tells of that', ({ ada }) => {
    const body = new FormData();
    body.set('blob', new Blob(['some text']), 'note.txt');
    return { body, as: ada };
  }),
  createImportBlob: row('an upload is a draft: the import that uses it tells of that', () => {
    const body = new FormData();
    body.set('blob', new Blob(['some text']), 'disqus.xml');
    return { body };
  }),
  createExternalBlob: row(['blob_linked'], ({ ada }) => ({
    body: { provider: 'Drive', link: 'https://docs.example.com/1', name: 'Plan', media_type: 'text/plain' },
    as: ada,
  })),
  createFile: row(['file_created'], async ({ server, apps, ada }) => ({
    at: { app: apps.files },
    body: { blob_id: await makeBlob(server.as(ada)) },
    as: ada,
  })),
  trashFile: trashed('file'),
  restoreFile: restored('file'),
  lockFile: locked('file'),
  unlockFile: unlocked('file'),
  holdFile: held('file'),
  approveFile: approved('file'),
  updateFile: row(['file_updated'], async (world) => ({
    at: { id: await aFile(world) },
    body: { name: `${freshUid('file')}.txt` },
    as: world.ada,
  })),
  deleteFile: deleted('file'),
  subscribeFile: row(['file_subscribed'], async (world) => ({
    at: { id: await aFile(world) },
    as: world.bob,
  })),
  unsubscribeFile: row(['file_unsubscribed'], async (world) => {
    const id = await aFile(world);
    await put(world, 'POST', `/api/files/${id}/subscribe`, world.bob);
    return { at: { id }, as: world.bob };
  }),
  deleteFileVersion: row(['file_updated'], async (world) => ({
    at: { id: await aFileOfTwo(world), version: 1 },
    as: world.ada,
  })),
  restoreFileVersion: row(['file_updated'], async (world) => ({
    at: { id: await aFileOfTwo(world), version: 1 },
    as: world.ada,
  })),

  createPost: row(['post_created'], ({ apps, ada }) => ({
    at: { app: apps.posts },
    body: { text: 'words' },
    as: ada,
  })),
  updatePost: updated('post'),
  trashPost: trashed('post'),
  restorePost: restored('post'),
  lockPost: locked('post'),
  unlockPost: unlocked('post'),
  holdPost: held('post'),
  approvePost: approved('post'),
  subscribePost: row(['post_subscribed'], async (world) => ({
    at: { id: await aPost(world) },
    as: world.bob,
  })),
  unsubscribePost: row(['post_unsubscribed'], async (world) => {
    const id = await aPost(world);
    await put(world, 'POST', `/api/posts/${id}/subscribe`, world.bob);
    return { at: { id }, as: world.bob };
  }),
  deletePost: deleted('post'),

  createMessage: row(['message_created'], ({ apps, ada }) => ({
    at: { app: apps.chat },
    body: { text: 'words' },
    as: ada,
  })),
  updateMessage: updated('message'),
  trashMessage: trashed('message'),
  restoreMessage: restored('message'),
  holdMessage: held('message'),
  approveMessage: approved('message'),
  deleteMessage: deleted('message'),

  // One for the room and one for each member but its creator, who comes with it.
  createConversation: row(['app_created', 'member_added'], ({ ada }) => ({
    body: { members: ['bob'], name: freshUid('room') },
    as: ada,
  })),
  setDelivered: row(['conversation_delivered'], async (world) => {
    const id = await aRoom(world);
    await put(world, 'POST', `/api/apps/${id}/messages`, world.ada, { text: 'words' });
    return { at: { id }, as: world.bob };
  }),
  markConversation: row(['conversation_marked'], async (world) => {
    const id = await aRoom(world);
    await put(world, 'POST', `/api/apps/${id}/messages`, world.ada, { text: 'words' });
    return { at: { id }, as: world.bob };
  }),
  unmarkConversation: row(['conversation_marked'], async (world) => {
    const id = await aRoom(world);
    await put(world, 'POST', `/api/apps/${id}/messages`, world.ada, { text: 'words' });
    await put(world, 'PUT', `/api/conversations/${id}/mark`, world.bob);
    return { at: { id }, as: world.bob };
  }),
  pinConversation: row(['conversation_pinned'], async (world) => ({
    at: { id: await aRoom(world) },
    as: world.bob,
  })),
  unpinConversation: row(['conversation_unpinned'], async (world) => {
    const id = await aRoom(world);
    await put(world, 'PUT', `/api/conversations/${id}/pin`, world.bob);
    return { at: { id }, as: world.bob };
  }),

  voteOption: row(['option_voted'], async (world) => {
    const { server, apps, ada, bob } = world;
    const comment = await makeComment(server.as(ada), apps.comments, { options: [{ text: 'yes' }] });
    return { at: { id: comment.options[0]?.id ?? 0 }, as: bob };
  }),
  addCommentReaction: reacted('comment'),
  removeCommentReaction: unreacted('comment'),
  addPostReaction: reacted('post'),
  removePostReaction: unreacted('post'),
  addMessageReaction: reacted('message'),
  removeMessageReaction: unreacted('message'),
  deleteReaction: row(['reaction_removed'], async (world) => {
    const id = await aComment(world);
    await put(world, 'POST', `/api/comments/${id}/reactions`, world.bob, { content: '👍' });
    const { data } = await put(world, 'GET', `/api/comments/${id}/reactions`);
    return { at: { id: data[0].id }, as: world.bob };
  }),

  reportComment: reported('comment'),
  reportPost: reported('post'),
  reportMessage: reported('message'),
  reportFile: reported('file'),
  resolveReport: row(['report_resolved'], async (world) => ({
    at: { id: await aReport(world) },
    body: { action: 'keep' },
  })),

  createEmbed: row(['embed_created'], ({ server, ada }) => ({ body: { url: `${server.url}/` }, as: ada })),
  createMeeting: row(['meeting_created'], ({ ada }) => ({ body: { provider: 'jitsi' }, as: ada })),

  createUser: row(['user_created'], () => ({ body: { uid: freshUid('user') } })),
  updateUser: row(['user_updated'], async ({ server }) => ({
    at: { user: (await makeUser(server)).uid },
    body: { comment: 'another' },
  })),
  upsertUser: row(['user_created'], () => ({ at: { user: freshUid('user') }, body: {} })),
  // The access token of the user ends as well.
  trashUser: row(['user_trashed', 'tokens_revoked'], async ({ server }) => ({
    at: { user: (await makeUser(server)).uid },
  })),
  restoreUser: row(['user_restored'], async (world) => {
    const { uid } = await makeUser(world.server);
    await put(world, 'POST', `/api/users/${uid}/trash`);
    return { at: { user: uid } };
  }),
  updateMail: row(['mail_updated'], async ({ server }) => ({
    body: { mail: 'direct' },
    as: (await makeUser(server)).token,
  })),
  issueToken: row(['token_issued'], async ({ server }) => ({ at: { user: (await makeUser(server)).uid } })),
  eraseUser: row(['user_erased'], async ({ server }) => ({
    at: { user: (await makeUser(server)).uid },
  })),
  revokeTokens: row(['tokens_revoked'], async ({ server }) => ({
    at: { user: (await makeUser(server)).uid },
  })),
  createDirectory: row(['directory_created'], () => ({ body: { name: freshUid('directory') } })),
  updateDirectory: row(['directory_updated'], async ({ server }) => ({
    at: { directory: await makeDirectory(server, freshUid('directory')) },
    body: { name: freshUid('directory') },
  })),
  deleteDirectory: row(['directory_deleted'], async ({ server }) => ({
    at: { directory: await makeDirectory(server, freshUid('directory')) },
  })),

  markNotifications: row(['notifications_marked'], async (world) => {
    await aNotification(world);
    return { as: world.ada };
  }),
  deleteNotification: row(['notification_deleted'], async (world) => ({
    at: { id: await aNotification(world) },
    as: world.ada,
  })),
  markNotification: row(['notification_updated'], async (world) => ({
    at: { id: await aNotification(world) },
    as: world.ada,
  })),
  unmarkNotification: row(['notification_updated'], async (world) => {
    const id = await aNotification(world);
    await put(world, 'PUT', `/api/notifications/${id}/mark`, world.ada);
    return { at: { id }, as: world.ada };
  }),

  typeMessage: row(typing, ({ apps, ada }) => ({ at: { id: apps.chat }, as: ada })),
  typePost: row(typing, ({ apps, ada }) => ({ at: { id: apps.posts }, as: ada })),
  typeFileComment: row(typing, async (world) => ({ at: { id: await aFile(world) }, as: world.ada })),
  typePostComment: row(typing, async (world) => ({ at: { id: await aPost(world) }, as: world.ada })),
  typeComment: row(typing, ({ apps, ada }) => ({ at: { app: apps.comments }, as: ada })),
  typeConversation: row(typing, async (world) => ({ at: { id: await aRoom(world) }, as: world.ada })),
  negotiateConnection: row(connecting, ({ ada }) => ({ as: ada })),
  sendToConnection: row(connecting, async (world) => ({
    query: `?id=${await connected(world)}`,
    body: '{"protocol":"json","version":1}\x1e',
    headers: { 'content-type': 'text/plain' },
    as: world.ada,
  })),
  endConnection: row(connecting, async (world) => ({
    query: `?id=${await connected(world)}`,
    as: world.ada,
  })),

  createKey: row(ofKeys, () => ({ body: { name: 'made', scopes: ['read'] } })),
  rotateKey: row(ofKeys, async (world) => ({ at: { id: await aKey(world) } })),
  revokeKey: row(ofKeys, async (world) => ({ at: { id: await aKey(world) } })),

  replaceModerationRules: row(['rules_updated'], async ({ server }) => {
    const { version } = await server.read('/api/moderation/rules');
    return { body: { version, rules: [] } };
  }),
  updateSite: row(['site_updated'], () => ({ body: { origins: [`https://${freshUid('site')}.example`] } })),
  createBan: row(['address_banned'], () => ({ body: { address: '203.0.113.1', seconds: 60 } })),
  moderateUser: row(['user_updated'], async ({ server }) => ({
    at: { user: (await makeUser(server)).uid },
    body: { is_trusted: true },
  })),
  deleteBan: row(['address_unbanned'], async ({ server }) => ({
    at: { id: (await server.create('/api/bans', { address: '203.0.113.2', seconds: 60 })).id },
  })),
  testModerationRules: row('it changes nothing', () => ({ body: { text: 'words' } })),
  renderText: row('it changes nothing', ({ ada }) => ({ body: { text: 'words' }, as: ada })),

  createImport: row(['import_created'], async ({ server }) => ({
    body: { kind: 'disqus', blob_id: await makeBlob(server) },
  })),
  runImport: row(['import_updated'], async ({ server }) => ({
    at: { id: await makeImport(server, 'ready') },
  })),
  stopImport: row(['import_updated'], async ({ server }) => ({
    at: { id: await makeImport(server, 'ready') },
  })),
  undoImport: row(['import_updated'], async ({ server }) => ({
    at: { id: await makeImport(server, 'finished') },
  })),

  registerWebhook: row(['webhook_created'], () => ({
    body: { payload_url: 'https://example.com/hook', triggers: ['comments'], enabled: false },
  })),
  updateWebhook: row(['webhook_updated'], async ({ server }) => ({
    at: { id: await makeWebhook(server) },
    body: { ordered: true },
  })),
  rotateWebhookSecret: row(['webhook_updated'], async ({ server }) => ({
    at: { id: await makeWebhook(server) },
  })),
  deleteWebhook: row(['webhook_deleted'], async ({ server }) => ({ at: { id: await makeWebhook(server) } })),
  pingWebhook: row(['webhook_pinged'], ({ webhook }) => ({ at: { id: webhook } })),
  redeliver: row(['delivery_redelivered'], async (world) => ({
    at: { id: world.webhook, delivery: await sent(world) },
  })),
  redeliverMany: row(['deliveries_redelivered'], async (world) => {
    await sent(world);
    return { at: { id: world.webhook }, body: { status: 'delivered' } };
  }),
};

async function aFileOfTwo(world: World): Promise<number> {
  const id = await aFile(world);
  const blob_id = await makeBlob(world.server, { as: world.ada });
  await put(world, 'PATCH', `/api/files/${id}`, world.ada, { blob_id, backup: true });
  return id;
}
