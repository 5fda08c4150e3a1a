import type { OtherElement } from '../others/element.ts';
import {
  BaseElement,
  type Comment,
  ConfabComments,
  createSpeaker,
  define,
  html,
  nothing,
  type Server,
  serverAt,
  sheetOf,
  type TemplateResult,
  watchStream,
} from '../shared.ts';
import style from './reactions.css';

/**
 * `<confab-reactions>`: the reactions to what a page is about, for pages that show one comment or post as their own content,
 * such as an announcement. Attributes: `comment` or `post`, its id. Everybody sees how many people reacted with which emoji;
 * whoever is signed in and may react chooses one, or takes it back.
 */

/** The emoji to choose from. There can be others, of clients that offer more. */
const offered = ['👍', '❤️', '😄', '🎉', '🤔', '👀'];

const sheet = sheetOf(style);
const rows = new WeakMap<OtherElement, Row>();

export function update(element: OtherElement): void {
  let row = rows.get(element);
  if (row === undefined) {
    const root = element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [ConfabComments.sheet, sheet];
    row = document.createElement('confab-reaction-row') as Row;
    row.host = element;
    rows.set(element, row);
    root.append(row);
  } else row.follow();
}

/** How long caches may keep an answer. After a change, the reactions are read once more when they have given it up. */
const settleMs = 11_000;

/** Who hears of the changes of an app. One connection serves all rows of a page that are about something in it. */
type Watch = { readonly listeners: Set<() => void>; readonly end: () => void };
const watches = new Map<string, Watch>();

/** Calls `changed` when a connection to the changes of an app opens and after each change, until the returned function is called. */
function watchApp({ url, api, session }: Server, app: number, changed: () => void): () => void {
  const key = `${url} ${app} ${session.user?.id}`;
  const watch = watches.get(key) ?? openWatch(api, app);
  watches.set(key, watch);
  watch.listeners.add(changed);
  return () => {
    watch.listeners.delete(changed);
    if (watch.listeners.size > 0) return;
    watch.end();
    watches.delete(key);
  };
}

function openWatch(api: Server['api'], app: number): Watch {
  const listeners = new Set<() => void>();
  const stream = { path: `/api/apps/${app}/changes`, news: /^event: changed/ };
  const end = watchStream(api, stream, (messages) => {
    if (messages?.length === 0) return;
    for (const listener of [...listeners]) listener();
  });
  return { listeners, end };
}

/** How often each emoji was chosen, and which the reader has chosen. */
type State = { readonly counts: ReadonlyMap<string, number>; readonly own: string | undefined };

function stateOf({ reactions }: Pick<Comment, 'reactions'>, userId: number | undefined): State {
  return {
    // Users get one of each person, visitors one of each emoji.
    counts: new Map(reactions.map(({ content, count }) => [content, count])),
    own: reactions.find(
      (each) => each.is_own || (each.created_by_id !== undefined && each.created_by_id === userId),
    )?.content,
  };
}

/** A state once the reader has chosen an emoji, or taken theirs back. */
function chosen({ counts, own }: State, emoji: string | undefined): State {
  const next = new Map(counts);
  if (own !== undefined) next.set(own, (next.get(own) ?? 1) - 1);
  if (emoji !== undefined) next.set(emoji, (next.get(emoji) ?? 0) + 1);
  return { counts: next, own: emoji };
}

/** What is inside of the element. */
class Row extends BaseElement {
  static override properties = ['state', 'fault'];

