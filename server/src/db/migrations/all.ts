import { initial } from './0001-initial.ts';
import { eventRecipients } from './0002-event-recipients.ts';
import { reactionsAndVotes } from './0003-reactions-and-votes.ts';
import { conversations } from './0004-conversations.ts';
import { fileVersions } from './0005-file-versions.ts';
import { embedsAndMeetings } from './0006-embeds-and-meetings.ts';
import { notifications } from './0007-notifications.ts';
import { presence } from './0008-presence.ts';
import { logHead } from './0009-log-head.ts';
import { nodes } from './0010-nodes.ts';
import { webhookDelivery } from './0011-webhook-delivery.ts';
import { whoSeesWhom } from './0012-who-sees-whom.ts';
import { rights } from './0013-rights.ts';
import { uploadsThatWait } from './0014-uploads-that-wait.ts';
import { parkedEvents } from './0015-parked-events.ts';
import { namesAndWords } from './0016-names-and-words.ts';
import { ordersOfLists } from './0017-orders-of-lists.ts';
import { wordsOfIndexes } from './0018-words-of-indexes.ts';
import { keptAnswers } from './0019-kept-answers.ts';
import { tokensOfProviders } from './0020-tokens-of-providers.ts';
import { scopesOfKeys } from './0021-scopes-of-keys.ts';
import { rateShares } from './0022-rate-shares.ts';
import { moderation } from './0023-moderation.ts';
import { revisions } from './0024-revisions.ts';
import { storedBytes } from './0025-stored-bytes.ts';
import { mail } from './0026-mail.ts';
import { reports } from './0027-reports.ts';
import { moderationRules } from './0028-moderation-rules.ts';
import { dataOfPeople } from './0029-data-of-people.ts';
import { heldItemsInTheQueue } from './0030-held-items-in-the-queue.ts';
import { commentsBelow } from './0031-comments-below.ts';
import { sessions } from './0032-sessions.ts';
import { importRuns } from './0033-import-runs.ts';
import { shortMerges } from './0034-short-merges.ts';
import { hiddenNotifications } from './0035-hidden-notifications.ts';
import { attemptsOfImports } from './0036-attempts-of-imports.ts';
import { visitors } from './0037-visitors.ts';
import { threads } from './0038-threads.ts';
import { optionsOfImports } from './0039-options-of-imports.ts';
import { signingIn } from './0040-signing-in.ts';
import { mailsOfSigningIn } from './0041-mails-of-signing-in.ts';
import { erasuresInTurn } from './0042-erasures-in-turn.ts';
import { mailOfNewComments } from './0043-mail-of-new-comments.ts';
import { commentsOfAnAuthor } from './0044-comments-of-an-author.ts';
import { follows } from './0045-follows.ts';
import { agents } from './0046-agents.ts';
import { notificationsOfHosts } from './0047-notifications-of-hosts.ts';
import { picturesOfApps } from './0048-pictures-of-apps.ts';
import { resolvedThreads } from './0049-resolved-threads.ts';
import { anchors } from './0050-anchors.ts';
import type { Migration } from './migration.ts';

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [
  initial,
  eventRecipients,
  reactionsAndVotes,
  conversations,
  fileVersions,
  embedsAndMeetings,
  notifications,
  presence,
  logHead,
  nodes,
  webhookDelivery,
  whoSeesWhom,
  rights,
  uploadsThatWait,
  parkedEvents,
  namesAndWords,
  ordersOfLists,
  wordsOfIndexes,
  keptAnswers,
  tokensOfProviders,
  scopesOfKeys,
  rateShares,
  moderation,
  revisions,
  storedBytes,
  mail,
  reports,
  moderationRules,
  dataOfPeople,
  heldItemsInTheQueue,
  commentsBelow,
  sessions,
  importRuns,
  shortMerges,
  hiddenNotifications,
  attemptsOfImports,
  visitors,
  threads,
  optionsOfImports,
  signingIn,
  mailsOfSigningIn,
  erasuresInTurn,
  mailOfNewComments,
  commentsOfAnAuthor,
  follows,
  agents,
  notificationsOfHosts,
  picturesOfApps,
  resolvedThreads,
  anchors,
];
