import { commentOperations } from 'confab-contract/comments.ts';
import { handler } from '../../binding/handler.ts';
import { reopenThread, resolveThread } from '../entries/resolving.ts';

/** Resolves the thread that a comment began. */
export const resolveComment = handler(commentOperations.resolveComment, resolveThread);

/** Reopens a thread that was resolved. */
export const reopenComment = handler(commentOperations.reopenComment, reopenThread);
