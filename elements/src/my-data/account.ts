import {
  addEnglish,
  avatar,
  BaseElement,
  type CommentsHost,
  define,
  type Extension,
  html,
  nothing,
  type TemplateResult,
} from '../shared.ts';
import { adoptStyle } from '../sign-in/dialog.ts';
import { failureText } from '../sign-in/words.ts';
import { signInEnglish } from '../texts/sign-in-english.ts';
import { signOut } from './sign-out.ts';

addEnglish(signInEnglish);

/** In the header of the comments: who is signed in, with a menu, or a button to sign in. */
export const account: Extension = {
  header: (host) =>
    html`<confab-account .host=${host} .user=${host.server.session.user} .t=${host.t}></confab-account>`,
  read: (host) => void offerModeration(host),
};

/** Loads what moderators need for those who moderate this app. Visitors never do. */
async function offerModeration(host: CommentsHost): Promise<void> {
  const { api, session } = host.server;
  if (session.user === undefined || session.user.way !== undefined || host.reading.isMissing()) return;
  const answer = await api.call<{ moderate: { is_allowed: boolean; rule: string } }>(
    `/api/apps/${encodeURIComponent(host.app)}/access`,
  );
  if (!answer.ok || !answer.body.moderate.is_allowed) return;
  const { moderate } = await import('../moderate/moderate.ts');
  // Those who moderate one app alone do not decide about people, who are in all of them.
  moderate(host, answer.body.moderate.rule === 'directory_moderator');
}

/** Asks somebody to sign in. Resolves to whether they are signed in. */
export async function signIn(host: CommentsHost): Promise<boolean> {
  const part = await import('../sign-in/sign-in.ts');
  return await part.signIn(host);
}

/** `<confab-account>`: draws into itself, so that the style of the comments holds for it. */
class ConfabAccount extends BaseElement {
  static override properties = ['host', 'user', 't', 'isOpen'];

  declare host: CommentsHost;
  declare user: CommentsHost['server']['session']['user'];
  declare isOpen: boolean | undefined;

  override connectedCallback(): void {
    const { host } = this;
    const { failure } = host.server.session;
    adoptStyle(host);
    super.connectedCallback();
    if (failure !== undefined) host.announce(failureText(host.t, failure), { isShown: true });
  }

  protected override draw(): TemplateResult {
    const { host, user } = this;
    const { t, server } = host;
    if (user === undefined)
      return server.session.source !== undefined
        ? html``
        : html`<div class="account">
            <button type="button" part="button" @click=${() => host.signIn()}>${t('signIn')}</button>
          </div>`;
    return html`<div class="account" @keydown=${this.#key} @focusout=${this.#leave}>
      <button
        class="who"
        type="button"
        part="button account"
        aria-haspopup="menu"
        aria-expanded=${this.isOpen === true}
        @click=${() => (this.isOpen ? this.#close() : this.#open(0))}
      >
        ${avatar(user)}<span class="hidden">${t('account')}</span>
        <span class="name" dir="auto">${user.display_name}</span>
      </button>
      ${this.isOpen ? this.#menu() : nothing}
    </div>`;
  }

  #menu(): TemplateResult {
    const { t, server } = this.host;
    const item = (label: string, act: () => Promise<void>) =>
      html`<button type="button" role="menuitem" tabindex="-1" part="button" @click=${() => this.#act(act)}>${label}</button>`;
    return html`<div class="menu" part="menu" role="menu">
      ${item(t('myData'), () => this.#myData())}
      ${server.session.source !== undefined ? nothing : item(t('signOut'), () => this.#signOut())}
    </div>`;
  }

  get #button(): HTMLButtonElement | null {
    return this.querySelector('.account > button');
  }

  get #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #open = async (index: number): Promise<void> => {
    this.isOpen = true;
    await this.redraw();
    this.#items.at(index)?.focus();
  };

  #close = (): void => {
    this.#button?.focus();
    this.isOpen = false;
  };

  #act(act: () => Promise<void>): void {
    this.#close();
    void act();
  }

  #leave = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
  };

  #key = (event: KeyboardEvent): void => {
    const act = this.isOpen ? this.#keyInMenu(event.key) : this.#keyOnButton(event.key);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  #keyOnButton(key: string): (() => void) | undefined {
    if (this.user === undefined) return undefined;
    if (key === 'ArrowDown') return () => void this.#open(0);
    return key === 'ArrowUp' ? () => void this.#open(-1) : undefined;
  }

  #keyInMenu(key: string): (() => void) | undefined {
    const items = this.#items;
    const at = items.findIndex((item) => item.matches(':focus'));
    const go = (index: number) => () => items.at(index % items.length)?.focus();
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: go(at + 1),
      ArrowUp: go(at - 1),
      Home: go(0),
      End: go(-1),
      Escape: this.#close,
    };
    return acts[key];
  }

  async #myData(): Promise<void> {
    const { openMyData } = await import('./my-data.ts');
    openMyData(this.host);
  }

  async #signOut(): Promise<void> {
    const { host, user } = this;
    // A guest cannot come back, so it is said there first.
    if (user?.way === 'guest') return await this.#myData();
    void signOut(host.server);
    host.announce(host.t('signedOut'), { isShown: true });
    await this.redraw();
    this.#button?.focus();
  }
}

define('confab-account', ConfabAccount);
