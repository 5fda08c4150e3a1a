import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** Starts the loop that sends the mails with which visitors sign in. Stopping it ends after the mail that is being sent. */
export function startSignInMailer({
  mailer,
  log,
}: {
  readonly mailer: { readonly step: (signal: AbortSignal) => Promise<number> };
  readonly log: Log;
}): Loop {
  return startLoop({ name: 'sign-in mailer', log, step: mailer.step });
}
