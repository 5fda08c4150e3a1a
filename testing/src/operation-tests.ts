import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { operationList, type operations } from 'confab-contract/index.ts';
import { root } from 'confab-tools/places.ts';

/** The operations that other tests try, by their ids. A new operation needs a line only if it is tested elsewhere. */
export const elsewhere: { readonly [I in keyof typeof operations]?: string } = {
  initApp: 'server/test/features/apps/app-init.test.ts',
  deleteApp: 'server/test/features/apps/app-deletion.test.ts',
  lockApp: 'server/test/features/apps/locks.test.ts',
  unlockApp: 'server/test/features/apps/locks.test.ts',
  explainAccess: 'server/test/access/explain.test.ts',
  getMail: 'server/test/features/mail/mail-settings.test.ts',
  updateMail: 'server/test/features/mail/mail-settings.test.ts',
  createBackup: 'server/test/once/backup/interface.test.ts',
  verifyBackup: 'server/test/once/backup/interface.test.ts',
  downloadBackup: 'server/test/once/backup/interface.test.ts',
  holdComment: 'server/test/engines/entries/hold.test.ts',
  approveComment: 'server/test/engines/entries/hold.test.ts',
  resolveComment: 'server/test/engines/entries/resolve.test.ts',
  reopenComment: 'server/test/engines/entries/resolve.test.ts',
  deleteComment: 'server/test/engines/entries/entry-deletion.test.ts',
  listReplies: 'server/test/features/comments/threads.test.ts',
  renderText: 'server/test/features/comments/writing.test.ts',
  listCommentAttachments: 'server/test/engines/entries/entry-deletion.test.ts',
  createImportBlob: 'server/test/features/imports/large.test.ts',
  createExternalBlob: 'server/test/features/blobs/external-blobs.test.ts',
  holdFile: 'server/test/engines/entries/hold.test.ts',
  approveFile: 'server/test/engines/entries/hold.test.ts',
  lockFile: 'server/test/features/apps/locks.test.ts',
  unlockFile: 'server/test/features/apps/locks.test.ts',
  updateFile: 'server/test/features/versions/file-versions.test.ts',
  deleteFile: 'server/test/features/files/file-changes.test.ts',
  subscribeFile: 'server/test/features/files/file-changes.test.ts',
  unsubscribeFile: 'server/test/features/files/file-changes.test.ts',
  listFileVersions: 'server/test/features/versions/file-versions.test.ts',
  getFileVersion: 'server/test/features/versions/file-versions.test.ts',
  deleteFileVersion: 'server/test/features/versions/file-versions.test.ts',
  restoreFileVersion: 'server/test/features/versions/file-versions.test.ts',
  lockPost: 'server/test/features/apps/locks.test.ts',
  unlockPost: 'server/test/features/apps/locks.test.ts',
  holdPost: 'server/test/engines/entries/hold.test.ts',
  approvePost: 'server/test/engines/entries/hold.test.ts',
  deletePost: 'server/test/engines/entries/entry-deletion.test.ts',
  listPostAttachments: 'server/test/engines/entries/entry-deletion.test.ts',
  holdMessage: 'server/test/engines/entries/hold.test.ts',
  approveMessage: 'server/test/engines/entries/hold.test.ts',
  listMessageAttachments: 'server/test/features/messages/messages.test.ts',
  getBadge: 'server/test/features/conversations/conversation-marks.test.ts',
  getOption: 'server/test/features/options/polls.test.ts',
  voteOption: 'server/test/features/options/polls.test.ts',
  listVoters: 'server/test/features/options/polls.test.ts',
  listUsers: 'server/test/features/users/user-lists.test.ts',
  autocompleteUsers: 'server/test/features/users/autocomplete.test.ts',
  getCaller: 'server/test/features/users/user-lists.test.ts',
  listDirectoryMembers: 'server/test/features/directories/directories.test.ts',
  getSignIn: 'server/test/features/visitors/guests.test.ts',
  makePuzzle: 'server/test/features/visitors/guests.test.ts',
  signInAsGuest: 'server/test/features/visitors/guests.test.ts',
  signInByEmail: 'server/test/features/visitors/email.test.ts',
  confirmCode: 'server/test/features/visitors/email.test.ts',
  confirmLink: 'server/test/features/visitors/email.test.ts',
  refuseMail: 'server/test/features/visitors/email.test.ts',
  exchangeCode: 'server/test/features/visitors/email.test.ts',
  renewSignIn: 'server/test/features/visitors/sessions.test.ts',
  signOut: 'server/test/features/visitors/sessions.test.ts',
  updateVisitor: 'server/test/features/visitors/guests.test.ts',
  addMailbox: 'server/test/features/visitors/joining.test.ts',
  confirmMailbox: 'server/test/features/visitors/joining.test.ts',
  issueToken: 'server/test/features/users/user-lists.test.ts',
  eraseUser: 'server/test/features/erasures/erasures.test.ts',
  exportUser: 'server/test/features/exports/exports.test.ts',
  deleteNotification: 'server/test/features/notifications/notifications-marks.test.ts',
  markNotification: 'server/test/features/notifications/notifications-marks.test.ts',
  unmarkNotification: 'server/test/features/notifications/notifications-marks.test.ts',
  getModerationRules: 'server/test/features/moderation/rules.test.ts',
  replaceModerationRules: 'server/test/features/moderation/rules.test.ts',
  testModerationRules: 'server/test/features/moderation/rules.test.ts',
  createImport: 'server/test/features/imports/http.test.ts',
  listImports: 'server/test/features/imports/http.test.ts',
  getImport: 'server/test/features/imports/http.test.ts',
  runImport: 'server/test/features/imports/http.test.ts',
  stopImport: 'server/test/features/imports/stop.test.ts',
  undoImport: 'server/test/features/imports/http.test.ts',
  listEvents: 'server/test/realtime/feed.test.ts',
  streamEvents: 'server/test/realtime/feed.test.ts',
  watchApp: 'server/test/realtime/watches.test.ts',
  typeMessage: 'server/test/realtime/channels.test.ts',
  typePost: 'server/test/realtime/channels.test.ts',
  typeFileComment: 'server/test/realtime/channels.test.ts',
  typePostComment: 'server/test/realtime/channels.test.ts',
  moderateUser: 'server/test/features/bans/moderate-user.test.ts',
  typeComment: 'server/test/realtime/typing.test.ts',
  typeConversation: 'server/test/realtime/channels.test.ts',
  negotiateConnection: 'server/test/realtime/polling.test.ts',
  openConnection: 'server/test/realtime/polling.test.ts',
  sendToConnection: 'server/test/realtime/polling.test.ts',
  endConnection: 'server/test/realtime/polling.test.ts',
  listWebhookEvents: 'server/test/features/webhooks/operations-events.test.ts',
  rotateWebhookSecret: 'server/test/features/webhooks/secrets-rotation.test.ts',
  getDelivery: 'server/test/features/webhooks/operations-deliveries.test.ts',
  listAttempts: 'server/test/features/webhooks/operations-deliveries.test.ts',
  pingWebhook: 'server/test/features/webhooks/operations-redelivery.test.ts',
  redeliver: 'server/test/features/webhooks/operations-redelivery.test.ts',
  redeliverMany: 'server/test/features/webhooks/operations-redelivery.test.ts',
};

/** The test file of the last noun of a path that has one; undefined if none has. */
export function findTestOfPath(path: string): string | undefined {
  const files = path.split('/').map((noun) => `server/test/features/${noun}/${noun}.test.ts`);
  return files.findLast((file) => existsSync(resolve(root, file)));
}

/** The test file of an operation. Throws an Error with what to do if none is named and none follows from its path. */
export function getTest({ id, path }: { readonly id: string; readonly path: string }): string {
  const found = elsewhere[id as keyof typeof operations] ?? findTestOfPath(path);
  if (found !== undefined) return found;
  throw new Error(
    `no test follows from the path of ${id}, ${path}: add server/test/features/NOUN/NOUN.test.ts for a noun of the path, or name its test in \`elsewhere\` of testing/src/operation-tests.ts`,
  );
}

/**
 * The test that tries each operation: the one to read first, though others use it as well. It is the file of the last
 * noun of its path, unless `elsewhere` names another. docs/operations.md is made from it, and a run of all tests fails
 * unless the operation has succeeded in that file.
 */
export const operationTests: { readonly [id: string]: string } = Object.fromEntries(
  operationList.map((operation) => [operation.id, getTest(operation)]),
);
