/**
 * Calls every operation with the client, in an order in which each finds what it needs: plain JavaScript, because a
 * browser runs it as well. Returns the operations that succeeded and what they showed that can be compared.
 */
export async function walk({ createClient, url, key, article, receiver, name }) {
  const called = new Set();
  /** A client that notes each operation once it has succeeded. */
  const noted = (options) =>
    new Proxy(createClient({ url, ...options }), {
      get(client, id) {
        if (id === 'then' || typeof client[id] !== 'function') return client[id];
        return async (...args) => {
          const result = await client[id](...args);
          called.add(id);
          return result;
        };
      },
    });
  const admin = noted({ token: key });
  const uid = (part) => `${name}-${part}`;

  const directory = await admin.createDirectory({ name: uid('acme') });
  await admin.updateDirectory(directory.id, { name: uid('acme-europe') });
  await admin.getDirectory(directory.id);
  await admin.listDirectories({ q: name });
  await admin.createUser({ uid: uid('ada'), name: 'Ada Lovelace' });
  await admin.upsertUser(uid('bob'), { name: 'Bob' });
  await admin.updateUser(uid('bob'), { nickname: 'B', phone_number: null });
  await admin.getUser(uid('bob'));
  await admin.listUsers({ q: name, suspended: null });
  await admin.listDirectoryMembers(directory.id);
  const { access_token: token } = await admin.issueToken(uid('ada'));
  const ada = noted({ token: async () => token });
  await ada.getCaller();
  await ada.updateMail({ mail: 'direct' });
  await ada.getMail();

  const app = await admin.createApp({ uid: uid('page'), type: 'comments', access: 'write' });
  await admin.getApp(uid('page'));
  await admin.updateApp(app.id, { name: 'A page', description: null });
  await admin.upsertApp(uid('posts'), { type: 'posts', access: 'write' });
  const { id: files } = await admin.createApp({ uid: uid('files'), type: 'files', access: 'write' });
  const { id: chat } = await admin.createApp({ uid: uid('chat'), type: 'chat', access: 'write' });
  await admin.initApp({ app: { uid: uid('init'), type: 'comments' }, user: { uid: uid('bob') } });
  await admin.listApps({
    type: ['comments', 'posts'],
    order_by: 'name desc',
    expand: ['created_by', 'members'],
  });
  await ada.subscribeApp(app.id);
  await ada.unsubscribeApp(app.id);
  await admin.trashApp(app.id);
  await admin.restoreApp(app.id);
  await admin.addMember(app.id, uid('ada'), { access: 'write' });
  await admin.addMembers(app.id, [{ uid: uid('bob'), access: 'read' }]);
  await admin.listMembers(app.id, { order_by: 'name' });
  await admin.lockApp(app.id, { after_days: 30 });
  await admin.unlockApp(app.id);
  await admin.explainAccess(app.id, { user: uid('ada') });
  await admin.removeMember(app.id, uid('bob'));
  await admin.removeMembers(app.id, [uid('ada')]);
  await ada.starApp(app.id);
  await ada.listStars();
  await ada.unstarApp(app.id);
  await ada.getFeatures('comments');
  await ada.renderText({ text: 'A **preview**' });
  await admin.autocompleteUsers({ q: name, id: app.id });

  const progress = [];
  const file = () => new File(['a text '.repeat(20_000)], 'plan.txt', { type: 'text/plain' });
  const blob = await ada.createBlob(file(), {
    onProgress: ({ loaded, total }) => progress.push(loaded / total),
  });
  await ada.getBlob(blob.id);
  const link = { provider: 'Elsewhere', link: 'https://docs.example.com/1', name: 'Plan' };
  const external = await ada.createExternalBlob(link);
  const embed = await ada.createEmbed({ url: article });
  await ada.getEmbed(embed.id);
  const meeting = await ada.createMeeting({ provider: 'jitsi' });
  await ada.getMeeting(meeting.id);

  const comment = await ada.createAppComment(uid('page'), {
    text: 'Ready for **review**',
    blobs: [external.id],
    options: [{ text: 'Yes' }, { text: 'No' }],
    tags: ['review'],
  });
  await ada.updateComment(comment.id, { text: 'Ready' });
  await ada.getComment(comment.id);
  await ada.listComments({ q: 'ready' });
  await ada.listCounts({ uid: [uid('page')] });
  await ada.listAppComments(app.id, { tag: 'review', order_by: 'created_at desc', expand: ['created_by'] });
  await ada.listAnchors(app.id, { key: ['row-7'] });
  await ada.listReplies(comment.id, { order_by: 'reaction_count desc' });
  await ada.listCommentAttachments(comment.id);
  await ada.getOption(comment.options[0].id);
  await ada.voteOption(comment.options[0].id);
  await ada.listVoters(comment.options[0].id);
  await ada.addCommentReaction(comment.id, { content: '👍' });
  await ada.listCommentRevisions(comment.id, { order_by: 'id desc' });
  const reactions = await ada.listCommentReactions(comment.id);
  await ada.getReaction(reactions.data[0].id);
  await ada.deleteReaction(reactions.data[0].id);
  await ada.removeCommentReaction(comment.id);
  await admin.reportComment(comment.id, { reason: 'spam' });
  const { data: reports } = await admin.listReports();
  await admin.getReport(reports[0].id);
  await admin.resolveReport(reports[0].id, { action: 'keep' });
  await admin.holdComment(comment.id);
  await admin.approveComment(comment.id);
  await ada.resolveComment(comment.id);
  await ada.reopenComment(comment.id);
  await ada.trashComment(comment.id);
  await ada.restoreComment(comment.id);

  const made = await ada.createFile(files, { blob_id: blob.id, tags: ['draft'] });
  const next = await ada.createBlob(file());
  await ada.updateFile(made.id, { blob_id: next.id, backup: true });
  await ada.getFile(made.id);
  await ada.listAppFiles(files, { order_by: 'size' });
  await ada.listFiles();
  await ada.createFileComment(made.id, { text: 'on a file' });
  await ada.listFileComments(made.id);
  await ada.listFileVersions(made.id);
  await ada.getFileVersion(made.id, 1);
  await ada.restoreFileVersion(made.id, 1);
  await ada.deleteFileVersion(made.id, 2);
  await ada.subscribeFile(made.id);
  await ada.unsubscribeFile(made.id);
  await ada.typeFileComment(made.id);
  await admin.lockFile(made.id);
  await admin.unlockFile(made.id);
  await admin.getStatus();
  await admin.getSettings();
  await admin.getSite();
  await admin.updateSite({ approval: 'newcomers' });
  await admin.listKeys();
  const apiKey = await admin.createKey({ name: 'walk', scopes: ['read'] });
  await admin.rotateKey(apiKey.id, { overlap_seconds: 0 });
  await admin.revokeKey(apiKey.id);
  const exported = await admin.createImportBlob(new File([disqusExport(name)], 'disqus.xml'));
  const { id: run } = await admin.createImport({ kind: 'disqus', blob_id: exported.id });
  const inState = (...states) =>
    until(async () => {
      const { state } = await admin.getImport(run);
      return states.includes(state) ? state : undefined;
    });
  await inState('ready');
  await admin.runImport(run);
  await inState('finished');
  await admin.undoImport(run);
  await inState('undone');
  const more = await admin.createImportBlob(new File([disqusExport(name)], 'disqus.xml'));
  await admin.stopImport((await admin.createImport({ kind: 'disqus', blob_id: more.id })).id);
  await admin.listImports();
  const { version, rules } = await admin.getModerationRules();
  await admin.replaceModerationRules({ version, rules });
  await admin.testModerationRules({ text: 'words' });
  const ban = await admin.createBan({ address: '203.0.113.9', seconds: 60 });
  await admin.listBans();
  await admin.deleteBan(ban.id);
  await admin.moderateUser(uid('bob'), { is_trusted: true });
  await admin.reportFile(made.id, { reason: 'spam' });
  await admin.holdFile(made.id);
  await admin.approveFile(made.id);
  await ada.trashFile(made.id);
  await ada.restoreFile(made.id);
  await ada.deleteFile(made.id);

  const post = await ada.createPost(uid('posts'), { text: 'Lunch on Friday?' });
  await ada.updatePost(post.id, { text: 'Lunch on Monday?' });
  await ada.getPost(post.id);
  await ada.listPosts();
  await ada.listAppPosts(uid('posts'));
  await ada.listPostAttachments(post.id);
  await ada.createPostComment(post.id, { text: 'Yes' });
  await ada.listPostComments(post.id);
  await ada.typePost(post.app_id);
  await ada.typePostComment(post.id);
  await ada.addPostReaction(post.id, { content: '👍' });
  await ada.listPostReactions(post.id);
  await ada.listPostRevisions(post.id);
  await ada.removePostReaction(post.id);
  await ada.subscribePost(post.id);
  await ada.unsubscribePost(post.id);
  await admin.lockPost(post.id);
  await admin.unlockPost(post.id);
  await admin.reportPost(post.id, { reason: 'spam' });
  await admin.holdPost(post.id);
  await admin.approvePost(post.id);
  await ada.trashPost(post.id);
  await ada.restorePost(post.id);
  await ada.deletePost(post.id);

  const message = await ada.createMessage(chat, { text: 'On my way' });
  await ada.updateMessage(message.id, { text: 'Nearly there' });
  await ada.getMessage(message.id);
  await ada.listMessages();
  await ada.listAppMessages(chat);
  await ada.listMessageAttachments(message.id);
  await ada.typeComment(uid('page'));
  await ada.typeMessage(chat);
  await ada.addMessageReaction(message.id, { content: '👍' });
  await ada.listMessageReactions(message.id);
  await ada.listMessageRevisions(message.id);
  await ada.removeMessageReaction(message.id);
  await admin.reportMessage(message.id, { reason: 'spam' });
  await admin.holdMessage(message.id);
  await admin.approveMessage(message.id);
  await ada.trashMessage(message.id);
  await ada.restoreMessage(message.id);
  await ada.deleteMessage(message.id);

  const talk = await ada.createConversation({ members: [uid('bob')] });
  const bob = noted({ token: key, onBehalfOf: uid('bob') });
  await bob.createMessage(talk.id, { text: 'Hello Ada' });
  await ada.listConversations({ unread: null, type: ['private_chat'] });
  await ada.getBadge();
  await ada.getConversation(talk.id);
  await ada.setDelivered(talk.id);
  await ada.markConversation(talk.id);
  await ada.unmarkConversation(talk.id);
  await ada.pinConversation(talk.id);
  await ada.unpinConversation(talk.id);
  await ada.typeConversation(talk.id);

  await ada.subscribeApp(app.id);
  await bob.createAppComment(app.id, { text: 'Well done' });
  const news = await until(async () => (await ada.listNotifications({ unread: true })).data[0]);
  await ada.getNotification(news.id);
  await ada.markNotification(news.id);
  await ada.unmarkNotification(news.id);
  await ada.markNotifications();
  await ada.deleteNotification(news.id);

  const webhook = await admin.registerWebhook({
    payload_url: receiver,
    secret: 'a secret',
    triggers: ['comments'],
  });
  await admin.getWebhook(webhook.id);
  await admin.listWebhooks();
  await admin.listWebhookEvents();
  await admin.updateWebhook(webhook.id, { triggers: ['comments', 'apps'] });
  await admin.rotateWebhookSecret(webhook.id, {});
  await admin.pingWebhook(webhook.id);
  await ada.createAppComment(app.id, { text: 'for the webhook' });
  const delivery = await until(async () => {
    const { data } = await admin.listDeliveries(webhook.id, { order_by: 'id' });
    return data.find(({ action, status }) => action === 'comment_created' && status === 'delivered');
  });
  await admin.getDelivery(webhook.id, delivery.id);
  await admin.listAttempts(webhook.id, delivery.id);
  await admin.redeliver(webhook.id, delivery.id);
  await admin.redeliverMany(webhook.id, { status: 'failed' });
  await admin.deleteWebhook(webhook.id);

  await admin.listEvents({ after: 0, top: 5 });
  await ada.deleteComment(comment.id);
  await admin.trashUser(uid('bob'));
  await admin.restoreUser(uid('bob'));
  const archive = await new Response(await admin.exportUser(uid('bob'))).text();
  await admin.createBackup();
  const backup = await until(async () => {
    const { data: backups, job } = await admin.listBackups();
    return job.state === 'running' ? undefined : backups[0].id;
  });
  await (await admin.downloadBackup(backup)).cancel();
  await admin.verifyBackup(backup);
  await admin.runDoctor();
  await until(async () => ((await admin.getDoctor()).state === 'running' ? undefined : true));
  await admin.fixWithDoctor();
  const { id: erasure } = await admin.eraseUser(uid('bob'));
  await admin.getErasure(erasure);
  await admin.revokeTokens(uid('ada'));
  await admin.deleteApp(chat);
  await admin.deleteDirectory(directory.id);
  return { called: [...called].sort(), archive, progress, embedTitle: embed.title };
}

/** Asks until there is something to return. */
async function until(ask) {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
  }
}

/** An export of Disqus with one comment. */
function disqusExport(name) {
  return `<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">
    <thread dsq:id="1"><link>https://${name}.example/page</link></thread>
    <post dsq:id="${name}"><message>Imported</message><createdAt>2013-10-10T19:20:29Z</createdAt>
      <author><name>Eve</name></author><thread dsq:id="1"/></post></disqus>`;
}
