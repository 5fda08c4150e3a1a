import type { operations } from 'confab-contract/index.ts';
import { makeApp, makeBlob, makeComment, makeFile, makeImport, makePost } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { settled } from 'confab-testing/webhooks.ts';
import type { Request, World } from '../../features/webhooks/told-events.ts';

type Reading = {
  [O in keyof typeof operations]: (typeof operations)[O]['method'] extends 'GET' ? O : never;
}[keyof typeof operations];

/**
 * Backups are of SQLite alone, a puzzle is signed and not stored, and a stream asks as often as something changes while
 * it lasts. An export asks as often as the log has grown.
 */
export const uncounted = [
  ...['createBackup', 'verifyBackup', 'downloadBackup', 'makePuzzle'],
  ...['streamEvents', 'watchApp', 'exportUser'],
] as const;

/** A request that succeeds for every operation that reads, and for pages that cost more than the plain ones. */
export type Readings = {
  readonly [O in Exclude<Reading, 'downloadBackup' | 'streamEvents' | 'watchApp' | 'exportUser'>]:
    | Request
    | (() => Promise<Request>);
} & { readonly [P in (typeof pages)[number]]: Request };

/** Pages of lists, named by their operation and what is asked of it. */
export const pages = ['listAppComments search', 'listAppComments threads', 'listUsers search'] as const;

