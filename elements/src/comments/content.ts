import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Comment } from '../thread/comment.ts';
import type { CommentsHost } from './host.ts';
import { intend } from './intent.ts';
import { serverHtml } from './server-html.ts';

type Drawn = TemplateResult | typeof nothing;

/** The text of a comment with what belongs to it: attachments, the preview of a link, a poll. */
export function content(host: CommentsHost, comment: Comment): Drawn {
  if (comment.html === undefined) return rest(host, comment);
  return html`<div class="text" part="text" dir="auto" .innerHTML=${serverHtml(comment)}></div>
    ${rest(host, comment)}`;
}

function rest(host: CommentsHost, comment: Comment): TemplateResult {
  const { t, server, reading } = host;
  const { attachments, embed, options } = comment;
  const { user } = server.session;
  // Visitors cannot vote.
  const isVoting = user !== undefined && user.way === undefined && reading.isWritable();
  return html`${attachments.length === 0 ? nothing : attached(attachments, t('attachments'))}
  ${embed === undefined ? nothing : preview(embed)}
  ${
    options.length === 0
      ? nothing
      : html`<ul class="poll" part="poll" role="list" aria-label=${t('poll')}>
        ${options.map((option) => {
          const votes = options.reduce((sum, each) => sum + each.vote_count, 0);
          return html`<li ?data-own=${option.has_voted}>
            ${
              isVoting
                ? html`<button type="button" part="button" dir="auto" aria-pressed=${option.has_voted} @click=${() => intend(host, 'vote', comment, option.id)}>
                  ${option.text}
                </button>`
                : html`<span dir="auto">${option.text}</span>`
            }
            <progress max=${votes || 1} value=${option.vote_count} aria-hidden="true"></progress>
            <span class="quiet">${t('votes', { count: option.vote_count })}</span>
          </li>`;
        })}
      </ul>`
  }`;
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
