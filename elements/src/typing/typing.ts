import {
  addEnglish,
  BaseElement,
  type CommentsHost,
  define,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
} from '../shared.ts';
import { typingEnglish } from '../texts/typing-english.ts';
import style from './typing.css';

/**
 * Who is writing a comment, loaded where the server says it. It is shown for some seconds after each message, and no screen
 * reader announces it. Whoever writes here, and is signed in, is shown to the others in the same way.
 */

addEnglish(typingEnglish);

/** How long somebody is shown after a message, in milliseconds. */
const shownMs = 6000;
/** How often the server is told that somebody is writing, and how long it is not after a refusal, in milliseconds. */
const sendMs = 3000;
const refusedMs = 60_000;

const sheet = sheetOf(style);
const shown = new WeakMap<CommentsHost, ConfabTyping>();

/** Shows in a host who is writing, as a message of the server says. The first one says that it does. */
export function hearTyping(host: CommentsHost, message: string): void {
  const root = host.shadowRoot;
  if (!root) return;
  const typing = shown.get(host) ?? (document.createElement('confab-typing') as ConfabTyping);
  if (!shown.has(host)) {
    root.adoptedStyleSheets.push(sheet);
    typing.host = host;
    shown.set(host, typing);
    host.extend({ form: (_, comment) => (comment === undefined ? html`${typing}` : nothing) });
    root.addEventListener('input', typing.send);
  }
  const { users } = JSON.parse(message.slice(message.indexOf('{')));
  typing.hear(users);
}

/** `<confab-typing>`: the names of those who are writing. It draws into itself. */
class ConfabTyping extends BaseElement {
  host!: CommentsHost;
  #app: string | undefined;
  /** Who is writing, by id, and until when each is shown. */
  readonly #writers = new Map<number, { readonly name: string; readonly until: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sendsAt = 0;

  hear(users: readonly { readonly id: number; readonly display_name: string }[]): void {
    const { app } = this.host;
    if (app !== this.#app) this.#writers.clear();
    this.#app = app;
    for (const { id, display_name: name } of users)
      this.#writers.set(id, { name, until: Date.now() + shownMs });
    void this.redraw();
  }

  /** Tells the server that somebody has typed into a field for a comment or an answer. */
  readonly send = ({ target }: Event): void => {
    const isWriting =
      target instanceof HTMLTextAreaElement &&
      target.value !== '' &&
      target.matches('confab-composer:not([data-place^="edit"]) > textarea');
    const { app, server } = this.host;
    if (!isWriting || server.session.user === undefined || Date.now() < this.#sendsAt) return;
    this.#sendsAt = Date.now() + sendMs;
    const path = `/api/apps/${encodeURIComponent(app)}/comments/typing`;
    void server.api.call(path, { method: 'PUT' }).then((answer) => {
      if (!answer.ok) this.#sendsAt = Date.now() + refusedMs;
    });
  };

  protected override draw(): TemplateResult {
    const { t, language, app } = this.host;
    const now = Date.now();
    for (const [id, { until }] of this.#writers) if (until <= now) this.#writers.delete(id);
    clearTimeout(this.#timer);
    const writers = app === this.#app ? [...this.#writers.values()] : [];
    if (writers.length === 0) return html``;
    const next = Math.min(...writers.map(({ until }) => until));
    this.#timer = setTimeout(() => void this.redraw(), next - now);
    // Each name keeps its own direction.
    const names = writers.map(({ name }) => `\u2068${name}\u2069`);
    const list = new Intl.ListFormat(language, { type: 'conjunction' });
    const text =
      writers.length === 1
        ? t('isTyping', { name: writers[0]?.name ?? '' })
        : t('areTyping', { names: list.format(names) });
    return html`<p class="typing" part="typing">${text}</p>`;
  }
}

define('confab-typing', ConfabTyping);
