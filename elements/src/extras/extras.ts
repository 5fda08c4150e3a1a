import {
  addEnglish,
  BaseElement,
  type Comment,
  type CommentsHost,
  define,
  html,
  intend,
  nothing,
  sheetOf,
  type TemplateResult,
} from '../shared.ts';
import { extrasEnglish } from '../texts/extras-english.ts';
import style from './extras.css';

/** What few comments have besides their text: attachments, the preview of a link, a poll. */

addEnglish(extrasEnglish);
const sheet = sheetOf(style);

type Drawn = TemplateResult | typeof nothing;

/** `<confab-extras>`: draws into itself, so that the style of the comments holds for it. */
class ConfabExtras extends BaseElement {
  static override properties = ['host', 'comment', 't'];

  declare host: CommentsHost;
  declare comment: Comment;
  /** Its texts; others draw it again. */
  declare t: CommentsHost['t'];

  override connectedCallback(): void {
    const root = this.host.shadowRoot;
    if (root !== null && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    super.connectedCallback();
  }

  protected override draw(): TemplateResult {
    const { t, comment } = this;
    const { attachments, embed, options } = comment;
    return html`${attachments.length === 0 ? nothing : attached(attachments, t('attachments'))}
      ${embed === undefined ? nothing : preview(embed)} ${options.length === 0 ? nothing : this.#poll()}`;
  }

  #poll(): TemplateResult {
    const { host, comment, t } = this;
    const { options } = comment;
    const { user } = host.server.session;
    // Visitors cannot vote.
    const isVoting = user !== undefined && user.way === undefined && host.reading.isWritable();
    const votes = options.reduce((sum, each) => sum + each.vote_count, 0);
    return html`<ul class="poll" part="poll" role="list" aria-label=${t('poll')}>
      ${options.map(
        (option) =>
          html`<li ?data-own=${option.has_voted}>
            ${
              isVoting
                ? html`<button type="button" part="button" dir="auto" aria-pressed=${option.has_voted} @click=${() => intend(host, 'vote', comment, option.id)}>
                  ${option.text}
                </button>`
                : html`<span dir="auto">${option.text}</span>`
            }
            <progress max=${votes || 1} value=${option.vote_count} aria-hidden="true"></progress>
            <span class="quiet">${t('votes', { count: option.vote_count })}</span>
          </li>`,
      )}
    </ul>`;
  }
}

/** Pictures are shown at most as high, in pixels. */
const heightMax = 240;

/** The width of a picture that is shown no higher than that. Sizes that are known before it is there move nothing. */
function shownWidth(width: number, height: number): number {
  return Math.round(width * Math.min(1, heightMax / height));
}

function attached(attachments: Comment['attachments'], label: string): TemplateResult {
  return html`<ul class="attachments" part="attachments" role="list" aria-label=${label}>
    ${attachments.map((file) => {
      const { width, height, thumbnail_url: picture, name } = file;
      const address = safeAddress(file.preview_url ?? file.download_url ?? file.external_url);
      const shown =
        picture !== undefined && width !== undefined && height !== undefined
          ? html`<img src=${picture} alt=${name} width=${shownWidth(width, height)} height=${Math.min(height, heightMax)} loading="lazy">`
          : html`<span dir="auto">${name}</span>`;
      return html`<li>
        ${address === undefined ? shown : html`<a href=${address} target="_blank" rel="noopener noreferrer">${shown}</a>`}
      </li>`;
    })}
  </ul>`;
}

function preview(embed: NonNullable<Comment['embed']>): Drawn {
  const address = safeAddress(embed.original_url);
  if (address === undefined) return nothing;
  return html`<a class="preview" part="preview" href=${address} target="_blank" rel="nofollow ugc noopener noreferrer">
    <strong dir="auto">${embed.title ?? embed.host}</strong>
    ${embed.description === undefined ? nothing : html`<span class="quiet" dir="auto">${embed.description}</span>`}
    <span class="quiet">${embed.host}</span>
  </a>`;
}

/** An address of the web; undefined for any other, which could run a script. */
function safeAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address) ? address : undefined;
}

define('confab-extras', ConfabExtras);
