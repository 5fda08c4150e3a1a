import { providerName } from 'confab-contract/values/provider-name.ts';
import {
  addEnglish,
  type CommentsHost,
  define,
  type Failure,
  html,
  nothing,
  type TemplateResult,
} from '../shared.ts';
import { signInEnglish } from '../texts/sign-in-english.ts';
import { DialogElement, openDialog } from './dialog.ts';
import { focusField, nameField } from './fields.ts';
import { signInAsGuest } from './guest.ts';
import { createWayWindow } from './way-window.ts';
import { useCode } from './window.ts';
import { failureText, fieldText } from './words.ts';

/** What the operator allows. */
type Ways = {
  readonly ways: readonly string[];
  readonly has_puzzle: boolean;
  /** What keeps visitors from commenting, as `opening.ts` shows it. */
  readonly lacks?: readonly ('origins' | 'sign_in' | 'visitors')[];
};

addEnglish(signInEnglish);

/** Asks somebody to sign in, in a dialog. Resolves to whether they are signed in. */
export async function signIn(host: CommentsHost): Promise<boolean> {
  const { session } = host.server;
  if (session.user !== undefined) return true;
  // A page that signs people in by itself prevents the dialog.
  const isOurs = host.dispatchEvent(
    new CustomEvent('confab-sign-in', { bubbles: true, composed: true, cancelable: true }),
  );
  if (!isOurs || session.source !== undefined) return false;
  const shown = host.shadowRoot?.querySelector<ConfabSignIn>('confab-sign-in');
  const dialog = shown ?? new ConfabSignIn();
  if (!shown) openDialog(host, dialog);
  await dialog.closed;
  return session.user !== undefined;
}

/** The ways, after what keeps visitors from commenting was explained. */
const explained = async (host: CommentsHost, ways: Ways): Promise<Ways> =>
  ways.ways.length === 0 || ways.lacks?.includes('origins')
    ? (await import('../seldom/seldom.ts')).explained(host, ways)
    : ways;

/** `<confab-sign-in>`: the dialog with the ways that the operator allows. */
class ConfabSignIn extends DialogElement {
  static override properties = [
    'host',
    'isBusy',
    'ways',
    'failure',
    'step',
    'isWindowClosed',
    'guestFailure',
  ];

  declare ways: Ways | undefined;
  /** What has not worked, whatever the way. */
  declare failure: string | undefined;
  /** What is wrong with the name of a guest. */
  declare guestFailure: string | undefined;
  /** The way that is gone in a window; undefined while one is chosen. */
  declare step: string | undefined;
  declare isWindowClosed: boolean | undefined;

