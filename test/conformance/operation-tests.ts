import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { operationList, type operations } from '../../src/contract/index.ts';

/** The operations that other tests try, by their ids. A new operation needs a line only if it is tested elsewhere. */
export const elsewhere: { readonly [I in keyof typeof operations]?: string } = {
  initApp: 'test/features/apps/app-init.test.ts',
  deleteApp: 'test/features/apps/app-deletion.test.ts',
  lockApp: 'test/features/apps/locks.test.ts',
  unlockApp: 'test/features/apps/locks.test.ts',
  explainAccess: 'test/access/explain.test.ts',
  getMail: 'test/features/mail/mail-settings.test.ts',
  updateMail: 'test/features/mail/mail-settings.test.ts',
  createBackup: 'test/backup/interface.test.ts',
  verifyBackup: 'test/backup/interface.test.ts',
  downloadBackup: 'test/backup/interface.test.ts',
  holdComment: 'test/features/entries/hold.test.ts',
  approveComment: 'test/features/entries/hold.test.ts',
  deleteComment: 'test/features/entries/entry-deletion.test.ts',
  listReplies: 'test/features/comments/threads.test.ts',
  renderText: 'test/features/comments/writing.test.ts',
  listCommentAttachments: 'test/features/entries/entry-deletion.test.ts',
  createImportBlob: 'test/features/imports/large.test.ts',
  createExternalBlob: 'test/features/blobs/external-blobs.test.ts',
  holdFile: 'test/features/entries/hold.test.ts',
  approveFile: 'test/features/entries/hold.test.ts',
  lockFile: 'test/features/apps/locks.test.ts',
  unlockFile: 'test/features/apps/locks.test.ts',
  updateFile: 'test/features/versions/file-versions.test.ts',
  deleteFile: 'test/features/files/file-changes.test.ts',
  subscribeFile: 'test/features/files/file-changes.test.ts',
  unsubscribeFile: 'test/features/files/file-changes.test.ts',
  listFileVersions: 'test/features/versions/file-versions.test.ts',
  getFileVersion: 'test/features/versions/file-versions.test.ts',
  deleteFileVersion: 'test/features/versions/file-versions.test.ts',
  restoreFileVersion: 'test/features/versions/file-versions.test.ts',
  lockPost: 'test/features/apps/locks.test.ts',
  unlockPost: 'test/features/apps/locks.test.ts',
  holdPost: 'test/features/entries/hold.test.ts',
  approvePost: 'test/features/entries/hold.test.ts',
  deletePost: 'test/features/entries/entry-deletion.test.ts',
  listPostAttachments: 'test/features/entries/entry-deletion.test.ts',
  holdMessage: 'test/features/entries/hold.test.ts',
  approveMessage: 'test/features/entries/hold.test.ts',
  listMessageAttachments: 'test/features/messages/messages.test.ts',
  getBadge: 'test/features/conversations/conversation-marks.test.ts',
  getOption: 'test/features/options/polls.test.ts',
  voteOption: 'test/features/options/polls.test.ts',
  listVoters: 'test/features/options/polls.test.ts',
  listUsers: 'test/features/users/user-lists.test.ts',
  autocompleteUsers: 'test/features/users/autocomplete.test.ts',
  getCaller: 'test/features/users/user-lists.test.ts',
  listDirectoryMembers: 'test/features/directories/directories.test.ts',
  getSignIn: 'test/features/visitors/guests.test.ts',
  makePuzzle: 'test/features/visitors/guests.test.ts',
  signInAsGuest: 'test/features/visitors/guests.test.ts',
  signInByEmail: 'test/features/visitors/email.test.ts',
  confirmCode: 'test/features/visitors/email.test.ts',
  confirmLink: 'test/features/visitors/email.test.ts',
  refuseMail: 'test/features/visitors/email.test.ts',
  exchangeCode: 'test/features/visitors/email.test.ts',
  renewSignIn: 'test/features/visitors/sessions.test.ts',
  signOut: 'test/features/visitors/sessions.test.ts',
  updateVisitor: 'test/features/visitors/guests.test.ts',
  addMailbox: 'test/features/visitors/joining.test.ts',
  confirmMailbox: 'test/features/visitors/joining.test.ts',
  issueToken: 'test/features/users/user-lists.test.ts',
  eraseUser: 'test/features/erasures/erasures.test.ts',
  exportUser: 'test/features/exports/exports.test.ts',
  deleteNotification: 'test/features/notifications/notifications-marks.test.ts',
  markNotification: 'test/features/notifications/notifications-marks.test.ts',
  unmarkNotification: 'test/features/notifications/notifications-marks.test.ts',
  getModerationRules: 'test/features/moderation/rules.test.ts',
  replaceModerationRules: 'test/features/moderation/rules.test.ts',
  testModerationRules: 'test/features/moderation/rules.test.ts',
  createImport: 'test/features/imports/http.test.ts',
  listImports: 'test/features/imports/http.test.ts',
  getImport: 'test/features/imports/http.test.ts',
  runImport: 'test/features/imports/http.test.ts',
  stopImport: 'test/features/imports/stop.test.ts',
  undoImport: 'test/features/imports/http.test.ts',
  listEvents: 'test/realtime/feed.test.ts',
  streamEvents: 'test/realtime/feed.test.ts',
  watchApp: 'test/realtime/watches.test.ts',
  typeMessage: 'test/realtime/channels.test.ts',
  typePost: 'test/realtime/channels.test.ts',
  typeFileComment: 'test/realtime/channels.test.ts',
  typePostComment: 'test/realtime/channels.test.ts',
  moderateUser: 'test/features/bans/moderate-user.test.ts',
  typeComment: 'test/realtime/typing.test.ts',
  typeConversation: 'test/realtime/channels.test.ts',
  negotiateConnection: 'test/realtime/polling.test.ts',
  openConnection: 'test/realtime/polling.test.ts',
  sendToConnection: 'test/realtime/polling.test.ts',
  endConnection: 'test/realtime/polling.test.ts',
  listWebhookEvents: 'test/features/webhooks/operations-events.test.ts',
  rotateWebhookSecret: 'test/features/webhooks/secrets-rotation.test.ts',
  getDelivery: 'test/features/webhooks/operations-deliveries.test.ts',
  listAttempts: 'test/features/webhooks/operations-deliveries.test.ts',
  pingWebhook: 'test/features/webhooks/operations-redelivery.test.ts',
  redeliver: 'test/features/webhooks/operations-redelivery.test.ts',
  redeliverMany: 'test/features/webhooks/operations-redelivery.test.ts',
};

const root = resolve(import.meta.dirname, '../..');

/** The test file of the last noun of a path that has one; undefined if none has. */
export function findTestOfPath(path: string): string | undefined {
  const files = path.split('/').map((noun) => `test/features/${noun}/${noun}.test.ts`);
  return files.findLast((file) => existsSync(resolve(root, file)));
}

/** The test file of an operation. Throws an Error with what to do if none is named and none follows from its path. */
export function getTest({ id, path }: { readonly id: string; readonly path: string }): string {
  const found = elsewhere[id as keyof typeof operations] ?? findTestOfPath(path);
  if (found !== undefined) return found;
  throw new Error(
    `no test follows from the path of ${id}, ${path}: add test/features/NOUN/NOUN.test.ts for a noun of the path, or name its test in \`elsewhere\` of test/conformance/operation-tests.ts`,
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
