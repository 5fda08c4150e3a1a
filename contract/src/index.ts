import { accessOperations } from './access.ts';
import { anchorOperations } from './anchors.ts';
import { appOperations } from './apps.ts';
import { backupOperations } from './backups.ts';
import { banOperations } from './bans.ts';
import { blobOperations } from './blobs.ts';
import { commentOperations } from './comments.ts';
import { conversationOperations } from './conversations.ts';
import { countOperations } from './counts.ts';
import { deliveryOperations } from './deliveries.ts';
import { directoryOperations } from './directories.ts';
import { doctorOperations } from './doctor.ts';
import { embedOperations } from './embeds.ts';
import { erasureOperations } from './erasures.ts';
import { eventOperations } from './events.ts';
import { exportOperations } from './exports.ts';
import { featureOperations } from './features.ts';
import { fileOperations } from './files.ts';
import { importOperations } from './imports.ts';
import { keyOperations } from './keys.ts';
import { mailOperations } from './mail.ts';
import { markdownOperations } from './markdown.ts';
import { meetingOperations } from './meetings.ts';
import { memberOperations } from './members.ts';
import { messageOperations } from './messages.ts';
import { moderationOperations } from './moderation.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { optionOperations } from './options.ts';
import { postOperations } from './posts.ts';
import { reactionOperations } from './reactions.ts';
import { realtimeOperations } from './realtime.ts';
import { reportOperations } from './reports.ts';
import { revisionOperations } from './revisions.ts';
import { settingsOperations } from './settings.ts';
import { signingInOperations } from './signing-in.ts';
import { siteOperations } from './site.ts';
import { starOperations } from './stars.ts';
import { statusOperations } from './status.ts';
import { tokenOperations } from './tokens.ts';
import { typingOperations } from './typing.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the interface. */
export const operations = {
  ...appOperations,
  ...memberOperations,
  ...accessOperations,
  ...mailOperations,
  ...statusOperations,
  ...settingsOperations,
  ...siteOperations,
  ...keyOperations,
  ...backupOperations,
  ...doctorOperations,
  ...starOperations,
  ...featureOperations,
  ...commentOperations,
  ...anchorOperations,
  ...markdownOperations,
  ...countOperations,
  ...blobOperations,
  ...fileOperations,
  ...postOperations,
  ...messageOperations,
  ...conversationOperations,
  ...optionOperations,
  ...reactionOperations,
  ...reportOperations,
  ...revisionOperations,
  ...embedOperations,
  ...meetingOperations,
  ...userOperations,
  ...tokenOperations,
  ...signingInOperations,
  ...erasureOperations,
  ...exportOperations,
  ...directoryOperations,
  ...notificationOperations,
  ...moderationOperations,
  ...banOperations,
  ...importOperations,
  ...eventOperations,
  ...typingOperations,
  ...realtimeOperations,
  ...webhookOperations,
  ...deliveryOperations,
};

/** Every operation as a list, in the order of the reference. */
export const operationList: readonly Operation[] = Object.values(operations);
