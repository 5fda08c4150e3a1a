import type { Composer } from './composed.ts';
import { writingOf } from './writing.ts';

/** Creates what keeps the text of a composer as the draft of whoever writes it. */
export function createDrafting(composer: Composer) {
  /** The draft that it showed first. */
  let first: string | undefined;
  /** Whose text it has; undefined for somebody who had not signed in. */
  let author: number | undefined;

  const place = () => composer.place ?? 'new';
  const drafts = () => writingOf(composer.host).drafts();
  const me = () => writingOf(composer.host).me()?.id;

  return {
    place,

    /** Shows the draft of this place, or keeps what was written before there was one. */
    begin(): void {
      const { field } = composer;
      author = me();
      first = drafts().read(place());
      const isTyped = field.value !== '' && field.value !== field.defaultValue;
      if (isTyped) drafts().write(place(), composer.text);
      else composer.text = first ?? field.value;
      // A form that was opened is written on at its end.
      if (composer.place !== undefined) field.setSelectionRange(field.value.length, field.value.length);
    },

    /** Empties the field where another tab has sent or given up the text that is shown here. */
    followStorage(): void {
      const { text } = composer;
      if (text !== '' && text === first && drafts().read(place()) === undefined) composer.clear();
    },

    /**
     * Shows what the person who is signed in now has written here. Returns whether its text was taken away: it is of somebody
     * else, or of somebody who has signed out. Where a session has only ended, its draft is kept, and shown until then.
     */
    followPerson(): boolean {
      const [before, person] = [author, me()];
      if (person === before) return false;
      if (before !== undefined && person === undefined && drafts().isKept(before, place())) return false;
      author = person;
      if (before !== undefined) composer.clear();
      const draft = composer.field.value === '' ? drafts().read(place()) : undefined;
      if (draft !== undefined) {
        composer.text = draft;
        composer.open();
      }
      return before !== undefined;
    },

    /** Keeps what was typed. */
    keep(): void {
      author = me();
      drafts().write(place(), composer.text);
    },

    forget: () => drafts().forget(place(), composer.text),
  };
}
