import {
  addEnglish,
  BaseElement,
  type Comment,
  type CommentsHost,
  define,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
} from '../shared.ts';
import { extrasEnglish } from '../texts/extras-english.ts';
import { attached, safeAddress } from './attachments.ts';
import style from './extras.css';
import { cut } from './long.ts';
import { poll } from './poll.ts';

/** What few comments have besides a short text: attachments, the preview of a link, a poll, and more text than fits. */

addEnglish(extrasEnglish);
const sheet = sheetOf(style);

/** `<confab-extras>`: draws into itself, so that the style of the comments holds for it. It follows the text of the comment. */
class ConfabExtras extends BaseElement {
  static override properties = ['host', 'comment', 't', 'isLong', 'isWhole'];

  declare host: CommentsHost;
  declare comment: Comment;
  /** Its texts; others draw it again. */
  declare t: CommentsHost['t'];
  /** Whether the text is longer than what is shown of it at first. */
  declare isLong: boolean | undefined;
  /** Whether somebody has asked for all of it. */
  declare isWhole: boolean | undefined;

  override connectedCallback(): void {
    const root = this.host.shadowRoot;
    if (root !== null && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    super.connectedCallback();
  }

  protected override draw(): TemplateResult {
    const { host, t, comment, isLong, isWhole } = this;
    const { attachments, embed, options } = comment;
    const whole = () => {
      this.isWhole = !isWhole;
    };
    return html`${
      isLong === true
        ? html`<button class="act" part="button" type="button" aria-expanded=${isWhole === true} @click=${whole}>${t(isWhole ? 'showLess' : 'showMore')}</button>`
        : nothing
    }
      ${attachments.length === 0 ? nothing : attached(host, attachments)}
      ${embed === undefined ? nothing : preview(embed)} ${options.length === 0 ? nothing : poll(host, comment)}`;
  }

  protected override drawn(): void {
    cut(this);
  }
}

function preview(embed: NonNullable<Comment['embed']>): TemplateResult | typeof nothing {
  const address = safeAddress(embed.original_url);
  if (address === undefined) return nothing;
  return html`<a class="preview" part="preview" href=${address} target="_blank" rel="nofollow ugc noopener noreferrer">
    <strong dir="auto">${embed.title ?? embed.host}</strong>
    ${embed.description === undefined ? nothing : html`<span class="quiet" dir="auto">${embed.description}</span>`}
    <span class="quiet">${embed.host}</span>
  </a>`;
}

define('confab-extras', ConfabExtras);
