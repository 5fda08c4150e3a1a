import type { Answer } from '../../http/answers/answer.ts';
import { html } from '../../http/pages/html.ts';
import { pageAnswer } from '../../http/pages/page.ts';
import type { Http } from '../../http/server.ts';
import type { MailLink, MailLinks } from './mail-links.ts';

/** The address in each message, signed for one user. */
const path = '/mail/:user/:signature';

function linkOf({ user = '', signature = '' }: { readonly [name: string]: string }): MailLink {
  return { user, signature };
}

/**
 * Binds the page at which a user stops or limits mail without signing in. Opening it changes nothing, because programs
 * open every address of a message; a mail program stops all mail with one POST to it (RFC 8058).
 */
export function bindMailPages(http: Http, links: MailLinks): void {
  http.page(path, async (params) => {
    const link = linkOf(params);
    links.verify(link);
    const self = `/mail/${link.user}/${encodeURIComponent(link.signature)}`;
    return pageWithForms(html`<p>You are sent what you have not read.</p>
<form method="post" action="${self}/direct"><button>Only mentions, replies and private messages</button></form>
<form method="post" action="${self}"><button>Nothing at all</button></form>`);
  });
  http.page(
    path,
    async (params) => {
      await links.choose(linkOf(params), 'none');
      return pageWithForms(html`<p role="status">No more mail is sent to you.</p>`);
    },
    'POST',
  );
  http.page(
    `${path}/direct`,
    async (params) => {
      await links.choose(linkOf(params), 'direct');
      return pageWithForms(
        html`<p role="status">From now on, only mentions, replies and private messages are sent to you.</p>`,
      );
    },
    'POST',
  );
}

/** A page that may post its forms to this server, and that nobody keeps, because its address is a credential. */
function pageWithForms(content: ReturnType<typeof html>): Answer {
  const { status, headers, body } = pageAnswer('Mail', html`<main><h1>Mail</h1>${content}</main>`);
  const policy = String(headers?.['content-security-policy']);
  return {
    status,
    body,
    headers: {
      ...headers,
      'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'"),
      'cache-control': 'no-store',
    },
  };
}
