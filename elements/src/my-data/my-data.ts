import {
  avatar,
  type CommentsHost,
  define,
  type Failure,
  html,
  nothing,
  type SignedInUser,
  type TemplateResult,
} from '../shared.ts';
import { DialogElement, openDialog } from '../sign-in/dialog.ts';
import { nameField } from '../sign-in/fields.ts';
import { failureText, fieldText, providerName } from '../sign-in/words.ts';
import { download } from './download.ts';
import './mailbox.ts';
import { pictureOf } from './picture.ts';
import { leave, signOut, signOutEverywhere } from './sign-out.ts';

/** Shows somebody who is signed in what the server has of them, and what they can do with it. */
export function openMyData(host: CommentsHost): void {
  if (host.server.session.user === undefined) return;
  if (host.shadowRoot?.querySelector('confab-my-data') === null) openDialog(host, new ConfabMyData());
}

/** The field or the part of the dialog that something is said about. */
type Part = 'name' | 'picture' | 'download' | 'out' | 'erase';
type Said = { readonly part: Part; readonly text: string; readonly isProblem: boolean };

/** `<confab-my-data>`: the dialog. */
class ConfabMyData extends DialogElement {
  static override properties = ['host', 'isBusy', 'said', 'isErasing', 'pictures', 'mayAddMailbox', 'user'];

