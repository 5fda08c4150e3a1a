import { addEnglish, type CommentsHost, html, sheetOf } from '../shared.ts';
import { presenceEnglish } from '../texts/presence-english.ts';
import style from './presence.css';

/**
 * How many people have the comments on the screen, loaded where the server says it. No screen reader announces it, because it
 * changes while somebody reads.
 */

addEnglish(presenceEnglish);

const sheet = sheetOf(style);

/** Shows in a host how many people are here, as a message of the server says; nothing where that is the reader alone. */
export function hearPresence(host: CommentsHost, message: string): void {
  const sheets = host.shadowRoot?.adoptedStyleSheets;
  if (sheets?.includes(sheet) === false) sheets.push(sheet);
  const { count } = JSON.parse(message.slice(message.indexOf('{')));
  const draw = () => {
    const sentence = host.t('present', { count });
    const number = new Intl.NumberFormat(host.language).format(count);
    return html`<p class="presence" part="presence" title=${sentence}>
      <span class="sentence">${sentence}</span><span class="number" role="img" aria-label=${sentence}>${number}</span>
    </p>`;
  };
  host.presence = count < 2 ? undefined : draw;
  void host.redraw();
}
