import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Failure } from '../api.ts';
import { BaseElement, setAgain } from '../base.ts';
import type { Server, TokenSource } from '../connection.ts';
import { type AccountPart, parts } from '../later.ts';
import { appOfPage } from '../page.ts';
import { serverAt } from '../server.ts';
import { read } from '../session.ts';
import style from '../style/comments.css';
import { sheetOf } from '../style/style.ts';
import { createSpeaker } from '../texts/speaker.ts';
import { createTranslate, type Texts, type Translate } from '../texts/texts.ts';
import { createReading, type Reading } from '../thread/reading.ts';
import { createThread, type Order, type Shown, type Thread } from '../thread/thread.ts';
import { trustServer } from '../trust.ts';
import { type Arranging, arrange } from './arrange.ts';
import { ConfabComment } from './comment.ts';
import { withExtras } from './content.ts';
import { type Following, follow } from './following.ts';
import type { CommentsHost, Extension, Intent } from './host.ts';
import { composer, intend } from './intent.ts';

const orders = ['newest', 'oldest', 'liked'] as const;
/** How often relative times are drawn again, in milliseconds. */
const tickMs = 60_000;
/** How far around the screen comments count as shown. */
const nearby = { rootMargin: '200px' };
/** The first pause before comments that could not be read are asked for again, and the longest, in milliseconds. */
const firstRetryMs = 5000;
const longestRetryMs = 60_000;

/** How long a message is shown, in milliseconds. */
const toastMs = 6000;

/** A thread with what reads it. */
type Source = {
  readonly server: Server;
  readonly app: string;
  readonly thread: Thread;
  readonly reading: Reading;
};

/**
 * `<confab-comments>`: the comments of a page. Attributes: `server` (a trusted one, by default where the script comes from), `app` (an id)
 * or `uid` (by default that of the page), `sort` (`newest`, `oldest` or `liked`), `token-url` (where the site gives tokens for
 * its own users; or the property `getToken`). Until the first comments are there, it
 * shows what is inside of it.
 */
export class ConfabComments extends BaseElement implements CommentsHost {
  static override properties = [
    'texts',
    'failure',
    'isReading',
    'total',
    'now',
    'drawing',
    'spoken',
    'isToast',
    'getToken',
  ];
  static override sheet = sheetOf(style);
  static observedAttributes = ['server', 'app', 'uid', 'sort', 'lang', 'token-url'];

  /** Texts that replace those of the language. */
  declare texts: Texts | undefined;
  declare failure: Failure | undefined;
  declare isReading: boolean | undefined;
  declare total: number | undefined;
  declare now: number;
  declare drawing: number;
  declare spoken: string | undefined;
  declare presence: CommentsHost['presence'];
  declare isToast: boolean | undefined;
  /** Gives tokens for the users of the site, in place of `token-url`. */
  declare getToken: Exclude<TokenSource, string> | undefined;

  extensions: readonly Extension[] = [];
  keepPlace: CommentsHost['keepPlace'];
  /** Empty until the texts of the language are loaded. */
  language = '';
  t: Translate = createTranslate('en');
  #source!: Source;
  /** What is being read, which is shown when it is there. */
  #wanted!: Source;
  #key = '';
  #order: Order | undefined;
  readonly #speaker = createSpeaker(this, () => void this.redraw());
  #following: Following | undefined;
  #isNear = false;
  #retryMs = firstRetryMs;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #toast: ReturnType<typeof setTimeout> | undefined;
  #ends: (() => void)[] = [];
  #account: Promise<AccountPart> | undefined;

