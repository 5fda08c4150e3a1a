import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Failure } from '../api.ts';
import { BaseElement, setAgain } from '../base.ts';
import type { Server, TokenSource } from '../connection.ts';
import { appOfPage } from '../page.ts';
import { serverAt } from '../server.ts';
import style from '../style/comments.css';
import { sheetOf } from '../style/style.ts';
import { createSpeaker } from '../texts/speaker.ts';
import { createTranslate, type Texts, type Translate } from '../texts/texts.ts';
import type { Reading } from '../thread/reading.ts';
import type { Order } from '../thread/roots.ts';
import type { Thread } from '../thread/thread.ts';
import { trustServer } from '../trust.ts';
import { createAccount } from './account.ts';
import { arrange } from './arrange.ts';
import { ConfabComment } from './comment.ts';
import { failed, list, orders, skeleton } from './frame.ts';
import type { CommentsHost, Extension } from './host.ts';
import { threadItems } from './items.ts';
import { createShowing } from './showing.ts';
import { createToast } from './toast.ts';

/** How often relative times are drawn again, in milliseconds. */
const tickMs = 60_000;
/** How far around the screen comments count as shown. */
const nearby = { rootMargin: '200px' };

/**
 * `<confab-comments>`: the comments of a page. Attributes: `server` (a trusted one, by default where the script comes from), `app` (an id)
 * or `uid` (by default that of the page), `sort` (`newest`, `oldest` or `liked`), `token-url` (where the site gives tokens for
 * its own users; or the property `getToken`). Until the first comments are there, it
 * shows what is inside of it.
 */
export class ConfabComments extends BaseElement implements CommentsHost {
  static override properties = ['texts', 'failure', 'isReading', 'total', 'now', 'drawing', 'getToken'];
  static override sheet = sheetOf(style);
  static observedAttributes = ['server', 'app', 'uid', 'sort', 'lang', 'token-url'];

  /** Texts that replace those of the language. */
  declare texts: Texts | undefined;
  declare failure: Failure | undefined;
  declare isReading: boolean | undefined;
  declare total: number | undefined;
  declare now: number;
  declare drawing: number;
  declare presence: CommentsHost['presence'];
  /** Gives tokens for the users of the site, in place of `token-url`. */
  declare getToken: Exclude<TokenSource, string> | undefined;

  extensions: readonly Extension[] = [];
  keepPlace: CommentsHost['keepPlace'];
  /** Empty until the texts of the language are loaded. */
  language = '';
  t: Translate = createTranslate('en');
  #order: Order | undefined;
  readonly #speaker = createSpeaker(this, () => void this.redraw());
  readonly #showing = createShowing(this);
  readonly #account = createAccount(this);
  readonly #items = threadItems(this);
  readonly #toast = createToast(() => this.redraw());
  #leaving: AbortController | undefined;

  readonly #look = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (target instanceof ConfabComment) this.#showing.look(target.place.comment.id, isIntersecting);
      else this.#showing.near(isIntersecting);
  }, nearby);

  // Frameworks set an attribute that an element has as a property, such as these two, as a property. Only code sets properties.
  set server(address: string | null | undefined) {
    if (address) trustServer(address);
    this.setAttribute('server', address ?? '');
  }

  set app(id: string | null | undefined) {
    this.setAttribute('app', id ?? '');
  }

  get server(): Server {
    return this.#showing.source().server;
  }

  get app(): string {
    return this.#showing.source().app;
  }

  get thread(): Thread {
    return this.#showing.source().thread;
  }

  get reading(): Reading {
    return this.#showing.source().reading;
  }

  override connectedCallback(): void {
    setAgain(this, ['server', 'app']);
    this.#begin();
    this.now = Date.now();
    const tick = setInterval(() => {
      if (document.visibilityState === 'visible') this.now = Date.now();
    }, tickMs);
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener('hashchange', () => void this.#showing.followHash(), { signal });
    addEventListener('online', () => this.failure !== undefined && void this.#showing.read(), { signal });
    signal.addEventListener('abort', () => clearInterval(tick));
    signal.addEventListener(
      'abort',
      this.server.session.subscribe(() => this.#begin()),
    );
    this.#leaving = leaving;
    this.#look.observe(this);
    // It was moved while it waited to ask again.
    if (this.failure !== undefined) void this.#showing.read();
    super.connectedCallback();
  }

  disconnectedCallback(): void {
    this.#leaving?.abort();
    this.#look.unobserve(this);
    this.#showing.stop();
  }

  override attributeChangedCallback(): void {
    if (this.isConnected) this.#begin();
    super.attributeChangedCallback();
  }

  /** Begins anew where another app, server, order or person is meant. What is shown stays until the other is there. */
  #begin(): void {
    const server = serverAt(this.getAttribute('server'));
    const { session } = server;
    this.#useSite(server);
    const app = this.getAttribute('app') || this.getAttribute('uid') || appOfPage() || '';
    const order = this.#order ?? orders.find((each) => each === this.getAttribute('sort')) ?? 'newest';
    if (session.user ?? session.failure) void this.#account.show();
    this.#showing.begin(server, app, order);
  }

  #useSite({ session }: Server): void {
    const tokens = this.getToken ?? this.getAttribute('token-url');
    if (tokens) session.useSite(tokens);
  }

  signIn(): Promise<boolean> {
    return this.#account.signIn();
  }

  async ready(): Promise<void> {
    await this.#speaker.ready();
    await this.#account.ready();
  }

  followAgain(): void {
    this.#showing.followAgain();
  }

  observe(comment: HTMLElement): void {
    this.#look.observe(comment);
  }

  announce(text: string, { isShown = false } = {}): void {
    this.#toast.say(text, isShown);
  }

  explain(failure?: Failure): void {
    this.announce(failure?.message || this.t('away'), { isShown: true });
  }

  extend(extension: Extension): void {
    if (this.extensions.includes(extension)) return;
    this.extensions = [...this.extensions, extension];
    this.redrawAll();
  }

  redrawAll(): void {
    this.drawing = (this.drawing ?? 0) + 1;
  }

  show(id: number): Promise<boolean> {
    return this.#showing.show(id);
  }

  protected override draw(): TemplateResult {
    this.#useSite(this.server);
    const speech = this.#speaker.speech(this.texts);
    if (speech !== undefined && speech.t !== this.t) {
      this.language = speech.language;
      this.t = speech.t;
      this.redrawAll();
    }
    const { failure, t, thread } = this;
    const isRead = this.language !== '' && thread.isRead();
    return html`<section class="root" part="root" aria-label=${t('heading')} aria-busy=${this.isReading === true}>
      ${isRead ? this.frame() : html`<slot>${failure ? nothing : skeleton(t)}</slot>`}
      ${failure ? failed(t, failure, this.#showing.read) : nothing}
      ${this.#toast.draw()}
    </section>`;
  }

  /** What is drawn around the threads. */
  protected frame(): TemplateResult {
    return list(this, this.#sort);
  }

  protected override drawn(): void {
    const list = this.root.querySelector('.threads');
    if (list !== null) arrange(list, this.thread.shown(), this.#items);
  }

  #sort = (event: Event): void => {
    this.#order = (event.target as HTMLSelectElement).value as Order;
    this.#begin();
  };
}
