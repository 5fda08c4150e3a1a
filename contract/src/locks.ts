import Type, { type Static } from 'typebox';
import { described, Timestamp } from './fields.ts';

const o = Type.Optional;

/** From when something is locked. */
export const LockCreate = Type.Object(
  {
    locked_at: o(
      Type.String({
        format: 'date-time',
        description: 'From when it is locked, in RFC 3339; from now on when absent.',
        examples: ['2026-12-24T18:00:00Z'],
      }),
    ),
    after_days: o(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description: 'How many days after it was created it is locked. Only where `locked_at` is absent.',
      }),
    ),
  },
  { $id: 'LockCreate', description: 'From when something is locked.' },
);
export type LockCreate = Static<typeof LockCreate>;

/** The field of what can be locked. */
export const lockedAt = o(
  described(
    Timestamp,
    'From when only moderators write in it; it can lie ahead. Absent when it is not locked.',
  ),
);

/** What an operation that locks something declares beyond `changing`. */
export const lockOperation = {
  description:
    'Reading goes on. From then on, only moderators, managers and API keys write: for others, creating, editing and restoring content, reactions and votes are 403 `locked`. They may still trash and delete what is theirs.',
  body: LockCreate,
  errors: [400, 401, 403, 404, 422],
  example: { after_days: 30 },
} as const;
