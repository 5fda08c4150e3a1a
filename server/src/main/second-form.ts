import type { Handler } from '../binding/handler.ts';
import { deleteAgent } from '../features/agents/delete.ts';
import { getAgent } from '../features/agents/get.ts';
import { listAgents } from '../features/agents/list.ts';
import { startAgentChat } from '../features/agents/start.ts';
import { updateAgent } from '../features/agents/update.ts';
import { upsertAgent } from '../features/agents/upsert.ts';
import { createMessageToAgent } from '../features/messages/create.ts';
import { createAppInSecondForm, getAppInSecondForm, listAppsInSecondForm, updateAppInSecondForm, upsertAppInSecondForm } from '../second-form/routes/apps.ts';
import { getConfiguration } from '../second-form/routes/configuration.ts';
import { leaveApp, markApp, pinApp, typeInApp, unmarkApp, unpinApp } from '../second-form/routes/conversations.ts';
import { listAppFilesInSecondForm, listFileVersionsInSecondForm } from '../second-form/routes/files.ts';
import { addMemberInSecondForm, listMembersInSecondForm, listUsersInSecondForm, putMembers } from '../second-form/routes/members.ts';
import { createEmbedInSecondForm, embedAddress } from '../second-form/routes/embeds.ts';
import { createMeetingAt } from '../second-form/routes/meetings.ts';
import { createNotification, listAppNotifications, listNotificationsInSecondForm, markAppNotifications, markDirectoryNotifications } from '../second-form/routes/notifications.ts';
import { listAppPostsInSecondForm, listPostsInSecondForm } from '../second-form/routes/posts.ts';
import { followUser, getUserInSecondForm, unfollowUser } from '../second-form/routes/users.ts';
import { createMessageToAgent, deleteAgent, getAgent, listAgents, startAgentChat, updateAgent, upsertAgent } from '../second-form/routes/agents.ts';

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
