import { define, html, nothing, type SignedInUser, type TemplateResult } from '../shared.ts';
import { PartElement } from './part.ts';
import { signOut, signOutEverywhere } from './sign-out.ts';

/** `<confab-sign-out>`: the buttons that end the session of a visitor here, or everywhere. */
class ConfabSignOut extends PartElement {
  static override properties = ['host', 'user', 'isBusy', 'message'];

  declare user: SignedInUser;

  protected override draw(): TemplateResult {
    const { t } = this.host;
    const button = (label: string, everywhere: boolean) =>
      html`<button type="button" part="button" aria-disabled=${this.isBusy === true} @click=${() => this.#signOut(everywhere)}>
        ${label}
      </button>`;
    return html`<div class="row">
        ${button(t('signOut'), false)}
        ${this.user.way === 'guest' ? nothing : button(t('signOutEverywhere'), true)}
      </div>
      ${this.drawMessage()}`;
  }

  async #signOut(everywhere: boolean): Promise<void> {
    const { host } = this;
    if (everywhere) await this.do(async () => (await signOutEverywhere(host.server)) ?? '');
    else void signOut(host.server);
    if (host.server.session.user === undefined) host.announce(host.t('signedOut'), { isShown: true });
  }
}

define('confab-sign-out', ConfabSignOut);
