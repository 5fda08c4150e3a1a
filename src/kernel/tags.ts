import { invalidField } from './problem.ts';

/** The most tags of one item. */
const tagsMax = 100;
/** The most characters of one tag after trimming. */
const tagCharactersMax = 64;

/**
 * Tags as they are stored: trimmed, each once, in the order given. Throws `validation_failed` for an empty tag, one
 * that is too long, or too many of them.
 */
export function normaliseTags(tags: readonly string[]): string[] {
  const kept = new Set<string>();
  tags.forEach((sent, index) => {
    const tag = sent.trim();
    if (tag === '') throw invalidField(`/tags/${index}`, 'required', 'must not be blank');
    if ([...tag].length > tagCharactersMax)
      throw invalidField(`/tags/${index}`, 'maxlength', `must have at most ${tagCharactersMax} characters`);
    kept.add(tag);
  });
  if (kept.size > tagsMax) throw invalidField('/tags', 'maxitems', `must hold at most ${tagsMax} tags`);
  return [...kept];
}
