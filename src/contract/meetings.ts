import Type, { type Static } from 'typebox';
import { Id, Timestamp } from './fields.ts';
import { operation } from './operation.ts';

const o = Type.Optional;

/** A video meeting that an entry invites to. */
export const Meeting = Type.Object(
  {
    id: Id,
    provider: Type.String(),
    provider_id: o(Type.String({ description: 'What the provider calls it.' })),
    uuid: o(Type.String()),
    join_url: o(Type.String({ description: 'Where people join; who has the address can join.' })),
    ended_at: o(Timestamp),
    recording_url: o(Type.String()),
  },
  { $id: 'Meeting' },
);

/** The providers that clients know; which of them a server has is its own matter. */
export const meetingProviders = ['jitsi', 'zoom', 'teams'] as const;
/** One of the providers. */
export type MeetingProvider = (typeof meetingProviders)[number];

export const MeetingCreate = Type.Object(
  {
    provider: Type.Unsafe<MeetingProvider>({
      type: 'string',
      enum: [...meetingProviders],
      description: '`jitsi` needs no account. This version has no connection to `zoom` and `teams`: 422.',
    }),
  },
  { $id: 'MeetingCreate' },
);
export type MeetingCreate = Static<typeof MeetingCreate>;

const tag = 'Meetings';

export const meetingOperations = {
  createMeeting: operation({
    id: 'createMeeting',
    method: 'POST',
    path: '/api/meetings',
    tag,
    summary: 'Makes a video meeting with an address that cannot be guessed.',
    caller: 'any',
    body: MeetingCreate,
    success: { 201: Meeting },
    errors: [400, 401, 422],
    example: { provider: 'jitsi' },
  }),
  getMeeting: operation({
    id: 'getMeeting',
    method: 'GET',
    path: '/api/meetings/{id}',
    tag,
    summary: 'Gets a meeting of the caller.',
    description: 'The meetings of others are seen inside the comments, posts and messages that use them.',
    caller: 'any',
    params: { id: 'id' },
    success: { 200: Meeting },
    errors: [401, 404],
  }),
};
