import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from 'confab-contract/fields.ts';
import { startTimer } from '../../kernel/timer.ts';
import type { ClientLimits } from './client-limits.ts';

/**
 * More time for large uploads. Node limits the time of every request alike, which is enough for an ordinary upload. A
 * larger one gets as many times that as it may be larger.
 */
export function createPatience({ requestMs }: Pick<ClientLimits, 'requestMs'>) {
  const patient = new WeakSet<Socket>();
  return {
    /** Receives an upload of at most `bytesMax` bytes. Its connection is closed when its time is over. */
    async extended<T>({ socket }: IncomingMessage, bytesMax: number, receive: () => Promise<T>): Promise<T> {
      if (bytesMax <= limits.uploadBytesMax) return await receive();
      const ms = requestMs * (bytesMax / limits.uploadBytesMax);
      const timer = startTimer(ms, () => socket.destroy());
      patient.add(socket);
      try {
        return await receive();
      } finally {
        timer.stop();
        patient.delete(socket);
      }
    },

    /** Handles the errors of connections, but not the time limit of Node where the request has more time than that. */
    unlessExtended:
      (handle: (error: NodeJS.ErrnoException, socket: Socket) => void) =>
      (error: NodeJS.ErrnoException, socket: Socket): void => {
        if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !patient.has(socket)) handle(error, socket);
      },
  };
}
