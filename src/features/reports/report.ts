import { type Call, handler } from '../../binding/handler.ts';
import { reportOperations } from '../../contract/reports.ts';
import type { QueuedItem } from '../queue/queue.ts';
import { reportedOf, reportItem } from './reports.ts';

type Complaining = Pick<Call<typeof reportOperations.reportComment>, 'tx' | 'caller' | 'at' | 'body'>;

async function report(call: Complaining, item: QueuedItem) {
  const { reason, text } = call.body;
  return await reportItem(call, item, { reason, text });
}

/** Reports a comment. */
export const reportComment = handler(reportOperations.reportComment, (call) =>
  report(call, reportedOf(call.on)),
);
/** Reports a post. */
export const reportPost = handler(reportOperations.reportPost, (call) => report(call, reportedOf(call.on)));
/** Reports a message. */
export const reportMessage = handler(reportOperations.reportMessage, (call) =>
  report(call, reportedOf(call.on)),
);
/** Reports a file of a files app. */
export const reportFile = handler(reportOperations.reportFile, (call) => report(call, reportedOf(call.on)));
