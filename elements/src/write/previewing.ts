import { addEnglish, type Comment, html, sheetOf } from '../shared.ts';
import { previewingEnglish } from '../texts/previewing-english.ts';
import type { Addition, Composer } from './composed.ts';
import style from './previewing.css';
import type { Writing } from './writing.ts';

/** Shows a preview of the first link of a comment while it is written: loaded with the first link. */

addEnglish(previewingEnglish);
const sheet = sheetOf(style);

type Embed = NonNullable<Comment['embed']> & { readonly id: number };

/** How long nobody types before the server is asked, in milliseconds. */
const pauseMs = 700;
/** How many addresses the server is asked for while a comment is written. */
const asksMax = 5;
/** The most characters of an address (`urlCharactersMax` in the contract). */
const charactersMax = 2048;

/** The first address of a text that could be shown. What ends a sentence is no part of it. */
function firstAddress(text: string, without: ReadonlySet<string>): string | undefined {
  for (const [found] of text.matchAll(/https?:\/\/[^\s<>()[\]"'`]+/gi)) {
    const address = found.replace(/[.,;:!?*_~]+$/, '');
    if (/:\/\/[^/]+\../.test(address) && address.length <= charactersMax && !without.has(address))
      return address;
  }
  return undefined;
}

/** The preview of a composer. */
export function add(composer: Composer, { host, adopt }: Writing): Addition {
  /** The addresses that show nothing. */
  const empty = new Set<string>();
  let shown: { readonly address: string; readonly embed: Embed } | undefined;
  let isRefused = false;
  let asks = 0;
  let asking: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  adopt(sheet);
  composer.field.addEventListener('input', look);

  /** The address whose preview the text should have. */
  const wanted = () => (isRefused || asks >= asksMax ? undefined : firstAddress(composer.field.value, empty));

  function look(): void {
    if (shown !== undefined && !composer.field.value.includes(shown.address)) shown = undefined;
    clearTimeout(timer);
    if (shown === undefined && asking === undefined && wanted() !== undefined)
      timer = setTimeout(() => void ask(), pauseMs);
    void composer.redraw();
  }

  async function ask(): Promise<void> {
    const address = wanted();
    if (address === undefined) return;
    asks += 1;
    asking = address;
    const request = { method: 'POST', body: { url: address } } as const;
    const answer = await host.server.api.call<Embed>('/api/embeds', request);
    asking = undefined;
    if (!answer.ok) empty.add(address);
    else if (!isRefused && composer.field.value.includes(address)) shown = { address, embed: answer.body };
    look();
  }

  function remove(): void {
    shown = undefined;
    isRefused = true;
    composer.field.focus();
    void composer.redraw();
  }

  return {
    use: look,

    draw() {
      const { t } = host;
      // Its place is there at once, so nothing moves later where there is a preview.
      if (shown === undefined)
        return asking === undefined && wanted() === undefined
          ? undefined
          : html`<div class="link" part="preview" role="group" aria-label=${t('linkPreviewLoading')}></div>`;
      const { title, description, host: site } = shown.embed;
      return html`<div class="link" part="preview" role="group" aria-label=${t('linkPreview')}>
        <strong dir="auto">${title ?? site}</strong>
        <span class="quiet" dir="auto">${description ?? ''}</span>
        <span class="quiet" dir="auto">${site}</span>
        <button type="button" part="button" title=${t('removePreview')} aria-label=${t('removePreview')} @click=${remove}>×</button>
      </div>`;
    },

    fields: () => (shown === undefined ? {} : { embed_id: shown.embed.id }),

    clear() {
      clearTimeout(timer);
      shown = undefined;
      isRefused = false;
      asks = 0;
      empty.clear();
    },
  };
}
