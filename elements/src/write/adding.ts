import type { Addition, Composer } from './composed.ts';
import type { More } from './outbox.ts';
import { type Writing, writingOf } from './writing.ts';

/** What a composer has besides its text and its files. Each is a part of its own that is loaded when it is used. */

const parts = {
  poll: () => import('./polling.ts'),
  preview: () => import('./previewing.ts'),
  text: () => import('./looking.ts'),
  emoji: () => import('./choosing.ts'),
} satisfies Readonly<Record<string, () => Promise<{ add(composer: Composer, writing: Writing): Addition }>>>;

/** Creates the additions of a composer. */
export function createAdditions(composer: Composer) {
  const added = new Map<keyof typeof parts, Addition>();

  /** Whether somebody may add something. An edit keeps what it has. */
  const has = (feature: string) =>
    !composer.place?.startsWith('edit') && writingOf(composer.host).hasFeature(feature);

  /** Adds one, or uses it again. Without its part, comments are written without it. */
  async function use(name: keyof typeof parts): Promise<void> {
    const writing = writingOf(composer.host);
    let addition = added.get(name);
    if (addition === undefined) {
      const loading = parts[name]();
      // Nobody has asked for the preview of a link.
      const part = await (name === 'preview' ? loading.catch(() => undefined) : writing.load(loading));
      addition = added.get(name) ?? part?.add(composer, writing);
    }
    if (addition === undefined) return;
    added.set(name, addition);
    addition.use();
  }

  return {
    use,

    /** Shows what is kept of a poll. */
    begin(): void {
      const { place = 'new', host } = composer;
      if (writingOf(host).drafts().read(`poll-${place}`) !== undefined) void use('poll');
    },

    /** Whether a poll can be added. */
    hasPolls: () => has('polls'),

    /** Looks for a link, of which a preview can be shown. */
    typed(): void {
      if (has('embeds') && /https?:\/\/./.test(composer.field.value)) void use('preview');
    },

    draw: () => [...added.values()].map((each) => each.draw()),

    /** What is sent of all of them; undefined where one cannot be sent as it is. */
    fields(): More | undefined {
      const all = [...added.values()].map((each) => (each.fields ? each.fields() : {}));
      return all.includes(undefined) ? undefined : Object.assign({}, ...all);
    },

    clear(): void {
      for (const each of added.values()) each.clear();
    },
  };
}
