import {
  act,
  type Comment,
  type CommentsHost,
  ConfabComments,
  define,
  type Extension,
  html,
  intend,
  nothing,
  type Reading,
  type Reply,
  sheetOf,
  type TemplateResult,
  type Thread,
} from '../shared.ts';
import type { Anchor, Root } from './anchors.ts';
import type { Roots } from './roots.ts';
import style from './thread.css';

/** The threads of one place, with all that `<confab-comments>` has for theirs, or the field for the first comment of one. */

const sheet = sheetOf(style);

/** Below the comment that began a thread: whether it is resolved, and the button that changes that. */
const resolving: Extension = {
  actions(host, comment) {
    const thread = host as ConfabAnnotationThread;
    const { user } = host.server.session;
    // Visitors answer, and resolve nothing (0187).
    const isAble = user !== undefined && user.way === undefined && host.reading.isWritable();
    if (comment.root_id !== undefined || comment.is_held || !isAble) return nothing;
    const isResolved = (comment as Root).resolved_at !== undefined;
    return html`<button class="resolve" part="button" type="button" @click=${() => thread.settle(comment)}>
      ${host.t(isResolved ? 'reopen' : 'resolve')}
    </button>`;
  },
};

export class ConfabAnnotationThread extends ConfabComments implements CommentsHost {
  /** All threads of the page, which has those that are shown here. */
  declare roots: Roots;
  /** Those that are shown. */
  declare ids: readonly number[];
  /** What the first comment of a thread that is being written is about. */
  declare anchor: Anchor | undefined;
  readonly #given = new Map<number, Comment>();

  constructor() {
    super();
    this.shadowRoot?.adoptedStyleSheets.push(sheet);
    this.extensions = [resolving];
  }

  get fields(): Readonly<Record<string, unknown>> | undefined {
    return this.anchor && { anchor: this.anchor };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.anchor !== undefined) void intend(this, 'write');
  }

  /** Lists the threads that are shown here, with all of their answers. */
  reads(reading: Reading, thread: Thread): Reading {
    return {
      ...reading,
      isMissing: () => false,
      isWritable: () => this.roots.isWritable(),
      count: async () => undefined,
      threads: async (_, { isLive = false } = {}) => {
        const at = thread.changes();
        if (isLive) await this.roots.read(true);
        const data = this.ids.flatMap((id) => this.roots.get(id) ?? []);
        thread.take({ data, count: data.length, next: undefined }, { isLive, at });
        if (isLive) return undefined;
        for (const { id, reply_count: count = 0 } of data) if (count > 0) await reading.answers(id);
        return undefined;
      },
    };
  }

  /** Another element of the page may have what the address names. */
  override async show(id: number): Promise<boolean> {
    return this.thread.get(id) !== undefined && (await super.show(id));
  }

  protected override frame(): TemplateResult {
    const { t, anchor } = this;
    return html`<ol class="threads" part="threads" role="list" @click=${(event: Event) => act(this, event)}></ol>
      ${this.extensions.map((each) => each.form?.(this, undefined) ?? nothing)}
      ${
        anchor === undefined
          ? nothing
          : html`<confab-composer class="composer" part="composer" .host=${this} .place=${placeOf(anchor)}
            ><textarea part="textarea" rows="3" dir="auto" aria-label=${t('write')} placeholder=${t('write')}></textarea
          ></confab-composer>`
      }`;
  }

  protected override drawn(): void {
    super.drawn();
    for (const each of this.thread.shown()) {
      if (!('comment' in each) || this.#given.get(each.comment.id) === each.comment) continue;
      const { comment } = each;
      this.#given.set(comment.id, comment);
      // What was just written is a thread like the others from now on.
      if (!this.ids.includes(comment.id)) {
        this.ids = [...this.ids, comment.id];
        this.anchor = undefined;
        this.dispatchEvent(new CustomEvent('begun', { detail: comment.id }));
        void this.redraw();
      }
      this.roots.put(comment);
    }
  }

  /** Resolves a thread, or reopens it. */
  async settle(comment: Comment): Promise<void> {
    const { server, t } = this;
    const isResolved = (comment as Root).resolved_at !== undefined;
    const path = `/api/comments/${comment.id}/${isResolved ? 'reopen' : 'resolve'}`;
    const answer: Reply<Root> = await server.api.call(path, { method: 'POST' });
    if (!answer.ok) return this.explain(answer);
    const { resolved_at: at } = answer.body;
    const { resolved_at: _, ...known } = (this.thread.get(comment.id) ?? comment) as Root;
    this.thread.put(at === undefined ? known : ({ ...known, resolved_at: at } as Comment));
    this.redrawAll();
    this.announce(t(isResolved ? 'threadReopened' : 'threadResolved'), { isShown: true });
  }
}

/** Where a draft about something is kept. */
const placeOf = ({ key, selector }: Anchor) =>
  `at-${encodeURIComponent(JSON.stringify([key, selector?.[1] ?? selector?.[0]]))}`;

define('confab-annotation-thread', ConfabAnnotationThread);