  readonly #look = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (target instanceof ConfabComment) this.#following?.look(target.place.comment.id, isIntersecting);
      else this.#near(isIntersecting);
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
    return this.#source.server;
  }

  get app(): string {
    return this.#source.app;
  }

  get thread(): Thread {
    return this.#source.thread;
  }

  get reading(): Reading {
    return this.#source.reading;
  }

  override connectedCallback(): void {
    setAgain(this, ['server', 'app']);
    this.now = Date.now();
    this.#begin();
    const tick = setInterval(() => {
      if (document.visibilityState === 'visible') this.now = Date.now();
    }, tickMs);
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener('hashchange', () => void this.#followHash(), { signal });
    addEventListener('online', () => this.failure !== undefined && void this.#read(), { signal });
    this.#ends.push(
      () => leaving.abort(),
      () => clearInterval(tick),
      this.server.session.subscribe(() => this.#begin()),
    );
    this.#look.observe(this);
    // It was moved while it waited to ask again.
    if (this.failure !== undefined) void this.#read();
    super.connectedCallback();
  }

  disconnectedCallback(): void {
    for (const end of this.#ends.splice(0)) end();
    clearTimeout(this.#retry);
    this.#look.unobserve(this);
    this.#near(false);
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
    const key = [server.url, app, order, session.isKnown, session.user?.id].join(' ');
    if (key === this.#key) return;
    this.#key = key;
    const thread = createThread(order, (isLive) => {
      const drawn = this.redraw();
      if (isLive) void this.keepPlace?.(this.root, drawn);
    });
    const reader = { api: withExtras(server.api), opens: () => opensPage(server, app) };
    this.#wanted = { server, app, thread, reading: createReading(reader, app, thread) };
    this.#source ??= this.#wanted;
    if (session.user ?? session.failure) void this.#showAccount();
    if (session.isKnown) void this.#read();
  }

  #useSite({ session }: Server): void {
    const tokens = this.getToken ?? this.getAttribute('token-url');
    if (tokens) session.useSite(tokens);
  }

  #showAccount() {
    this.#account ??= parts.account();
    void this.#account.then(
      (part) => this.extend(part.account),
      () => {
        this.#account = undefined;
      },
    );
    return this.#account;
  }

  async signIn(): Promise<boolean> {
    const { signIn } = await this.#showAccount();
    return await signIn(this);
  }

  async #read(): Promise<void> {
    clearTimeout(this.#retry);
    const source = this.#wanted;
    this.isReading = true;
    const [failure] = await Promise.all([source.reading.threads(), this.#speaker.ready()]);
    // Nothing moves when it comes.
    await this.#account?.catch(() => undefined);
    if (source !== this.#wanted) return;
    this.isReading = false;
    this.failure = failure;
    if (failure !== undefined) return this.#readLater(failure);
    this.#retryMs = firstRetryMs;
    this.#following?.end();
    this.#source = source;
    this.#following = follow(this, (total) => {
      this.total = total ?? this.total;
    });
    this.total = source.thread.total();
    await this.redraw();
    await this.#followHash();
    this.#following.watch(this.#isNear);
    for (const each of this.extensions) each.read?.(this);
    // Something has been written on this site and not been sent.
    if (read('confab-write') !== undefined) void intend(this, 'more');
    if (this.total === undefined) this.total = await source.reading.count();
  }

  /** A server that restarts, or is asked too much, is asked again. */
  #readLater({ status, retryAfter }: Failure): void {
    if (status > 0 && status < 500 && status !== 429) return;
    const delayMs = (retryAfter ?? 0) * 1000 || this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
    this.#retry = setTimeout(() => void this.#read(), delayMs);
  }

  #near(isNear: boolean): void {
    this.#isNear = isNear;
    if (this.thread.isRead()) this.#following?.watch(isNear);
  }

  followAgain(): void {
    this.#following?.watch(false);
    this.#near(this.#isNear);
  }

  observe(comment: HTMLElement): void {
    this.#look.observe(comment);
  }

  async #followHash(): Promise<void> {
    const id = /^#comment-(\d+)$/.exec(location.hash)?.[1];
    if (id !== undefined) await this.show(Number(id));
  }

  announce(text: string, { isShown = false } = {}): void {
    this.spoken = text;
    this.isToast = isShown;
    clearTimeout(this.#toast);
    this.#toast = setTimeout(() => {
      this.spoken = '';
      this.isToast = false;
    }, toastMs);
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
    return parts.seldom().then(
      (part) => part.show(this, id),
      () => {
        this.explain();
        return false;
      },
    );
  }

  protected override draw(): TemplateResult {
    this.#useSite(this.server);
    const speech = this.#speaker.speech(this.texts);
    if (speech !== undefined && speech.t !== this.t) {
      this.language = speech.language;
      this.t = speech.t;
      this.redrawAll();
    }
    const { failure, isToast, thread } = this;
    const isRead = this.language !== '' && thread.isRead();
    return html`<section class="root" part="root" aria-label=${this.t('heading')} aria-busy=${this.isReading === true}>
      ${isRead ? this.#list() : html`<slot>${failure ? nothing : this.#waiting()}</slot>`}
      ${failure ? this.#failed(failure) : nothing}
      <p class=${isToast ? 'toast' : 'hidden'} part="toast" role="status">${this.spoken}</p>
    </section>`;
  }

  #list(): TemplateResult {
    const { t, thread } = this;
    const waiting = thread.waitingCount();
    return html`${this.#header()}
      ${this.reading.isWritable() ? composer(this) : nothing}
      ${this.extensions.map((each) => each.form?.(this, undefined) ?? nothing)}
      ${
        waiting === 0
          ? nothing
          : html`<button class="waiting" part="button new" type="button" @click=${() => thread.reveal()}>
            ${t('newComments', { count: waiting })}
          </button>`
      }
      ${thread.shown().length === 0 && waiting === 0 ? html`<p class="empty quiet" part="empty">${t('empty')}</p>` : nothing}
      <ol class="threads" part="threads" role="list" @click=${this.#act}></ol>`;
  }

  /** Does what a button below a comment is for. */
  #act = ({ target }: Event): void => {
    const act = (target as Element).closest<HTMLElement>('[data-act]');
    const of = act?.closest<ConfabComment>('confab-comment');
    if (of) void intend(this, act?.dataset['act'] as Intent, of.place.comment);
  };

  #header(): TemplateResult {
    const { t, total } = this;
    const headers = this.extensions.flatMap((each) => each.header?.(this) ?? []);
    const heading =
      total === undefined ? t('heading') : total === 0 ? t('noComments') : t('comments', { count: total });
    return html`<header class="top" part="header">
      <h2 part="heading">${heading}</h2>
      ${this.presence?.()}
      ${headers.length > 0 ? headers : this.#signInButton()}
      <label class="sort">
        <span class="quiet">${t('sort')}</span>
        <select part="sort" @change=${this.#sort}>
          ${orders.map((each) => html`<option value=${each} ?selected=${each === this.thread.order}>${t(each)}</option>`)}
        </select>
      </label>
    </header>`;
  }

  /** Until the part with the account is loaded, which has its own. */
  #signInButton(): TemplateResult | typeof nothing {
    return this.server.session.source || !this.reading.isWritable()
      ? nothing
      : html`<button part="button" type="button" @click=${() => this.signIn().catch(() => this.explain())}>
          ${this.t('signIn')}
        </button>`;
  }

  protected override drawn(): void {
    const list = this.root.querySelector('.threads');
    if (list !== null) arrange(list, this.thread.shown(), this.#items);
  }

  readonly #items: Arranging<Shown> = {
    key: (each) => ('gapAfter' in each ? -each.gapAfter : each.comment.id),
    make: (each) => document.createElement('gapAfter' in each ? 'button' : 'confab-comment'),
    update: (element, each) => {
      if (element instanceof ConfabComment && 'comment' in each) {
        const { now, drawing } = this;
        Object.assign(element, { host: this, place: each, now, drawing });
        element.parentElement?.setAttribute('part', 'thread');
      } else if (element instanceof HTMLButtonElement && 'gapAfter' in each)
        Object.assign(element, {
          type: 'button',
          className: 'more',
          part: 'button',
          textContent: this.t('more'),
          onclick: () => this.#readMore(each.gapAfter),
        });
    },
  };

  async #readMore(after: number): Promise<void> {
    const failure = await this.reading.threads(after);
    if (failure !== undefined) this.explain(failure);
  }

  #sort = (event: Event): void => {
    this.#order = (event.target as HTMLSelectElement).value as Order;
    this.#begin();
  };

  #waiting(): TemplateResult {
    return html`<div class="skeleton" part="skeleton">
      <span class="hidden">${this.t('loading')}</span>
      ${[1, 2, 3, 4].map(() => html`<div aria-hidden="true"><i></i><b></b><b></b></div>`)}
    </div>`;
  }

  #failed({ status, message }: Failure): TemplateResult {
    const { t } = this;
    const away = t(navigator.onLine ? 'away' : 'offline');
    const text = status === 0 ? away : message || t('wrong');
    return html`<div class="failed" part="failure" role="alert">
      <p>${text}</p>
      <button part="button" type="button" @click=${() => this.#read()}>${t('tryAgain')}</button>
    </div>`;
  }
}

/** Whether an app that is not there is made for whoever writes first. */
function opensPage(server: Server, app: string): Promise<boolean> {
  return parts.seldom().then(
    (part) => part.opensPage(server, app),
    () => false,
  );
}
