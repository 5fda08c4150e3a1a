import { reportOperations } from 'confab-contract/reports.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { QueuedItem } from '../moderation/queue.ts';
import type { GuestCounts } from '../visitors/guest-counts.ts';
import { reportedOf, reportItem } from './reports.ts';

type Complaining = Pick<Call<typeof reportOperations.reportComment>, 'tx' | 'caller' | 'at' | 'body' | 'raw'>;
type Parts = { readonly guests: GuestCounts };

async function report(call: Complaining, item: QueuedItem, { guests }: Parts) {
  const { reason, text } = call.body;
  const counts = () => guests.take(call, { act: 'report', item, reactionId: null });
  return await reportItem({ ...call, counts }, item, { reason, text });
}

/** Reports a comment. */
export const reportComment = handler(reportOperations.reportComment, (call, parts: Parts) =>
  report(call, reportedOf(call.on), parts),
);
/** Reports a post. */
export const reportPost = handler(reportOperations.reportPost, (call, parts: Parts) =>
  report(call, reportedOf(call.on), parts),
);
/** Reports a message. */
export const reportMessage = handler(reportOperations.reportMessage, (call, parts: Parts) =>
  report(call, reportedOf(call.on), parts),
);
/** Reports a file of a files app. */
export const reportFile = handler(reportOperations.reportFile, (call, parts: Parts) =>
  report(call, reportedOf(call.on), parts),
);
