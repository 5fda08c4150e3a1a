import type { Db } from '../../db/db.ts';
import { html } from '../../http/pages/html.ts';
import { pageAnswer } from '../../http/pages/page.ts';
import type { Answer, Http } from '../../http/server.ts';
import type { Clock } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/problem.ts';
import { findUser } from '../access/user-access.ts';
import { chooseMail, type MailChoice } from './mail.ts';
import type { MailLinks } from './mail-links.ts';

/** The address in each message, signed for one user. */
const path = '/mail/:user/:signature';

/**
 * Binds the page at which a user stops or limits mail without signing in. Opening it changes nothing, because programs
 * open every address of a message; a mail program stops all mail with one POST to it (RFC 8058).
 */
export function bindMailPages(
  http: Http,
  { db, clock, links }: { db: Db; clock: Clock; links: MailLinks },
): void {
  async function choose(params: { readonly [name: string]: string }, choice: MailChoice): Promise<Answer> {
    const id = links.userOf(params['user'] ?? '', params['signature'] ?? '');
    await db.write(async (tx) => {
      const user = await findUser(tx, { id });
      if (user === undefined) throw notFound('page');
      await chooseMail({ tx, at: clock.now() }, user, choice);
    });
    const words =
      choice === 'none'
        ? 'No more mail is sent to you.'
        : 'From now on, only mentions, replies and private messages are sent to you.';
    return withForms(pageAnswer('Mail', html`<main><h1>Mail</h1><p role="status">${words}</p></main>`));
  }

  http.page(path, async ({ user = '', signature = '' }) => {
    links.userOf(user, signature);
    const self = `/mail/${user}/${encodeURIComponent(signature)}`;
    return withForms(
      pageAnswer(
        'Mail',
        html`<main><h1>Mail</h1><p>You are sent what you have not read.</p>
<form method="post" action="${self}/direct"><button>Only mentions, replies and private messages</button></form>
<form method="post" action="${self}"><button>Nothing at all</button></form></main>`,
      ),
    );
  });
  http.page(path, (params) => choose(params, 'none'), 'POST');
  http.page(`${path}/direct`, (params) => choose(params, 'direct'), 'POST');
}

/** The page may post its forms to this server, and nobody keeps it, because its address is a credential. */
function withForms({ status, headers, body }: ReturnType<typeof pageAnswer>): Answer {
  const policy = String(headers?.['content-security-policy']).replace(
    "form-action 'none'",
    "form-action 'self'",
  );
  return {
    status,
    body,
    headers: { ...headers, 'content-security-policy': policy, 'cache-control': 'no-store' },
  };
}
