import Type, { type TSchema } from 'typebox';
import { changing } from './common-operations.ts';
import { described, Id, Timestamp, TrueFalseNull } from './fields.ts';

const o = Type.Optional;

/** The fields of a comment that began a thread which is resolved. */
export const resolvedFields = {
  resolved_at: o(
    described(
      Timestamp,
      'When its thread was resolved. Absent while the thread is open, and in a comment that replies to another.',
    ),
  ),
  resolved_by_id: o(
    described(
      Id,
      'The id of the user who resolved its thread. Absent while the thread is open, and where an import did not say who did.',
    ),
  ),
};

/** The query parameter of lists of comments that selects threads by whether they are resolved. */
export const resolvedQuery = {
  resolved: o(
    Type.Unsafe<boolean | null>({
      ...TrueFalseNull,
      description:
        '`true` lists the comments that began a thread which is resolved, `false` those whose thread is open. They are sorted by id or `reaction_count`. Absent or `null` lists all comments.',
    }),
  ),
};

/** Who may resolve the threads of an app, and what reopens them. */
export const resolvingFields = {
  resolving: o(
    Type.Unsafe<'moderators'>({
      type: 'string',
      enum: ['moderators'],
      description:
        'Who may resolve and reopen threads: `moderators`, which includes managers and API keys. When absent, every user who may write in the app.',
    }),
  ),
  reopening: o(
    Type.Unsafe<'answers'>({
      type: 'string',
      enum: ['answers'],
      description:
        'What reopens a resolved thread besides the request to do so: `answers`, which are shown in it from then on. When absent, nothing does.',
    }),
  ),
};

/** What the operations that resolve and reopen a thread have in common. */
export function resolving<D extends TSchema>(detail: D) {
  return {
    ...changing(detail),
    concurrentBy: 'item',
    on: { comment: 'resolve' },
    errors: [400, 401, 403, 404, 422],
  } as const;
}
