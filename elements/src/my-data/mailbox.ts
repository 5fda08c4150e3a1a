import { BaseElement, type CommentsHost, define, html, nothing, type TemplateResult } from '../shared.ts';
import { keepSignedIn, type SignedIn } from '../sign-in/signed-in.ts';
import { failureText, fieldText } from '../sign-in/words.ts';

/**
 * `<confab-mailbox>`: in "My data", a mailbox by which the visitor can sign in as well. A guest is none any more with it,
 * and where the mailbox has an account, both become one. Draws into itself.
 */
class ConfabMailbox extends BaseElement {
  static override properties = ['host', 'ticket', 'problem', 'isBusy'];

  declare host: CommentsHost;
  /** What the code is sent with; undefined while no mail was sent. */
  declare ticket: string | undefined;
  declare problem: string | undefined;
  declare isBusy: boolean | undefined;

  protected override draw(): TemplateResult {
    const { t, server } = this.host;
    const isGuest = server.session.user?.way === 'guest';
    return html`<form @submit=${this.#send} novalidate>
      ${
        this.ticket === undefined
          ? this.#field({
              name: 'email',
              label: t('mailAddress'),
              hint: t(isGuest ? 'mailGuestHint' : 'mailHint'),
            })
          : this.#field({ name: 'code', label: t('mailCode'), hint: t('mailSent') })
      }
      <button part="button" aria-disabled=${this.isBusy === true}>
        ${t(this.ticket === undefined ? 'sendCode' : 'confirmCode')}
      </button>
    </form>`;
  }

  #field({ name, label, hint }: { readonly [key in 'name' | 'label' | 'hint']: string }): TemplateResult {
    const isMail = name === 'email';
    return html`<p class="field">
      <label for="panel-mailbox">${label}</label>
      <input
        id="panel-mailbox"
        part="field"
        name=${name}
        type=${isMail ? 'email' : 'text'}
        inputmode=${isMail ? 'email' : 'numeric'}
        autocomplete=${isMail ? 'email' : 'one-time-code'}
        maxlength=${isMail ? 254 : 12}
        aria-invalid=${this.problem !== undefined}
        aria-describedby="panel-mailbox-hint panel-mailbox-problem"
      />
      <span class="quiet" id="panel-mailbox-hint">${hint}</span>
      ${this.problem === undefined ? nothing : html`<span class="problem" id="panel-mailbox-problem">${this.problem}</span>`}
    </p>`;
  }

  #send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const input = this.querySelector('input');
    const text = input?.value.trim() ?? '';
    if (this.isBusy || input === null) return;
    this.isBusy = true;
    this.problem = undefined;
    this.problem = text === '' ? this.host.t('fieldMissing') : await this.#sent(text, input);
    this.isBusy = false;
    await this.redraw();
    this.querySelector('input')?.focus();
  };

  /** Sends the address or the code. Resolves to what is wrong with it. */
  async #sent(text: string, input: HTMLInputElement): Promise<string | undefined> {
    const { server, t } = this.host;
    const call = <T>(path: string, body: object) => server.api.call<T>(path, { method: 'POST', body });
    const { ticket } = this;
    if (ticket === undefined) {
      const body = { email: text, origin: location.origin };
      const answer = await call<{ readonly ticket: string }>('/api/user/mailbox', body);
      if (!answer.ok) return fieldText(t, answer, '/email') ?? failureText(t, answer);
      input.value = '';
      this.ticket = answer.body.ticket;
      return undefined;
    }
    const answer = await call<SignedIn>('/api/user/mailbox/code', { ticket, code: text });
    if (!answer.ok) return answer.code === 'sign_in_ended' ? t('codeWrong') : failureText(t, answer);
    keepSignedIn(server.session, answer.body);
    this.dispatchEvent(new Event('added'));
    return undefined;
  }
}

define('confab-mailbox', ConfabMailbox);
