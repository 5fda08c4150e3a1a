import { html, type Markup } from '../../http/pages/html.ts';
import { privatePage } from '../../http/pages/private-page.ts';
import type { Http } from '../../http/server.ts';
import type { Removable, Removal, RemovalLink, RemovalLinks } from './removal-links.ts';

const path = '/decide/:user/:comment/:until/:signature';

type Params = { readonly [name: string]: string };

function linkOf({ user = '', comment = '', until = '', signature = '' }: Params): RemovalLink {
  return { user, comment, until, signature };
}

const words = {
  hold: {
    title: 'Hide a comment',
    button: 'Hide',
    effect: 'Hidden, it waits for a decision of a moderator.',
    done: 'Hidden. It waits for a decision of a moderator.',
  },
  trash: {
    title: 'Remove a comment',
    button: 'Remove',
    effect: 'A moderator can restore it from the trash.',
    done: 'Removed. It is in the trash, from which a moderator can restore it.',
  },
} as const;

/**
 * Binds the pages at which moderators hide or remove a new comment. Opening one changes nothing, because programs open every
 * address of a message; its button does it.
 */
export function bindRemovalPages(http: Http, links: RemovalLinks): void {
  for (const removal of ['hold', 'trash'] as const) {
    const { title, done } = words[removal];
    http.page(`${path}/${removal}`, async (params) => {
      const found = await links.look(linkOf(params));
      return privatePage(title, found.state === 'shown' ? question(found, removal) : tooLate(found));
    });
    http.page(
      `${path}/${removal}`,
      async (params) => {
        const found = await links.remove(linkOf(params), removal);
        const answer = found.state === 'shown' ? html`<p role="status">${done}</p>` : tooLate(found);
        return privatePage(title, answer);
      },
      'POST',
    );
  }
}

/** The form sends itself to the address of its page, or the reader goes to that of the other. */
function question({ place, text }: Extract<Removable, { state: 'shown' }>, removal: Removal): Markup {
  const other = removal === 'hold' ? 'trash' : 'hold';
  return html`<p>A comment in ${place}:</p>
<blockquote dir="auto">${text}</blockquote>
<p>${words[removal].effect}</p>
<form method="post"><button>${words[removal].button}</button></form>
<p><a href="${other}">${words[other].button} it instead</a></p>`;
}

function tooLate({ state }: Removable): Markup {
  return state === 'expired'
    ? html`<p role="status">This link has expired.</p>`
    : html`<p role="status">This comment is not shown any more: it was hidden or removed.</p>`;
}
