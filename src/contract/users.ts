import Type, { type Static } from 'typebox';
import { Id, Metadata, Timestamp } from './fields.ts';

const o = Type.Optional;

/** A user as it stands in `created_by` and `modified_by`. */
export const User = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    display_name: Type.String(),
    email: o(Type.String()),
    given_name: o(Type.String()),
    middle_name: o(Type.String()),
    name: o(Type.String()),
    family_name: o(Type.String()),
    nickname: o(Type.String()),
    phone_number: o(Type.String()),
    comment: o(Type.String()),
    directory_id: o(Id),
    picture_id: o(Id),
    avatar_url: o(Type.String()),
    metadata: o(Metadata),
    tags: Type.Array(Type.String()),
    presence: Type.Unsafe<'active' | 'away'>({ type: 'string', enum: ['active', 'away'] }),
    created_at: Timestamp,
    modified_at: o(Timestamp),
    is_bot: Type.Boolean(),
    is_suspended: Type.Boolean(),
    is_trashed: Type.Boolean(),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;
