import { html, nothing, type TemplateResult } from 'lit/html.js';
import { BaseElement } from '../base.ts';
import type { Comment } from '../thread/comment.ts';
import { countBelow, type Place } from '../thread/places.ts';
import { type Arranging, arrange } from './arrange.ts';
import { avatar } from './avatar.ts';
import { content } from './content.ts';
import type { CommentsHost } from './host.ts';
import { intend, intents } from './intent.ts';
import { relativeTime, wholeTime } from './time.ts';

/**
 * `<confab-comment>`: one comment with its answers, inside of `<confab-comments>`. It draws into itself, so that the style
 * of the comments holds for it, and only again when something in it or below it has changed.
 */
export class ConfabComment extends BaseElement {
  static override properties = ['host', 'place', 'now', 'drawing', 'isCollapsed'];

  declare host: CommentsHost;
  declare place: Place;
  /** The time by which times are relative, in milliseconds since 1970. */
  declare now: number;
  /** Another number draws the comment again: extensions or texts have changed. */
  declare drawing: number;
  /** Whether its answers are folded away. */
  declare isCollapsed: boolean | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.place.depth === 0) this.host.observe(this);
  }

  protected override draw(): TemplateResult {
    const { comment, depth } = this.place;
    const { t, extensions } = this.host;
    const name = comment.created_by?.display_name ?? t('unknown');
    const label = comment.is_trashed ? t('removed') : t(depth === 0 ? 'commentBy' : 'answerBy', { name });
    return html`<article
        id=${`comment-${comment.id}`}
        class="comment"
        part=${`comment ${depth === 0 ? '' : 'answer'}`}
        tabindex="-1"
        aria-label=${label}
      >
        ${comment.is_trashed ? html`<p class="quiet removed">${t('removed')}</p>${this.#fold()}` : this.#whole(name)}
      </article>
      ${extensions.map((each) => each.form?.(this.host, comment) ?? nothing)}
      ${hasAnswers(this.place) ? this.#answers() : nothing}`;
  }

  #whole(name: string): TemplateResult {
    const { host, place } = this;
    const { comment } = place;
    const { t, language } = host;
    const { created_at: at, modified_at: editedAt } = comment;
    const edited = editedAt && t('editedAt', { time: wholeTime(editedAt, language) });
    const body = host.extensions.reduce<TemplateResult | undefined>(
      (found, each) => found ?? each.body?.(host, comment),
      undefined,
    );
    return html`${avatar(comment.created_by)}
      <header class="head">
        <strong class="name" part="name" dir="auto" .textContent=${name}></strong>
        ${this.#mark(comment)}
        <a class="quiet time" part="time" href=${`#comment-${comment.id}`}
          ><time datetime=${at} title=${wholeTime(at, language)} .textContent=${relativeTime(at, this.now, language) ?? t('justNow')}></time></a
        >
        ${edited ? html`<span class="quiet" title=${edited} .textContent=${t('edited')}></span>` : nothing}
        ${this.#answered()}
      </header>
      <div class="body">
        ${comment.is_held ? html`<p class="notice" part="notice">${t('held')}</p>` : nothing}
        ${body ?? content(host, comment)}
      </div>
      <footer class="foot">
        ${body === undefined ? this.#actions(comment) : nothing}
        ${this.#fold()}
      </footer>`;
  }

  /** What can be done with a comment, while nothing is done with it. */
  #actions(comment: Comment): TemplateResult {
    const { host } = this;
    return html`${this.#reactions(comment)}
      ${intents(host, comment)}
      ${host.extensions.map((each) => each.actions?.(host, comment) ?? nothing)}`;
  }

  /** What readers should know of an author, and before that whether a program wrote under their name. */
  #mark({ created_by: author, via }: Comment): TemplateResult | typeof nothing {
    const { t } = this.host;
    const mark = (['moderator', 'guest', 'bot'] as const).find((each) =>
      via ? each === 'bot' : author?.[`is_${each}`],
    );
    return mark === undefined ? nothing : html`<span class=${`mark ${mark}`} part="mark">${t(mark)}</span>`;
  }

  /** Whom it answers, where its place does not show that. */
  #answered(): TemplateResult | typeof nothing {
    const { created_by: author, id } = this.place.answered ?? {};
    return author === undefined
      ? nothing
      : html`<a class="quiet" href=${`#comment-${id}`}>${this.host.t('answersTo', { name: author.display_name })}</a>`;
  }

  #reactions(comment: Comment): TemplateResult | typeof nothing {
    const { reactions } = comment;
    // Users get one of each person, visitors one of each emoji.
    const counts = new Map(reactions.map(({ content: emoji, count }) => [emoji, count]));
    if (counts.size === 0) return nothing;
    const { host } = this;
    const { t } = host;
    const own = ownReaction(host, comment);
    return html`<ul class="reactions" part="reactions" role="list" aria-label=${t('reactions')}>
      ${[...counts].map(
        ([emoji, count]) =>
          html`<li>
            <button part="reaction" type="button"
              title=${t('reacted', { emoji, count })}
              aria-pressed=${emoji === own}
              ?disabled=${!host.reading.isWritable()}
              @click=${() => intend(host, 'react', comment, emoji)}
            >
              ${emoji} ${count}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  /** The button that folds the answers away, and shows them again. */
  #fold(): TemplateResult | typeof nothing {
    const { host, place, isCollapsed } = this;
    if (!hasAnswers(place)) return nothing;
    const count = countBelow(place);
    return html`<button class="fold" part="button" type="button"
      aria-expanded=${isCollapsed !== true}
      aria-controls=${`answers-${place.comment.id}`}
      @click=${() => {
        this.isCollapsed = !isCollapsed;
      }}
    >
      ${count === undefined ? host.t('someAnswers') : host.t('answers', { count })}
    </button>`;
  }

  #answers(): TemplateResult {
    const { host, place, isCollapsed } = this;
    const { comment, rest } = place;
    return html`<div class="below" id=${`answers-${comment.id}`} ?hidden=${isCollapsed === true}>
      <ol class="answers" part="answers" role="list"></ol>
      ${
        rest === undefined
          ? nothing
          : html`<button class="rest" part="button" type="button" @click=${this.#readMore}>
            ${host.t(rest.isNew ? 'newAnswers' : 'moreAnswers', { count: rest.count })}
          </button>`
      }
    </div>`;
  }

  protected override drawn(): void {
    const list = this.querySelector(':scope > .below > .answers');
    if (list !== null) arrange(list, this.place.answers, this.#items);
  }

  readonly #items: Arranging<Place> = {
    key: (place) => place.comment.id,
    make: () => document.createElement('confab-comment'),
    update: (element, place) => {
      const { host, now, drawing } = this;
      Object.assign(element, { host, place, now, drawing });
    },
  };

  async #readMore(): Promise<void> {
    const { host, place } = this;
    const failure = await host.reading.answers(place.comment.id);
    if (failure !== undefined) host.explain(failure);
  }
}

const hasAnswers = ({ answers, rest }: Place) => (answers[0] ?? rest) !== undefined;

/** The emoji with which the person who is signed in has reacted to a comment. */
function ownReaction({ server }: CommentsHost, { reactions }: Comment): string | undefined {
  const id = server.session.user?.id;
  return reactions.find((each) => each.is_own || (id !== undefined && each.created_by_id === id))?.content;
}
