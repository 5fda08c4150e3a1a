import type { ActionFacts } from './action-facts.ts';

/** The actions of threads that are resolved and reopened. */
export const resolvingActions = {
  comment_resolved: {
    group: 'comments',
    entity: 'comment',
    audience: 'participants',
    sentence: 'A thread was resolved: `comment` is the one that began it.',
  },
  comment_reopened: {
    group: 'comments',
    entity: 'comment',
    audience: 'participants',
    sentence: 'A thread that was resolved was reopened, by a request or by an answer.',
  },
} as const satisfies { readonly [action: string]: ActionFacts };