  declare said: Said | undefined;
  declare isErasing: boolean | undefined;
  /** Which visitors may have a picture: `none`, `confirmed` or `all`. */
  declare pictures: string | undefined;
  /** Whether there is a mailbox to add, by which the visitor can sign in. */
  declare mayAddMailbox: boolean | undefined;
  declare user: SignedInUser | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.user !== undefined) return;
    const { session } = this.host.server;
    this.user = session.user;
    const unsubscribe = session.subscribe(() => this.#follow());
    void this.closed.then(unsubscribe);
    if (session.source === undefined) void this.#askWhatMay();
  }

  /** Somebody who has signed out in another tab sees their data no more. */
  #follow(): void {
    const { user } = this.host.server.session;
    if (user?.id === this.user?.id) this.user = user;
    else this.close();
  }

  /** Asks what this visitor may have, of which an older server knows nothing. */
  async #askWhatMay(): Promise<void> {
    const { api } = this.host.server;
    const [server, own] = await Promise.all([
      api.call<{ readonly ways: readonly string[]; readonly pictures?: string }>('/api/sign-in'),
      api.call<{ readonly ways?: readonly string[] }>('/api/user'),
    ]);
    if (!server.ok || !own.ok) return;
    this.pictures = server.body.pictures;
    this.mayAddMailbox = server.body.ways.includes('email') && own.body.ways?.includes('email') === false;
  }

  protected override heading(): string {
    return this.host.t('myData');
  }

  protected override content(): TemplateResult {
    const { host, user } = this;
    const { t, server } = host;
    if (user === undefined) return html``;
    return html`${server.session.source !== undefined ? nothing : this.#person(user)}
      ${
        this.mayAddMailbox
          ? html`<section><confab-mailbox .host=${host} @added=${this.#addedMailbox}></confab-mailbox></section>`
          : nothing
      }
      <section>
        <button type="button" part="button" aria-disabled=${this.isBusy === true} @click=${() => this.#download(user)}>
          ${t('download')}
        </button>
        <p class="quiet">${t('downloadHint')}</p>
        ${this.#say('download')}
      </section>
      <section>
        <p class="quiet">${this.#way(user)}</p>
        ${server.session.source !== undefined ? nothing : this.#out()}
      </section>
      ${server.session.source !== undefined ? nothing : html`<section>${this.isErasing ? this.#erasure(user) : this.#eraseButton()}</section>`}`;
  }

  #person(user: SignedInUser): TemplateResult {
    const { t } = this.host;
    const problem = this.said?.part === 'name' && this.said.isProblem ? this.said.text : undefined;
    return html`${this.#mayHavePicture(user) ? this.#picture(user) : nothing}
      <form @submit=${this.#rename} novalidate>
        ${nameField({
          label: t('yourName'),
          hint: t('nameHint'),
          problem,
          isBusy: this.isBusy === true,
          value: user.display_name,
        })}
        <button part="button" aria-disabled=${this.isBusy === true}>${t('save')}</button>
        ${problem === undefined ? this.#say('name') : nothing}
      </form>`;
  }

  #mayHavePicture({ way }: SignedInUser): boolean {
    return this.pictures === 'all' || (this.pictures === 'confirmed' && way !== 'guest');
  }

  #picture(user: SignedInUser): TemplateResult {
    const { t } = this.host;
    return html`<div class="picture">
        ${avatar(user)}
        <label class="file" part="button">
          <span>${t('choosePicture')}</span>
          <input class="hidden" type="file" name="picture" accept="image/*" @change=${this.#choosePicture} />
        </label>
        ${
          user.avatar_url === undefined
            ? nothing
            : html`<button type="button" class="plain" part="button" @click=${() => this.#setPicture(null)}>
              ${t('removePicture')}
            </button>`
        }
      </div>
      ${this.#say('picture')}`;
  }

  #out(): TemplateResult {
    const { t } = this.host;
    const button = (label: string, everywhere: boolean) =>
      html`<button type="button" part="button" aria-disabled=${this.isBusy === true} @click=${() => this.#signOut(everywhere)}>
        ${label}
      </button>`;
    return html`<div class="row">
        ${button(t('signOut'), false)}
        ${this.user?.way === 'guest' ? nothing : button(t('signOutEverywhere'), true)}
      </div>
      ${this.#say('out')}`;
  }

  #eraseButton(): TemplateResult {
    return html`<button type="button" class="danger" part="button danger" @click=${this.#beginErasing}>
      ${this.host.t('erase')}
    </button>`;
  }

  #erasure({ display_name: name }: SignedInUser): TemplateResult {
    const { t } = this.host;
    const problem = this.said?.part === 'erase' ? this.said.text : undefined;
    const choice = (value: string, label: string, isChosen: boolean) =>
      html`<label class="choice"><input type="radio" name="content" value=${value} ?checked=${isChosen} /> ${label}</label>`;
    return html`<form @submit=${this.#erase} novalidate>
      <p>${t('eraseHint')}</p>
      <fieldset aria-label=${t('erase')}>
        ${choice('remove', t('eraseRemove'), true)} ${choice('keep', t('eraseKeep'), false)}
      </fieldset>
      <p class="field">
        <label for="panel-confirm">${t('eraseConfirm', { name })}</label>
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
        <button type="button" class="plain" part="button" @click=${this.#endErasing}>${t('cancel')}</button>
      </div>
    </form>`;
  }

  #way({ way }: SignedInUser): string {
    const { t, server } = this.host;
    if (server.session.source !== undefined) return t('waySite');
    if (way === undefined || way === 'guest') return t('wayGuest');
    return way === 'email' ? t('wayEmail') : t('wayProvider', { name: providerName(way) });
  }

  #say(part: Part): TemplateResult {
    const { said } = this;
    const text = said?.part === part ? said.text : '';
    const isProblem = said?.part === part && said.isProblem;
    return html`<p class=${isProblem ? 'problem' : 'quiet'} role="status">${text}</p>`;
  }

  /** Does one thing at a time. `task` resolves to what is said about it, or to why it has not worked. */
  async #do(part: Part, task: () => Promise<string | Failure>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.said = undefined;
    const result = await task();
    this.isBusy = false;
    const { t } = this.host;
    if (typeof result === 'string') this.said = { part, text: result, isProblem: false };
    else {
      const text = fieldText(t, result, `/${part}`) ?? failureText(t, result);
      this.said = { part, text, isProblem: true };
    }
  }

  #rename = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { t } = this.host;
    const name = String(new FormData(event.target as HTMLFormElement).get('name')).trim();
    if (name === '') this.said = { part: 'name', text: t('nameMissing'), isProblem: true };
    else await this.#do('name', () => this.#change({ name }));
    if (this.said?.isProblem) await this.focusField('name');
  };

  /** Changes what others see of the visitor. */
  async #change(change: {
    readonly name?: string;
    readonly picture?: string | null;
  }): Promise<string | Failure> {
    const { server, t } = this.host;
    const answer = await server.api.call<SignedInUser>('/api/user', { method: 'PATCH', body: change });
    if (!answer.ok) return answer;
    const { id, display_name, avatar_url, way = this.user?.way } = answer.body;
    const kept = server.session.kept();
    const user = {
      id,
      display_name,
      ...(avatar_url === undefined ? {} : { avatar_url }),
      ...(way === undefined ? {} : { way }),
    };
    if (kept?.user.id === id) server.session.keep({ ...kept, user });
    return t('saved');
  }

  #choosePicture = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (file === undefined) return;
    const picture = await pictureOf(file).catch(() => undefined);
    if (picture !== undefined) await this.#setPicture(picture);
    else this.said = { part: 'picture', text: this.host.t('pictureInvalid'), isProblem: true };
  };

  async #setPicture(picture: string | null): Promise<void> {
    await this.#do('picture', () => this.#change({ picture }));
    if (picture === null) await this.focusField('picture');
  }

  #addedMailbox = (): void => {
    const { host } = this;
    this.mayAddMailbox = false;
    host.announce(host.t('mailAdded'), { isShown: true });
    void this.focusHeading();
  };

  async #download({ id }: SignedInUser): Promise<void> {
    const { server, t } = this.host;
    await this.#do('download', async () => {
      this.said = { part: 'download', text: t('downloading'), isProblem: false };
      return (await download(server.api, id)) ?? '';
    });
  }

  async #signOut(everywhere: boolean): Promise<void> {
    const { host } = this;
    if (everywhere) await this.#do('out', async () => (await signOutEverywhere(host.server)) ?? '');
    else void signOut(host.server);
    if (host.server.session.user === undefined) host.announce(host.t('signedOut'), { isShown: true });
  }

  #beginErasing = async (): Promise<void> => {
    this.said = undefined;
    this.isErasing = true;
    await this.focusField('confirm');
  };

  #endErasing = async (): Promise<void> => {
    this.isErasing = false;
    await this.redraw();
    this.querySelector<HTMLElement>('.danger')?.focus();
  };

  #erase = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { host, user } = this;
    if (user === undefined) return;
    const data = new FormData(event.target as HTMLFormElement);
    if (plain(String(data.get('confirm'))) !== plain(user.display_name)) {
      this.said = { part: 'erase', text: host.t('eraseMismatch'), isProblem: true };
      return await this.focusField('confirm');
    }
    const path = `/api/users/${user.id}?content=${data.get('content')}`;
    await this.#do('erase', async () => {
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

define('confab-my-data', ConfabMyData);
