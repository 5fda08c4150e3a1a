import { html, type Markup } from '../../http/pages/html.ts';
import { privatePage } from '../../http/pages/private-page.ts';
import type { Http } from '../../http/server.ts';
import type { MailChange } from './mail.ts';
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
    const newComments = await links.newComments(link);
    const self = `/mail/${link.user}/${encodeURIComponent(link.signature)}`;
    return privatePage(
      'Mail',
      html`<p>You are sent what you have not read.</p>
${newComments === undefined ? '' : newCommentsForm(self, newComments)}
<form method="post" action="${self}/direct"><button>Only mentions, replies and private messages</button></form>
<form method="post" action="${self}"><button>Nothing at all</button></form>`,
    );
  });
  for (const [end, change, words] of choices)
    http.page(
      path + end,
      async (params) => {
        await links.choose(linkOf(params), change);
        return privatePage('Mail', html`<p role="status">${words}</p>`);
      },
      'POST',
    );
}

/** What each address below that of the page stores, and what it answers. */
const choices: readonly (readonly [end: string, change: MailChange, words: string])[] = [
  ['', { mail: 'none' }, 'No more mail is sent to you.'],
  [
    '/direct',
    { mail: 'direct', newComments: false },
    'From now on, only mentions, replies and private messages are sent to you.',
  ],
  [
    '/new-comments',
    { newComments: true },
    'From now on, each new comment where you moderate is sent to you.',
  ],
  ['/no-new-comments', { newComments: false }, 'New comments are no longer sent to you.'],
];

function newCommentsForm(self: string, isSent: boolean): Markup {
  return isSent
    ? html`<p>Each new comment where you moderate is sent to you as well.</p>
<form method="post" action="${self}/no-new-comments"><button>Do not send me each new comment</button></form>`
    : html`<form method="post" action="${self}/new-comments"><button>Send me each new comment where I moderate</button></form>`;
}
