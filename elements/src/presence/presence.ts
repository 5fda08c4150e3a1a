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
  const draw = () => html`<p class="presence" part="presence">${host.t('present', { count })}</p>`;
  host.presence = count < 2 ? undefined : draw;
  void host.redraw();
}
