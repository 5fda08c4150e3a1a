import { randomBytes, randomUUID } from 'node:crypto';

/** A meeting as its provider made it. */
export type NewMeeting = {
  /** What the provider calls it. */
  readonly providerId: string;
  readonly uuid: string;
  readonly joinUrl: string;
};

/** Makes meetings; it may ask a service on the network, so it runs outside of transactions. */
export type MeetingProvider = () => Promise<NewMeeting>;

/** 128 bits, as many as no one guesses. */
const roomBytes = 16;

/**
 * Meetings on a Jitsi server: a room comes into being when the first person opens its address, so nothing is asked and
 * no account is needed. The address is the only thing that keeps others out, so it cannot be guessed.
 */
export function createJitsiProvider(serverUrl: string): MeetingProvider {
  return async () => {
    const room = `Confab-${randomBytes(roomBytes).toString('hex')}`;
    return { providerId: room, uuid: randomUUID(), joinUrl: `${serverUrl}/${room}` };
  };
}
