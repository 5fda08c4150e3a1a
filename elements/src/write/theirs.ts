import { html, type TemplateResult } from '../shared.ts';
import type { Composer } from './composed.ts';

/** What somebody else has made of a comment while it was edited here, and the choice between both. */
export function theirs(composer: Composer, written: string): TemplateResult {
  const text = composer.mentions.short(written);
  const { t } = composer.host;
  return html`<div class="theirs" role="group" aria-label=${t('changedMeanwhile')}>
    <strong>${t('changedMeanwhile')}</strong>
    <p dir="auto">${text}</p>
    <div class="row">
      <button part="button" type="button" @click=${() => composer.send()}>${t('keepMine')}</button>
      <button
        part="button"
        type="button"
        @click=${() => {
          composer.replace(0, composer.field.value.length, text);
          composer.theirs = undefined;
        }}
      >
        ${t('takeTheirs')}
      </button>
    </div>
  </div>`;
}
