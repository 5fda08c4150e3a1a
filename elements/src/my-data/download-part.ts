import { define, html, type SignedInUser, type TemplateResult } from '../shared.ts';
import { download } from './download.ts';
import { PartElement } from './part.ts';

/** `<confab-download>`: the button that gives a visitor everything that is stored about them. */
class ConfabDownload extends PartElement {
  static override properties = ['host', 'user', 'isBusy', 'message'];

  declare user: SignedInUser;

  protected override draw(): TemplateResult {
    const { t } = this.host;
    return html`<button type="button" part="button" aria-disabled=${this.isBusy === true} @click=${this.#download}>
        ${t('download')}
      </button>
      <p class="quiet">${t('downloadHint')}</p>
      ${this.drawMessage()}`;
  }

  #download = (): Promise<void> => {
    const { server, t } = this.host;
    return this.do(async () => {
      this.say(t('downloading'));
      return (await download(server.api, this.user.id)) ?? '';
    });
  };
}

define('confab-download', ConfabDownload);
