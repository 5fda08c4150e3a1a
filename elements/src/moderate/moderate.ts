import {
  BaseElement,
  type Comment,
  type CommentsHost,
  define,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
} from '../shared.ts';
import { createDesk, type Decided, type Decision, type Desk, type Report } from './desk.ts';
import style from './moderate.css';

/**
 * Moderating in place, loaded for those alone who may: buttons below each comment, and above the list what waits for a
 * decision.
 */

const sheet = sheetOf(style);
/** The desks by host, app and person: a person who signs in again gets theirs again. */
const desks = new WeakMap<CommentsHost, Set<string>>();

const reasons = {
  spam: 'spam',
  abuse: 'abuse',
  illegal: 'illegal',
  off_topic: 'offTopic',
  other: 'otherReason',
  rule: 'rule',
} as const;

/**
 * Lets whoever is signed in moderate the app that a host shows, and where they moderate everything decide about authors as
 * well. They must have the right to.
 */
export function moderate(host: CommentsHost, decidesOnPeople: boolean): void {
  const keyNow = () => `${host.server.url} ${host.app} ${host.server.session.user?.id}`;
  const key = keyNow();
  const known = desks.get(host) ?? new Set();
  if (known.has(key)) return;
  desks.set(host, known.add(key));
  const root = host.shadowRoot;
  if (root !== null && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);

  const changed = () => {
    for (const element of root?.querySelectorAll('confab-desk') ?? []) void (element as ConfabDesk).redraw();
  };
  const desk = createDesk(host, { decidesOnPeople, changed });
  const decides = (comment: Comment) =>
    keyNow() === key && comment.created_by?.id !== host.server.session.user?.id;
  host.extend({
    form: (_, comment) =>
      comment === undefined && keyNow() === key ? html`<confab-desk .desk=${desk}></confab-desk>` : nothing,
    actions: (_, comment) =>
      comment.is_held && decides(comment)
        ? html`${decision(desk, comment, 'approve')} ${decision(desk, comment, 'trash')}`
        : nothing,
    menu: (_, comment) =>
      decides(comment)
        ? html`${comment.is_held ? nothing : html`${decision(desk, comment, 'hold')} ${decision(desk, comment, 'trash')}`}
          ${aboutAuthor(desk, comment.created_by, comment.id)}`
        : nothing,
  });
}

/** The parts of a button. One that removes a comment or a person has the colour of danger. */
function partOf(decision: Decision | 'trust' | 'ban'): string {
  return decision === 'trash' || decision === 'ban' ? 'button danger' : 'button';
}

/** The button with which a moderator decides about a comment. */
function decision(desk: Desk, comment: Comment, name: Decision): TemplateResult {
  const { host } = desk;
  const author = comment.created_by?.display_name ?? host.t('unknown');
  return html`<button
    part=${partOf(name)}
    type="button"
    aria-description=${host.t('commentBy', { name: author })}
    @click=${() => desk.decide(name, comment)}
  >
    ${host.t(name)}
  </button>`;
}

/** The buttons that decide about the author of a comment, for those who may. Other moderators are not decided about. */
function aboutAuthor(
  desk: Desk,
  author: (Decided & { readonly is_moderator?: boolean }) | undefined,
  id: number,
): TemplateResult | typeof nothing {
  const { host, decidesOnPeople } = desk;
  if (!decidesOnPeople || author === undefined || author.is_moderator) return nothing;
  return html`${(['trust', 'ban'] as const).map(
    (decision) =>
      html`<button
        part=${partOf(decision)}
        type="button"
        aria-description=${author.display_name}
        @click=${() => desk[decision](author, id)}
      >
        ${host.t(decision)}
      </button>`,
  )}`;
}

/** `<confab-desk>`: what waits for a decision, the lock of the comments, and what was done last with a way back. */
class ConfabDesk extends BaseElement {
  static override properties = ['desk'];

  declare desk: Desk;
  #end: (() => void) | undefined;
  #shownDone: Desk['done'];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#end = this.desk.watch();
  }

  disconnectedCallback(): void {
    this.#end?.();
  }

  protected override draw(): TemplateResult {
    const { desk } = this;
    const { t } = desk.host;
    return html`<div class="desk" part="desk">
        <button part="button" type="button" aria-expanded=${desk.isOpen} aria-controls="review" @click=${desk.toggle}>
          ${desk.count === 0 ? t('review') : t('toReview', { count: desk.count })}
        </button>
        <button part="button" type="button" @click=${() => desk.lock(!desk.isLocked)}>
          ${t(desk.isLocked ? 'unlock' : 'lock')}
        </button>
      </div>
      ${desk.isLocked ? html`<p class="notice" part="notice">${t('locked')}</p>` : nothing}
      <section class="review" id="review" part="review" aria-label=${t('review')} ?hidden=${!desk.isOpen}>
        ${
          desk.reports.length === 0
            ? html`<p class="quiet">${t('nothingToReview')}</p>`
            : html`<ul role="list">${desk.reports.map((report) => this.report(report))}</ul>`
        }
      </section>
      ${desk.done === undefined ? nothing : this.done(desk.done)}`;
  }

  protected override drawn(): void {
    const { done } = this.desk;
    // What was pressed is gone with the comment: the focus is on the way back.
    if (done !== undefined && done !== this.#shownDone)
      this.root.querySelector<HTMLElement>('.done button')?.focus({ preventScroll: true });
    this.#shownDone = done;
  }

  private report(report: Report): TemplateResult {
    const { desk } = this;
    const { t } = desk.host;
    const { entity, author, snapshot, held, report_count: count, texts } = report;
    const name = author?.display_name ?? t('unknown');
    const given = report.reasons.map(({ reason }) =>
      t(reasons[reason as keyof typeof reasons] ?? 'otherReason'),
    );
    const list = new Intl.ListFormat(desk.host.language, { type: 'unit' }).format(given);
    const button = (decision: Decision) =>
      html`<button part="button" type="button" @click=${() => desk.resolve(decision, report)}>${t(decision)}</button>`;
    return html`<li aria-label=${t('commentBy', { name })}>
      <strong class="name" dir="auto">${name}</strong>
      <span class="quiet"
        >${held === undefined ? t('reportedBy', { count, reasons: list }) : t('waitsForApproval')}</span
      >
      <p dir="auto">${snapshot?.text}</p>
      ${texts.map(({ text }) => html`<blockquote class="quiet" dir="auto">${text}</blockquote>`)}
      <div class="choices">
        ${held === undefined ? html`${button('keep')} ${button('hold')}` : button('approve')} ${button('trash')}
        ${aboutAuthor(desk, author, entity.id)}
        <button class="plain" part="button" type="button" @click=${() => desk.show(entity.id)}>
          ${t('showComment')}
        </button>
      </div>
    </li>`;
  }

  private done({ text, back }: NonNullable<Desk['done']>): TemplateResult {
    const { desk } = this;
    const { t } = desk.host;
    return html`<div class="done" part="done" role="group" aria-label=${text}>
      <span>${text}</span>
      ${back === undefined ? nothing : html`<button part="button" type="button" @click=${desk.undo}>${t('undo')}</button>`}
      <button part="button" type="button" @click=${desk.dismiss}>${t('dismiss')}</button>
    </div>`;
  }
}

define('confab-desk', ConfabDesk);
