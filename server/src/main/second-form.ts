import type { Handler } from '../binding/handler.ts';
import {
  createMessageToAgent,
  deleteAgent,
  getAgent,
  listAgents,
  startAgentChat,
  updateAgent,
  upsertAgent,
} from '../second-form/routes/agents.ts';
import {
  createAppInSecondForm,
  getAppInSecondForm,
  listAppsInSecondForm,
  updateAppInSecondForm,
  upsertAppInSecondForm,
} from '../second-form/routes/apps.ts';
import { getConfiguration } from '../second-form/routes/configuration.ts';
import {
  leaveApp,
  markApp,
  markConversationInSecondForm,
  pinApp,
  typeInApp,
  unmarkApp,
  unpinApp,
} from '../second-form/routes/conversations.ts';
import { createEmbedInSecondForm, embedAddress } from '../second-form/routes/embeds.ts';
import { listAppFilesInSecondForm, listFileVersionsInSecondForm } from '../second-form/routes/files.ts';
import { createMeetingAt } from '../second-form/routes/meetings.ts';
import {
  addMemberInSecondForm,
  listMembersInSecondForm,
  listUsersInSecondForm,
  putMembers,
} from '../second-form/routes/members.ts';
import {
  createNotification,
  listAppNotifications,
  listNotificationsInSecondForm,
  markAppNotifications,
  markDirectoryNotifications,
} from '../second-form/routes/notifications.ts';
import { listAppPostsInSecondForm, listPostsInSecondForm } from '../second-form/routes/posts.ts';
import { followUser, getUserInSecondForm, unfollowUser } from '../second-form/routes/users.ts';

/** The function of each operation of the second form. */
export const secondFormHandlers = [
  getUserInSecondForm,
  followUser,
  unfollowUser,
  getConfiguration,
  listAppsInSecondForm,
  getAppInSecondForm,
  createAppInSecondForm,
  upsertAppInSecondForm,
  updateAppInSecondForm,
  markApp,
  markConversationInSecondForm,
  unmarkApp,
  pinApp,
  unpinApp,
  typeInApp,
  leaveApp,
  listMembersInSecondForm,
  addMemberInSecondForm,
  putMembers,
  listUsersInSecondForm,
  listPostsInSecondForm,
  listAppPostsInSecondForm,
  listAppFilesInSecondForm,
  listFileVersionsInSecondForm,
  listNotificationsInSecondForm,
  createNotification,
  listAppNotifications,
  markAppNotifications,
  markDirectoryNotifications,
  listAgents,
  getAgent,
  upsertAgent,
  updateAgent,
  deleteAgent,
  startAgentChat,
  createMessageToAgent,
  embedAddress,
  createEmbedInSecondForm,
  createMeetingAt,
] satisfies readonly Handler<never>[];