  host!: OtherElement;
  declare state: State | undefined;
  declare fault: string | undefined;
  readonly #speaker = createSpeaker(this, () => void this.redraw());
  #server: Server | undefined;
  #key = '';
  #isSending = false;
  #unsubscribe: (() => void) | undefined;
  #unwatch: (() => void) | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.follow();
  }

  disconnectedCallback(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#leave();
    this.#key = '';
  }

  #leave(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#settling);
  }

  /** The path of what is reacted to; undefined where no attribute names it. */
  #path(): string | undefined {
    const comment = this.host.getAttribute('comment');
    const post = this.host.getAttribute('post');
    if (comment) return `/api/comments/${encodeURIComponent(comment)}`;
    if (post) return `/api/posts/${encodeURIComponent(post)}`;
    return undefined;
  }

  /** Begins anew where something else, another server or another person is meant. */
  follow(): void {
    if (!this.isConnected) return;
    const server = serverAt(this.host.getAttribute('server'));
    if (server !== this.#server || this.#unsubscribe === undefined) {
      this.#unsubscribe?.();
      this.#unsubscribe = server.session.subscribe(() => this.follow());
      this.#server = server;
    }
    const path = this.#path();
    const key = `${server.url} ${path} ${server.session.user?.id}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#leave();
      if (path !== undefined) void this.#read(server, path);
    }
    void this.redraw();
  }

  async #read(server: Server, path: string, { isLive = false } = {}): Promise<void> {
    const key = this.#key;
    const answer = await server.api.call<Comment>(path, { isFresh: isLive });
    // What the reader has chosen meanwhile is shown already, and the server says when it has it.
    if (key !== this.#key || this.#isSending) return;
    if (isLive && !answer.ok && answer.status === 0) return;
    // Reactions that cannot be read are not missed: the page says what they are to.
    this.state = answer.ok ? stateOf(answer.body, server.session.user?.id) : undefined;
    if (answer.ok) this.#unwatch ??= watchApp(server, answer.body.app_id, () => this.#follow(server, path));
  }

  /** Reads the reactions again now, and when no cache has those of before any more. */
  #follow(server: Server, path: string): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#read(server, path, { isLive: true }), settleMs);
    void this.#read(server, path, { isLive: true });
  }

  protected override draw(): TemplateResult {
    const { state, fault } = this;
    const speech = this.#speaker.speech(this.host.texts);
    if (state === undefined || speech === undefined) return html``;
    const { t, language } = speech;
    const canReact = this.#server?.session.user !== undefined;
    const given = [...state.counts].filter(([emoji, count]) => count > 0 && !offered.includes(emoji));
    const emojis = [
      ...offered.filter((emoji) => canReact || (state.counts.get(emoji) ?? 0) > 0),
      ...given.map(([emoji]) => emoji),
    ];
    const numbers = new Intl.NumberFormat(language);
    return html`<div class="root">
      <ul class="reactions" part="reactions" role="list" aria-label=${t('reactions')}>
        ${emojis.map((emoji) => {
          const count = state.counts.get(emoji) ?? 0;
          const label = t('reacted', { emoji, count });
          const shown = html`<span aria-hidden="true">${emoji}${count === 0 ? '' : ` ${numbers.format(count)}`}</span>`;
          return html`<li>
            ${
              canReact
                ? html`<button
                  part=${emoji === state.own ? 'reaction own' : 'reaction'}
                  type="button"
                  aria-pressed=${emoji === state.own}
                  aria-label=${label}
                  title=${label}
                  @click=${() => this.#choose(emoji)}
                >
                  ${shown}
                </button>`
                : html`<span part="reaction" title=${label}>${shown}<span class="hidden">${label}</span></span>`
            }
          </li>`;
        })}
      </ul>
      ${fault === undefined ? nothing : html`<p class="quiet" role="alert">${fault || t('away')}</p>`}
    </div>`;
  }

  async #choose(emoji: string): Promise<void> {
    const path = this.#path();
    const { state: before } = this;
    if (path === undefined || before === undefined || this.#server === undefined || this.#isSending) return;
    const { api } = this.#server;
    const key = this.#key;
    const next = emoji === before.own ? undefined : emoji;
    this.#isSending = true;
    this.fault = undefined;
    this.state = chosen(before, next);
    const answer =
      next === undefined
        ? await api.call(`${path}/reactions`, { method: 'DELETE' })
        : await api.call(`${path}/reactions`, { method: 'POST', body: { content: next } });
    this.#isSending = false;
    if (answer.ok || key !== this.#key) return;
    this.state = before;
    this.fault = answer.message;
  }
}

define('confab-reaction-row', Row);