  readonly #ending = new AbortController();
  readonly #window = createWayWindow(() => {
    this.isWindowClosed = true;
  });
  #isAsked = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#isAsked) return;
    this.#isAsked = true;
    const { signal } = this.#ending;
    addEventListener('message', this.#hear, { signal });
    // Another tab signs in by the link of a mail.
    signal.addEventListener('abort', this.host.server.session.subscribe(this.#follow));
    signal.addEventListener('abort', this.#window.close);
    void this.closed.then(() => this.#ending.abort());
    void this.#askWays();
  }

  #follow = (): void => {
    const { host } = this;
    const { user } = host.server.session;
    if (user === undefined) return;
    this.close();
    host.announce(host.t('signedInAs', { name: user.display_name }));
  };

  async #askWays(): Promise<void> {
    const { server, t } = this.host;
    this.failure = undefined;
    const answer = await server.api.call<Ways>('/api/sign-in');
    if (answer.ok) this.ways = await explained(this.host, answer.body);
    else this.failure = failureText(t, answer);
    // With only one way, a name that is typed at once goes into its field.
    if (this.ways?.ways.join() === 'guest') await focusField(this, 'name');
  }

  protected override heading(): string {
    return this.host.t('signInAt', { site: location.host });
  }

  protected override content(): TemplateResult {
    const { t } = this.host;
    return html`${this.step === undefined ? this.#choice() : this.#waiting(this.step)}
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${this.failure}</p>`}
      ${
        this.ways === undefined && this.failure !== undefined
          ? html`<button type="button" part="button" @click=${() => this.#askWays()}>${t('tryAgain')}</button>`
          : nothing
      }`;
  }

  #choice(): TemplateResult | typeof nothing {
    const { t } = this.host;
    if (this.ways === undefined)
      return this.failure === undefined
        ? html`<p class="quiet" role="status">${t('oneMoment')}</p>`
        : nothing;
    const { ways } = this.ways;
    if (ways.length === 0) return html`<p>${t('noWays')}</p>`;
    const others = ways.filter((way) => way !== 'guest');
    return html`${
      others.length === 0
        ? nothing
        : html`<div class="ways">
            ${others.map(
              (way) =>
                html`<button type="button" part="button" ?disabled=${this.isBusy === true} @click=${() => this.#open(way)}>
                  ${way === 'email' ? t('signInByMail') : t('signInWith', { name: providerName(way) })}
                </button>`,
            )}
          </div>`
    }
    ${ways.length > 1 && ways.includes('guest') ? html`<p class="or quiet"><span>${t('or')}</span></p>` : nothing}
    ${ways.includes('guest') ? this.#guestForm() : nothing}`;
  }

  #guestForm(): TemplateResult {
    const { t } = this.host;
    return html`<form @submit=${this.#guest} novalidate>
      ${nameField({ label: t('yourName'), hint: t('nameHint'), problem: this.guestFailure, isBusy: this.isBusy === true })}
      <button class="primary" part="button primary" aria-disabled=${this.isBusy === true}>${t('asGuest')}</button>
      <p class="quiet" role="status">${this.isBusy ? t('solving') : t('guestHint')}</p>
    </form>`;
  }

  #guest = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { host, ways } = this;
    if (this.isBusy || ways === undefined) return;
    const name = String(new FormData(event.target as HTMLFormElement).get('name')).trim();
    this.failure = undefined;
    this.guestFailure = name === '' ? host.t('nameMissing') : undefined;
    if (name === '') return await focusField(this, 'name');
    this.isBusy = true;
    const options = { hasPuzzle: ways.has_puzzle, signal: this.#ending.signal };
    const failure = await signInAsGuest(host.server, name, options).catch(() => undefined);
    this.isBusy = false;
    if (failure !== undefined) await this.#refused(failure);
  };

  async #refused(failure: Failure): Promise<void> {
    const { t } = this.host;
    this.guestFailure = fieldText(t, failure, '/name');
    if (this.guestFailure === undefined) this.failure = failureText(t, failure);
    else await focusField(this, 'name');
  }

  /** Opens the window of the server; called when somebody clicks, because browsers block other windows. */
  #open(way: string): void {
    const { host } = this;
    this.failure = undefined;
    const onBlocked = () => {
      this.failure = host.t('windowsBlocked');
    };
    if (!this.#window.open(host.server, way, onBlocked)) return;
    this.isWindowClosed = false;
    if (this.step === way) return;
    this.step = way;
    void this.focusHeading();
  }

  #hear = async (event: MessageEvent): Promise<void> => {
    const { server, t } = this.host;
    const flow = this.#window.take(server, event);
    if (flow === undefined) return;
    this.isBusy = true;
    const failure = await useCode(server.url, server.session, flow);
    this.isBusy = false;
    if (failure === undefined) return;
    this.step = undefined;
    this.failure = failureText(t, failure);
    await this.focusHeading();
  };

  #waiting(way: string): TemplateResult {
    const { t } = this.host;
    const said = this.isBusy ? 'oneMoment' : this.isWindowClosed ? 'windowClosed' : 'goOnInWindow';
    return html`<p role="status">${t(said)}</p>
      <div class="row">
        <button type="button" part="button" @click=${() => this.#open(way)}>${t('openAgain')}</button>
        <button type="button" class="plain" part="button" @click=${this.#choose}>${t('otherWay')}</button>
      </div>`;
  }

  #choose = (): void => {
    this.#window.close();
    this.step = undefined;
    void this.focusHeading();
  };
}

define('confab-sign-in', ConfabSignIn);
