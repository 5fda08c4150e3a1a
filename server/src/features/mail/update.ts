import { mailOperations } from 'confab-contract/mail.ts';
import { handler } from '../../binding/handler.ts';
import { changeMail, renderMail } from './mail.ts';

/** Changes what the caller is sent by mail. */
export const updateMail = handler(mailOperations.updateMail, async (call) => {
  const { tx, caller, body } = call;
  const { mail, new_comments: newComments } = body;
  await changeMail(call, caller.user, { mail: mail ?? undefined, newComments: newComments ?? undefined });
  return await renderMail(tx, caller.user);
});
