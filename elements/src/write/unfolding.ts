import {
  addEnglish,
  type Comment,
  type CommentsHost,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
  wholeTime,
} from '../shared.ts';
import { unfoldingEnglish } from '../texts/unfolding-english.ts';
import style from './unfolding.css';
import { changes } from './versions.ts';
import type { Writing } from './writing.ts';

/** What few writers unfold below a comment: the form of a report, and earlier versions. */

addEnglish(unfoldingEnglish);
/** How both look. */
export const sheet = sheetOf(style);

type Drawn = TemplateResult | typeof nothing;
type Revision = { readonly id: number; readonly text?: string; readonly created_at: string };

const reasons = {
  spam: 'reasonSpam',
  abuse: 'reasonAbuse',
  illegal: 'reasonIllegal',
  off_topic: 'reasonOffTopic',
  other: 'reasonOther',
} as const;

/** How many earlier versions are shown. */
const versionsMax = 20;
const revisions = new WeakMap<Comment, readonly Revision[]>();

/** The form that reports a comment. */
export function report(of: Writing, comment: Comment): TemplateResult {
  const { host } = of;
  const { t } = host;
  const close = () => {
    of.unfolded.delete(comment.id);
    void of.focus(`#comment-${comment.id} [data-act=more]`);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = String(form.get('text') ?? '').trim();
    if (!(await of.isSignedIn())) return;
    const body = { reason: form.get('reason'), ...(text === '' ? {} : { text }) };
    if (!(await of.call(`/api/comments/${comment.id}/reports`, body))) return;
    host.announce(t('reportSent'), { isShown: true });
    close();
  };
  return html`<form class="below-form" @submit=${send}>
    <fieldset class="report" part="report">
      <legend>${t('reportReason')}</legend>
      ${Object.entries(reasons).map(
        ([reason, key], at) =>
          html`<label><input type="radio" name="reason" value=${reason} required ?checked=${at === 0}> ${t(key)}</label>`,
      )}
      <textarea name="text" part="textarea" rows="2" maxlength="1000" dir="auto" aria-label=${t('reportText')} placeholder=${t('reportText')}></textarea>
      <div class="row">
        <button class="primary" part="button send" type="submit">${t('report')}</button>
        <button part="button" type="button" @click=${close}>${t('cancel')}</button>
      </div>
    </fieldset>
  </form>`;
}

/** The earlier versions of a comment, with what each has changed. */
export function versions(of: Writing, comment: Comment): Drawn {
  const { host } = of;
  const { t, language } = host;
  const known = revisions.get(comment);
  if (known === undefined) {
    void readVersions(host, comment);
    return nothing;
  }
  const texts = [comment.text ?? '', ...known.map(({ text = '' }) => text)];
  return html`<section class="versions below-form" part="versions" aria-label=${t('versions')}>
    ${known.length === 0 ? html`<p class="quiet">${t('noVersions')}</p>` : nothing}
    ${known.map(({ created_at: at }, index) => {
      const until = index === 0 ? comment.modified_at : known[index - 1]?.created_at;
      return html`<div>
        <span class="quiet">${t('versionOf', { time: wholeTime(until ?? at, language) })}</span>
        <p dir="auto">${changes(texts[index + 1] ?? '', texts[index] ?? '').map(({ kind, text }) =>
          kind === 'kept' ? text : kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`,
        )}</p>
      </div>`;
    })}
  </section>`;
}

async function readVersions(host: CommentsHost, comment: Comment): Promise<void> {
  const path = `/api/comments/${comment.id}/revisions?order_by=id+desc&top=${versionsMax}`;
  const answer = await host.server.api.call<{ data: Revision[] }>(path);
  if (!answer.ok) return host.announce(answer.message || host.t('noAnswer'));
  revisions.set(comment, answer.body.data);
  host.redrawAll();
}
