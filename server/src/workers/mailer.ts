import type { Mailer } from '../features/mail/mailer.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** Starts the loop that sends mail. Stopping it ends after the message that is being sent. */
export function startMailer({ mailer, log }: { mailer: Mailer; log: Log }): Loop {
  const loop = startLoop({ name: 'mailer', log, step: mailer.step });
  return {
    nudge: loop.nudge,
    async stop() {
      await loop.stop();
      await mailer.release();
    },
  };
}
