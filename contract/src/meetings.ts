import Type from 'typebox';
import { getting } from './common-operations.ts';
import { described, Id, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** A video meeting to which an entry invites. */
export const Meeting = Type.Object(
  {
    id: described(Id, 'The id of the meeting.'),
    provider: string('The provider of the meeting: `jitsi`.'),
    provider_id: o(string('The id of the meeting at the provider.')),
    uuid: o(string('A unique id that the server gave the meeting.')),
    join_url: o(string('The address at which users join. Anyone who has it can join.')),
    ended_at: o(
      described(Timestamp, 'When the meeting ended. Absent as long as the provider has not reported it.'),
    ),
    recording_url: o(string('The address of the recording. Absent when there is none.')),
  },
  { $id: 'Meeting', description: 'A video meeting.' },
);

/** The providers that clients know; a server may support only some of them. */
export const meetingProviders = ['jitsi', 'zoom', 'teams'] as const;
/** One of the providers. */
export type MeetingProvider = (typeof meetingProviders)[number];

const MeetingCreate = Type.Object(
  {
    provider: Type.Unsafe<MeetingProvider>({
      type: 'string',
      enum: [...meetingProviders],
      description:
        'The provider: `jitsi`, which needs no account. `zoom` and `teams` are not supported yet and are a 422.',
    }),
  },
  { $id: 'MeetingCreate', description: 'What kind of meeting to make.' },
);

export const meetingOperations = operationsOf('Meetings', {
  createMeeting: {
    method: 'POST',
    path: '/api/meetings',
    summary: 'Makes a video meeting with an address that cannot be guessed.',
    caller: 'any',
    scopes: ['apps'],
    on: 'caller',
    effect: 'wait',
    body: MeetingCreate,
    success: { 201: Meeting },
    errors: [400, 401, 422],
    example: { provider: 'jitsi' },
  },
  getMeeting: {
    ...getting(Meeting),
    path: '/api/meetings/{id}',
    summary: 'Gets a meeting of the caller.',
    description:
      'Meetings of other users are shown only inside the comments, posts and messages that use them.',
    on: { meeting: 'read' },
  },
});
