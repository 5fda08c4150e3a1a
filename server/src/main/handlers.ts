import { listAnchors } from '../features/anchors/list.ts';
import { createApp } from '../features/apps/create.ts';
import { deleteApp } from '../features/apps/delete.ts';
import { getApp } from '../features/apps/get.ts';
import { initApp } from '../features/apps/init.ts';
import { listApps } from '../features/apps/list.ts';
import { lockApp, unlockApp } from '../features/apps/lock.ts';
import { subscribeApp, unsubscribeApp } from '../features/apps/subscribe.ts';
import { restoreApp, trashApp } from '../features/apps/trash.ts';
import { updateApp } from '../features/apps/update.ts';
import { upsertApp } from '../features/apps/upsert.ts';
import { watchApp } from '../features/apps/watch.ts';
import {
  listCommentAttachments,
  listMessageAttachments,
  listPostAttachments,
} from '../features/attachments/list.ts';
import { createBackup } from '../features/backups/create.ts';
import { downloadBackup } from '../features/backups/download.ts';
import { listBackups } from '../features/backups/list.ts';
import { verifyBackup } from '../features/backups/verify.ts';
import { createBan } from '../features/bans/create.ts';
import { deleteBan } from '../features/bans/delete.ts';
import { listBans } from '../features/bans/list.ts';
import { createBlob, createExternalBlob, createImportBlob } from '../features/blobs/create.ts';
import { getBlob } from '../features/blobs/get.ts';
import {
  approveComment,
  deleteComment,
  getComment,
  holdComment,
  restoreComment,
  trashComment,
  updateComment,
} from '../features/comments/comments.ts';
import { createAppComment, createFileComment, createPostComment } from '../features/comments/create.ts';
import {
  listAppComments,
  listComments,
  listFileComments,
  listPostComments,
  listReplies,
} from '../features/comments/list.ts';
import { reopenComment, resolveComment } from '../features/comments/resolve.ts';
import { createConversation } from '../features/conversations/create.ts';
import { getBadge, getConversation } from '../features/conversations/get.ts';
import { listConversations } from '../features/conversations/list.ts';
import { markConversation, unmarkConversation } from '../features/conversations/mark.ts';
import { pinConversation, unpinConversation } from '../features/conversations/pin.ts';
import { setDelivered } from '../features/conversations/set.ts';
import { listCounts } from '../features/counts/list.ts';
import { createDirectory } from '../features/directories/create.ts';
import { deleteDirectory } from '../features/directories/delete.ts';
import { getDirectory } from '../features/directories/get.ts';
import { listDirectories } from '../features/directories/list.ts';
import { updateDirectory } from '../features/directories/update.ts';
import { fixWithDoctor } from '../features/doctor/fix.ts';
import { getDoctor } from '../features/doctor/get.ts';
import { runDoctor } from '../features/doctor/run.ts';
import { createEmbed } from '../features/embeds/create.ts';
import { getEmbed } from '../features/embeds/get.ts';
import { eraseUser } from '../features/erasures/create.ts';
import { getErasure } from '../features/erasures/get.ts';
import { listEvents, listWebhookEvents } from '../features/events/list.ts';
import { streamEvents } from '../features/events/stream.ts';
import { exportUser } from '../features/exports/get.ts';
import { getFeatures } from '../features/features/get.ts';
import { createFile } from '../features/files/create.ts';
import { deleteFile } from '../features/files/delete.ts';
import { getFile } from '../features/files/get.ts';
import { approveFile, holdFile } from '../features/files/hold.ts';
import { listAppFiles, listFiles } from '../features/files/list.ts';
import { lockFile, unlockFile } from '../features/files/lock.ts';
import { subscribeFile, unsubscribeFile } from '../features/files/subscribe.ts';
import { restoreFile, trashFile } from '../features/files/trash.ts';
import { updateFile } from '../features/files/update.ts';
import { createImport } from '../features/imports/create.ts';
import { getImport } from '../features/imports/get.ts';
import { listImports } from '../features/imports/list.ts';
import { runImport } from '../features/imports/run.ts';
import { stopImport } from '../features/imports/stop.ts';
import { undoImport } from '../features/imports/undo.ts';
import { createKey } from '../features/keys/create.ts';
import { listKeys } from '../features/keys/list.ts';
import { revokeKey } from '../features/keys/revoke.ts';
import { rotateKey } from '../features/keys/rotate.ts';
import { getMail } from '../features/mail/get.ts';
import { updateMail } from '../features/mail/update.ts';
import { renderText } from '../features/markdown/render.ts';
import { createMeeting } from '../features/meetings/create.ts';
import { getMeeting } from '../features/meetings/get.ts';
import { addMember, addMembers } from '../features/members/add.ts';
import { explainAccess } from '../features/members/explain.ts';
import { listDirectoryMembers, listMembers } from '../features/members/list.ts';
import { removeMember, removeMembers } from '../features/members/remove.ts';
import { createMessage } from '../features/messages/create.ts';
import {
  approveMessage,
  deleteMessage,
  getMessage,
  holdMessage,
  listAppMessages,
  listMessages,
  restoreMessage,
  trashMessage,
  updateMessage,
} from '../features/messages/messages.ts';
import { getModerationRules } from '../features/moderation/get.ts';
import { moderateUser } from '../features/moderation/moderate.ts';
import { replaceModerationRules } from '../features/moderation/replace.ts';
import { testModerationRules } from '../features/moderation/test.ts';
import { deleteNotification } from '../features/notifications/delete.ts';
import { getNotification } from '../features/notifications/get.ts';
import { listNotifications } from '../features/notifications/list.ts';
import { markNotification, markNotifications, unmarkNotification } from '../features/notifications/mark.ts';
import { getOption } from '../features/options/get.ts';
import { listVoters } from '../features/options/list.ts';
import { voteOption } from '../features/options/vote.ts';
import { createPost } from '../features/posts/create.ts';
import {
  approvePost,
  deletePost,
  getPost,
  holdPost,
  listAppPosts,
  listPosts,
  lockPost,
  restorePost,
  trashPost,
  unlockPost,
  updatePost,
} from '../features/posts/posts.ts';
import { subscribePost, unsubscribePost } from '../features/posts/subscribe.ts';
import { addCommentReaction, addMessageReaction, addPostReaction } from '../features/reactions/add.ts';
import { deleteReaction } from '../features/reactions/delete.ts';
import { getReaction } from '../features/reactions/get.ts';
import { listCommentReactions, listMessageReactions, listPostReactions } from '../features/reactions/list.ts';
import {
  removeCommentReaction,
  removeMessageReaction,
  removePostReaction,
} from '../features/reactions/remove.ts';
import { getReport } from '../features/reports/get.ts';
import { listReports } from '../features/reports/list.ts';
import { reportComment, reportFile, reportMessage, reportPost } from '../features/reports/report.ts';
import { resolveReport } from '../features/reports/resolve.ts';
import { listCommentRevisions, listMessageRevisions, listPostRevisions } from '../features/revisions/list.ts';
import { getSettings } from '../features/settings/get.ts';
import { getSite } from '../features/site/get.ts';
import { updateSite } from '../features/site/update.ts';
import { listStars } from '../features/stars/list.ts';
import { starApp, unstarApp } from '../features/stars/star.ts';
import { getStatus } from '../features/status/get.ts';
import { issueToken } from '../features/tokens/issue.ts';
import { revokeTokens } from '../features/tokens/revoke.ts';
import {
  typeComment,
  typeConversation,
  typeFileComment,
  typeMessage,
  typePost,
  typePostComment,
} from '../features/typing/type.ts';
import { autocompleteUsers } from '../features/users/autocomplete.ts';
import { createUser } from '../features/users/create.ts';
import { getCaller, getUser } from '../features/users/get.ts';
import { listUsers } from '../features/users/list.ts';
import { restoreUser, trashUser } from '../features/users/trash.ts';
import { updateUser } from '../features/users/update.ts';
import { upsertUser } from '../features/users/upsert.ts';
import { deleteFileVersion } from '../features/versions/delete.ts';
import { getFileVersion } from '../features/versions/get.ts';
import { listFileVersions } from '../features/versions/list.ts';
import { restoreFileVersion } from '../features/versions/restore.ts';
import { confirmCode, confirmLink, refuseMail, signInByEmail } from '../features/visitors/email.ts';
import { exchangeCode } from '../features/visitors/exchange.ts';
import { signInAsGuest } from '../features/visitors/guest.ts';
import { addMailbox, confirmMailbox } from '../features/visitors/mailbox.ts';
import { renewSignIn } from '../features/visitors/renew.ts';
import { signOut } from '../features/visitors/sign-out.ts';
import { updateVisitor } from '../features/visitors/update.ts';
import { getSignIn, makePuzzle } from '../features/visitors/ways.ts';
import { getDelivery } from '../features/webhooks/deliveries/get.ts';
import { listAttempts, listDeliveries } from '../features/webhooks/deliveries/list.ts';
import { pingWebhook } from '../features/webhooks/deliveries/ping.ts';
import { redeliver, redeliverMany } from '../features/webhooks/deliveries/redeliver.ts';
import { deleteWebhook } from '../features/webhooks/registration/delete.ts';
import { getWebhook } from '../features/webhooks/registration/get.ts';
import { listWebhooks } from '../features/webhooks/registration/list.ts';
import { registerWebhook } from '../features/webhooks/registration/register.ts';
import { updateWebhook } from '../features/webhooks/registration/update.ts';
import { rotateWebhookSecret } from '../features/webhooks/secrets/rotate.ts';
import { endConnection } from '../realtime/end.ts';
import { negotiateConnection } from '../realtime/negotiate.ts';
import { openConnection } from '../realtime/open.ts';
import { sendToConnection } from '../realtime/send.ts';

