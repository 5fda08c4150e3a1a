import { define, html, type SignedInUser, type TemplateResult } from '../shared.ts';
import { focusField } from '../sign-in/fields.ts';
import { PartElement } from './part.ts';
import { leave } from './sign-out.ts';

/** `<confab-erasure>`: the button with which a visitor erases their account, and what it asks before. */
class ConfabErasure extends PartElement {
  static override properties = ['host', 'user', 'isOpen', 'isBusy', 'message'];

  declare user: SignedInUser;
  declare isOpen: boolean | undefined;

  protected override draw(): TemplateResult {
    if (this.isOpen) return this.#form();
    return html`<button type="button" class="danger" part="button danger" @click=${this.#open}>
      ${this.host.t('erase')}
    </button>`;
  }

  #form(): TemplateResult {
    const { t } = this.host;
    const problem = this.message?.text;
    const choice = (value: string, label: string, isChosen: boolean) =>
      html`<label class="choice"><input type="radio" name="content" value=${value} ?checked=${isChosen} /> ${label}</label>`;
    return html`<form @submit=${this.#erase} novalidate>
      <p>${t('eraseHint')}</p>
      <fieldset aria-label=${t('erase')}>
        ${choice('remove', t('eraseRemove'), true)} ${choice('keep', t('eraseKeep'), false)}
      </fieldset>
      <p class="field">
        <label for="panel-confirm">${t('eraseConfirm', { name: this.user.display_name })}</label>
        <input
          id="panel-confirm"
          name="confirm"
          part="field"
          dir="auto"
          autocomplete="off"
          aria-invalid=${problem !== undefined}
          aria-describedby="panel-confirm-problem"
        />
        <span class="problem" id="panel-confirm-problem">${problem}</span>
      </p>
      <div class="row">
        <button class="danger" part="button danger" aria-disabled=${this.isBusy === true}>${t('eraseNow')}</button>
        <button type="button" class="plain" part="button" @click=${this.#close}>${t('cancel')}</button>
      </div>
    </form>`;
  }

  #open = async (): Promise<void> => {
    this.message = undefined;
    this.isOpen = true;
    await focusField(this, 'confirm');
  };

  #close = async (): Promise<void> => {
    this.isOpen = false;
    await this.redraw();
    this.querySelector<HTMLElement>('.danger')?.focus();
  };

  #erase = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { host, user } = this;
    const data = new FormData(event.target as HTMLFormElement);
    if (plain(String(data.get('confirm'))) !== plain(user.display_name)) {
      this.say(host.t('eraseMismatch'), true);
      return await focusField(this, 'confirm');
    }
    const path = `/api/users/${user.id}?content=${data.get('content')}`;
    await this.do(async () => {
      const answer = await host.server.api.call(path, { method: 'DELETE' });
      if (!answer.ok) return answer;
      host.announce(host.t('erased'), { isShown: true });
      leave(host.server, true);
      return '';
    });
  };
}

/** A name as it is compared: people type spaces and accents in more than one way. */
function plain(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim();
}

define('confab-erasure', ConfabErasure);
