import { html, type Markup } from '../../http/pages/html.ts';
import { privatePage } from '../../http/pages/private-page.ts';
import type { Http } from '../../http/server.ts';
import type { Decision, DecisionLink, DecisionLinks, Waiting } from './decision-links.ts';

const path = '/decide/:user/:report/:held/:until/:signature';

type Params = { readonly [name: string]: string };

function linkOf({ user = '', report = '', held = '', until = '', signature = '' }: Params): DecisionLink {
  return { user, report, held, until, signature };
}

/**
 * Binds the pages at which moderators decide about what is held. Opening one changes nothing, because programs open every
 * address of a message; its button decides.
 */
export function bindDecisionPages(http: Http, links: DecisionLinks): void {
  for (const decision of ['approve', 'refuse'] as const) {
    http.page(`${path}/${decision}`, async (params) => {
      const waiting = await links.look(linkOf(params));
      return privatePage(
        'Approval',
        waiting.state === 'waiting' ? question(waiting, decision) : tooLate(waiting),
      );
    });
    http.page(
      `${path}/${decision}`,
      async (params) => {
        const waiting = await links.decide(linkOf(params), decision);
        return privatePage('Approval', waiting.state === 'waiting' ? done(decision) : tooLate(waiting));
      },
      'POST',
    );
  }
}

/** The form sends itself to the address of its page, or to that of the other decision. */
function question({ report }: Extract<Waiting, { state: 'waiting' }>, decision: Decision): Markup {
  const { text = '', name = '' } = JSON.parse(report.snapshot ?? '{}') as { text?: string; name?: string };
  const place = report.appName ?? report.appUid;
  const [chosen, other] =
    decision === 'approve' ? (['Approve', 'Refuse'] as const) : (['Refuse', 'Approve'] as const);
  return html`<p>A ${report.entityType} waits for approval in ${place}:</p>
<blockquote dir="auto">${text === '' ? name : text}</blockquote>
<form method="post"><button>${chosen}</button></form>
<p><a href="${other.toLowerCase()}">${other} it instead</a></p>`;
}

function done(decision: Decision): Markup {
  return decision === 'approve'
    ? html`<p role="status">Approved. Others can see it.</p>`
    : html`<p role="status">Refused. It is in the trash, from which a moderator can restore it.</p>`;
}

function tooLate({ state }: Waiting): Markup {
  return state === 'expired'
    ? html`<p role="status">This link has expired. Decide in the list of what waits.</p>`
    : html`<p role="status">Nothing waits here: a moderator has decided, or it has changed.</p>`;
}
