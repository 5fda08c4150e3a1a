import { randomBytes, randomUUID } from 'node:crypto';

/** A meeting as its provider created it. */
export type NewMeeting = {
  /** The provider's id of the meeting. */
  readonly providerId: string;
  readonly uuid: string;
  readonly joinUrl: string;
};

/** Creates meetings. It may call a service on the network, so it runs outside of transactions. */
export type MeetingProvider = () => Promise<NewMeeting>;

/** 128 bits, so that the name cannot be guessed. */
const roomBytes = 16;

/**
 * Meetings on a Jitsi server. A room is created when the first user opens its address, so no request and no account are
 * needed. Only the address keeps others out, so it cannot be guessed.
 */
export function createJitsiProvider(serverUrl: string): MeetingProvider {
  return async () => {
    const room = `Confab-${randomBytes(roomBytes).toString('hex')}`;
    return { providerId: room, uuid: randomUUID(), joinUrl: `${serverUrl}/${room}` };
  };
}
