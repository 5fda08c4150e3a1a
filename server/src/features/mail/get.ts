import { mailOperations } from 'confab-contract/mail.ts';
import { handler } from '../../binding/handler.ts';
import { renderMail } from './mail.ts';

/** Gets the mail settings of the caller. */
export const getMail = handler(
  mailOperations.getMail,
  async ({ read, caller }) => await renderMail(read, caller.user),
);
