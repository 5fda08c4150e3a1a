import { mailOperations } from 'confab-contract/mail.ts';
import { handler } from '../../binding/handler.ts';
import { renderMail, setMailChoice } from './mail.ts';

/** Changes what the caller is sent by mail. */
export const updateMail = handler(mailOperations.updateMail, async (call) => {
  const { tx, caller, body } = call;
  if (typeof body.mail === 'string') await setMailChoice(call, caller.user, body.mail);
  return await renderMail(tx, caller.user);
});
