import { handler } from '../../binding/handler.ts';
import { mailOperations } from '../../contract/mail.ts';
import { renderMail } from './mail.ts';

/** Gets the mail settings of the caller. */
export const getMail = handler(
  mailOperations.getMail,
  async ({ read, caller }) => await renderMail(read, caller.user),
);
