import { type Comment, type CommentsHost, html, intend, nothing, type TemplateResult } from '../shared.ts';

/** The options of a poll, each with its part of all votes, and how many votes there are. */
export function poll(host: CommentsHost, comment: Comment): TemplateResult {
  const { t, language } = host;
  const { options } = comment;
  const { user } = host.server.session;
  // Visitors cannot vote.
  const isVoting = user !== undefined && user.way === undefined && host.reading.isWritable();
  const votes = options.reduce((sum, each) => sum + each.vote_count, 0);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  return html`<div class="poll" part="poll">
    <ul role="list" aria-label=${t('poll')}>
      ${options.map((option) => {
        const { has_voted: isOwn, vote_count: count } = option;
        const share = votes === 0 ? 0 : count / votes;
        const tick = isOwn
          ? html`<span role="img" aria-label=${t('yourVote')} title=${t('yourVote')}>✓</span> `
          : nothing;
        const shown = html`<i .style=${`inline-size:${share * 100}%`}></i><span><span dir="auto">${option.text}</span></span
          ><span class="quiet">${tick}${percent.format(share)} · ${t('votes', { count })}</span>`;
        return html`<li ?data-own=${isOwn}>${
          isVoting
            ? html`<button type="button" part="button" aria-pressed=${isOwn} @click=${() => intend(host, 'vote', comment, option.id)}>${shown}</button>`
            : html`<div>${shown}</div>`
        }</li>`;
      })}
    </ul>
    <p class="quiet">${t('votes', { count: votes })}</p>
  </div>`;
}
