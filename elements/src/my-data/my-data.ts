import { providerName } from 'confab-contract/values/provider-name.ts';
import {
  addEnglish,
  type CommentsHost,
  define,
  html,
  nothing,
  type SignedInUser,
  type TemplateResult,
} from '../shared.ts';
import { DialogElement, openDialog } from '../sign-in/dialog.ts';
import './download-part.ts';
import './erasure.ts';
import './mailbox.ts';
import './person.ts';
import { myDataEnglish } from '../texts/my-data-english.ts';
import './sign-out-part.ts';

addEnglish(myDataEnglish);

/** Shows somebody who is signed in what the server has of them, and what they can do with it. */
export function openMyData(host: CommentsHost): void {
  if (host.server.session.user === undefined) return;
  if (host.shadowRoot?.querySelector('confab-my-data') === null) openDialog(host, new ConfabMyData());
}

/** `<confab-my-data>`: the dialog. */
class ConfabMyData extends DialogElement {
  static override properties = ['host', 'pictures', 'mayAddMailbox', 'user'];

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
    const { server } = host;
    if (user === undefined) return html``;
    const isOwn = server.session.source === undefined;
    return html`${isOwn ? html`<section>${this.#person(user)}</section>` : nothing}
      ${
        this.mayAddMailbox
          ? html`<section><confab-mailbox .host=${host} @added=${this.#addedMailbox}></confab-mailbox></section>`
          : nothing
      }
      <section><confab-download .host=${host} .user=${user}></confab-download></section>
      <section>
        <p class="quiet">${this.#way(user)}</p>
        ${isOwn ? html`<confab-sign-out .host=${host} .user=${user}></confab-sign-out>` : nothing}
      </section>
      ${isOwn ? html`<section><confab-erasure .host=${host} .user=${user}></confab-erasure></section>` : nothing}`;
  }

  #person(user: SignedInUser): TemplateResult {
    const { host } = this;
    return html`${
      this.#mayHavePicture(user)
        ? html`<confab-person-picture .host=${host} .user=${user}></confab-person-picture>`
        : nothing
    }
      <confab-person-name .host=${host} .user=${user}></confab-person-name>`;
  }

  #mayHavePicture({ way }: SignedInUser): boolean {
    return this.pictures === 'all' || (this.pictures === 'confirmed' && way !== 'guest');
  }

  #way({ way }: SignedInUser): string {
    const { t, server } = this.host;
    if (server.session.source !== undefined) return t('waySite');
    if (way === undefined || way === 'guest') return t('wayGuest');
    return way === 'email' ? t('wayEmail') : t('wayProvider', { name: providerName(way) });
  }

  #addedMailbox = (): void => {
    const { host } = this;
    this.mayAddMailbox = false;
    host.announce(host.t('mailAdded'), { isShown: true });
    void this.focusHeading();
  };
}

define('confab-my-data', ConfabMyData);
