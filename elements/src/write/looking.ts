import { type Comment, html, serverHtml } from '../shared.ts';
import type { Addition, Composer } from './composed.ts';
import type { Writing } from './writing.ts';

/** Shows how a text will look, in the place of its field: loaded with the first preview. */

/** The preview of a composer, which its use shows, and hides again. */
export function add(composer: Composer, { host, isSignedIn }: Writing): Addition {
  return {
    async use() {
      const { field, text, shown } = composer;
      composer.shown = undefined;
      if (shown !== undefined) {
        await composer.redraw();
        field.focus();
        return;
      }
      // The server renders texts of people whom it knows.
      if (!(await isSignedIn())) return;
      const answer = await host.server.api.call<Comment>('/api/markdown', { method: 'POST', body: { text } });
      if (!answer.ok) {
        composer.problem = answer.message || host.t('noAnswer');
        return;
      }
      const { height } = field.getBoundingClientRect();
      composer.shown = html`<div
        class="text"
        part="text"
        dir="auto"
        role="region"
        aria-label=${host.t('preview')}
        .style=${`min-block-size:${height}px`}
        .innerHTML=${serverHtml(answer.body)}
      ></div>`;
    },

    draw: () => undefined,

    clear() {
      composer.shown = undefined;
    },
  };
}