/** The function of each operation. */
export const handlers = [
  createAppComment,
  createFileComment,
  createPostComment,
  deleteComment,
  getComment,
  listAppComments,
  listCommentAttachments,
  listComments,
  listCounts,
  listAnchors,
  listFileComments,
  listPostComments,
  listReplies,
  restoreComment,
  trashComment,
  holdComment,
  approveComment,
  resolveComment,
  reopenComment,
  updateComment,
  createMessage,
  deleteMessage,
  getMessage,
  listAppMessages,
  listMessageAttachments,
  listMessages,
  restoreMessage,
  trashMessage,
  holdMessage,
  approveMessage,
  updateMessage,
  createPost,
  deletePost,
  getPost,
  listAppPosts,
  listPostAttachments,
  listPosts,
  subscribePost,
  unsubscribePost,
  restorePost,
  trashPost,
  lockPost,
  unlockPost,
  holdPost,
  approvePost,
  updatePost,
  addCommentReaction,
  addMember,
  addMembers,
  addMessageReaction,
  addPostReaction,
  autocompleteUsers,
  createConversation,
  createDirectory,
  deleteDirectory,
  createUser,
  deleteNotification,
  explainAccess,
  deleteReaction,
  getBadge,
  getCaller,
  getConversation,
  getNotification,
  getDirectory,
  getFeatures,
  renderText,
  getOption,
  getReaction,
  getReport,
  listReports,
  reportComment,
  reportFile,
  reportMessage,
  reportPost,
  resolveReport,
  getUser,
  eraseUser,
  exportUser,
  getErasure,
  createImport,
  listImports,
  getImport,
  runImport,
  stopImport,
  undoImport,
  issueToken,
  getSignIn,
  makePuzzle,
  signInAsGuest,
  signInByEmail,
  confirmCode,
  confirmLink,
  refuseMail,
  exchangeCode,
  renewSignIn,
  addMailbox,
  confirmMailbox,
  signOut,
  updateVisitor,
  listCommentReactions,
  listCommentRevisions,
  listDirectories,
  listDirectoryMembers,
  listMembers,
  listConversations,
  listMessageReactions,
  listMessageRevisions,
  listNotifications,
  listPostReactions,
  listPostRevisions,
  listUsers,
  listVoters,
  pinConversation,
  removeCommentReaction,
  removeMember,
  removeMembers,
  removeMessageReaction,
  removePostReaction,
  getMail,
  updateMail,
  listStars,
  markConversation,
  markNotification,
  markNotifications,
  restoreUser,
  revokeTokens,
  setDelivered,
  starApp,
  trashUser,
  unmarkConversation,
  unmarkNotification,
  unpinConversation,
  unstarApp,
  updateDirectory,
  updateUser,
  upsertUser,
  voteOption,
  createFile,
  deleteFile,
  deleteFileVersion,
  getFile,
  getFileVersion,
  listAppFiles,
  listFileVersions,
  listFiles,
  restoreFile,
  restoreFileVersion,
  subscribeFile,
  trashFile,
  lockFile,
  unlockFile,
  holdFile,
  approveFile,
  unsubscribeFile,
  updateFile,
  listWebhookEvents,
  listEvents,
  streamEvents,
  watchApp,
  typeComment,
  typeConversation,
  typeFileComment,
  typeMessage,
  typePost,
  typePostComment,
  endConnection,
  negotiateConnection,
  openConnection,
  sendToConnection,
  getDelivery,
  listAttempts,
  listDeliveries,
  pingWebhook,
  redeliver,
  redeliverMany,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  registerWebhook,
  updateWebhook,
  rotateWebhookSecret,
  createBlob,
  createImportBlob,
  createEmbed,
  createExternalBlob,
  createMeeting,
  getBlob,
  getEmbed,
  getMeeting,
  getModerationRules,
  getStatus,
  getSettings,
  getSite,
  updateSite,
  fixWithDoctor,
  getDoctor,
  runDoctor,
  createBackup,
  downloadBackup,
  listBackups,
  verifyBackup,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  replaceModerationRules,
  testModerationRules,
  createBan,
  deleteBan,
  moderateUser,
  listBans,
  createApp,
  deleteApp,
  getApp,
  initApp,
  listApps,
  restoreApp,
  subscribeApp,
  trashApp,
  lockApp,
  unlockApp,
  unsubscribeApp,
  updateApp,
  upsertApp,
];