/** Creates something of everything, with several authors, and returns the requests that read it. */
export async function makeReadings(world: World): Promise<Readings> {
  const { server, apps, webhook } = world;
  const [ada, bob] = [server.as(world.ada), server.as(world.bob)];
  const as = world.ada;
  const with2 = async () => ({ text: 'words *of* two', blobs: [await makeBlob(ada), await makeBlob(ada)] });
  const comment = await makeComment(ada, apps.comments, { ...(await with2()), options: [{ text: 'yes' }] });
  const reply = { text: 'a reply', reply_to_id: comment.id };
  for (const by of [ada, bob]) await makeComment(by, apps.comments, reply);
  for (const by of [bob, ada]) await makeComment(by, apps.comments, { text: 'other words' });
  await ada.call('PATCH', `/api/comments/${comment.id}`, { text: 'changed words' });
  const option = comment.options[0]?.id ?? 0;
  await bob.call('POST', `/api/options/${option}/vote`);
  const post = (await ada.create(`/api/apps/${apps.posts}/posts`, await with2())).id;
  await makePost(bob, apps.posts);
  await bob.create(`/api/posts/${post}/comments`, { text: 'words' });
  const message = (await ada.create(`/api/apps/${apps.chat}/messages`, await with2())).id;
  await bob.create(`/api/apps/${apps.chat}/messages`, { text: 'words' });
  for (const path of [`comments/${comment.id}`, `posts/${post}`, `messages/${message}`]) {
    await ada.call('PATCH', `/api/${path}`, { text: 'changed words' });
    for (const by of [ada, bob]) await by.call('POST', `/api/${path}/reactions`, { content: '👍' });
  }
  await bob.call('POST', `/api/comments/${comment.id}/reports`, { reason: 'spam' });
  const file = await makeFile(ada, apps.files);
  await makeFile(bob, apps.files);
  await ada.call('PATCH', `/api/files/${file}`, { blob_id: await makeBlob(ada), backup: true });
  await bob.create(`/api/files/${file}/comments`, { text: 'words' });
  const room = (await ada.create('/api/conversations', { members: ['bob'], name: 'room' })).id;
  await bob.create(`/api/apps/${room}/messages`, { text: 'words' });
  const counted = await makeApp(ada, {
    uid: 'counted',
    access: 'write',
    members: { write: [{ uid: 'bob' }] },
  });
  await makeComment(bob, counted.id);
  await ada.call('POST', `/api/apps/${apps.comments}/stars`);
  const embed = (await ada.create('/api/embeds', { url: `${server.url}/` })).id;
  const meeting = (await ada.create('/api/meetings', { provider: 'jitsi' })).id;
  await server.token('gone');
  const erasure = (await server.call('DELETE', '/api/users/gone')).body;
  const delivery = (await server.call('POST', `/api/webhooks/${webhook}/ping`)).body.id;
  await settled(server, webhook, 'delivered');
  await settledLog(server);
  const [reaction, report, notice] = [
    (await ada.read(`/api/comments/${comment.id}/reactions`)).data[0].id,
    (await server.read('/api/reports')).data[0].id,
    (await notificationsOf(server, as))[0]?.id ?? 0,
  ];
  const imported = await makeImport(server, 'finished');
  const ofApp = (app: number): Request => ({ at: { app }, as });
  const of = (id: number): Request => ({ at: { id }, as });
  const plain: Request = { as };
  const byKey: Request = {};
  return {
    getApp: ofApp(apps.comments),
    listApps: plain,
    listMembers: ofApp(apps.comments),
    listAnchors: ofApp(apps.comments),
    explainAccess: { at: { app: apps.comments }, query: '?user=bob' },
    getMail: plain,
    getStatus: byKey,
    getSettings: byKey,
    getSite: byKey,
    listKeys: byKey,
    listBackups: byKey,
    getDoctor: byKey,
    listStars: plain,
    getFeatures: { at: { set: 'comments' }, as },
    getComment: of(comment.id),
    listComments: plain,
    listAppComments: ofApp(apps.comments),
    listFileComments: of(file),
    listPostComments: of(post),
    listReplies: of(comment.id),
    listCommentAttachments: of(comment.id),
    listCounts: { query: '?uid=counted', as },
    getBlob: of(await makeBlob(ada)),
    listAppFiles: ofApp(apps.files),
    listFiles: plain,
    getFile: of(file),
    listFileVersions: of(file),
    getFileVersion: { at: { id: file, version: 1 }, as },
    listAppPosts: ofApp(apps.posts),
    listPosts: plain,
    getPost: of(post),
    listPostAttachments: of(post),
    listAppMessages: ofApp(apps.chat),
    listMessages: plain,
    getMessage: of(message),
    listMessageAttachments: of(message),
    listConversations: plain,
    getBadge: plain,
    getConversation: of(room),
    getOption: of(option),
    listVoters: of(option),
    listCommentReactions: of(comment.id),
    listPostReactions: of(post),
    listMessageReactions: of(message),
    getReaction: of(reaction),
    listReports: byKey,
    getReport: { at: { id: report } },
    listCommentRevisions: of(comment.id),
    listPostRevisions: of(post),
    listMessageRevisions: of(message),
    getEmbed: of(embed),
    getMeeting: of(meeting),
    listUsers: plain,
    autocompleteUsers: { query: '?q=a', as },
    getUser: { at: { user: 'bob' } },
    getCaller: plain,
    listDirectoryMembers: async () => await ofStaff(server),
    getSignIn: byKey,
    getErasure: { at: { id: erasure.id } },
    listDirectories: byKey,
    getDirectory: async () => await ofStaff(server),
    listNotifications: plain,
    getNotification: of(notice),
    getModerationRules: byKey,
    listBans: byKey,
    listImports: byKey,
    getImport: { at: { id: imported } },
    listEvents: byKey,
    openConnection: async () => {
      const { connectionId } = (await ada.call('POST', '/hubs/rtm/negotiate')).body;
      return { query: `?id=${connectionId}`, as };
    },
    listWebhookEvents: byKey,
    getWebhook: { at: { id: webhook } },
    listWebhooks: byKey,
    listDeliveries: { at: { id: webhook } },
    getDelivery: { at: { id: webhook, delivery } },
    listAttempts: { at: { id: webhook, delivery } },
    'listAppComments threads': { ...ofApp(apps.comments), query: '?thread=roots' },
    'listAppComments search': { ...ofApp(apps.comments), query: '?q=words' },
    'listUsers search': { query: '?q=a', as },
  };
}

/** A request of a directory, which others are not created with: it changes what everybody may do. */
async function ofStaff(server: TestServer): Promise<Request> {
  await server.token('cleo', { directory: 'staff' });
  return { at: { directory: 'staff' } };
}
