/** A meeting as stored. */
export type MeetingRow = {
  readonly id: number;
  readonly provider: string;
  readonly providerId: string;
  readonly uuid: string;
  readonly joinUrl: string;
  readonly createdById: number;
  readonly endedAt: number | null;
  readonly recordingUrl: string | null;
};

/** The columns of `MeetingRow`. */
export const meetingColumns = [
  'id',
  'provider',
  'provider_id as providerId',
  'uuid',
  'join_url as joinUrl',
  'created_by_id as createdById',
  'ended_at as endedAt',
  'recording_url as recordingUrl',
] as const;
