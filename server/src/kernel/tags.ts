import { isLongerThan } from 'confab-contract/values/characters.ts';
import { Faults } from './faults.ts';

/** The most tags of one item. */
const tagsMax = 100;
/** The most characters of one tag after trimming. */
const tagCharactersMax = 64;

/**
 * Tags as they are stored: trimmed, each once, in the order given. Throws `validation_failed` for empty tags, tags that
 * are too long, and too many of them.
 */
export function normaliseTags(tags: readonly string[]): string[] {
  const unique = new Set<string>();
  const faults = new Faults();
  for (const [index, text] of tags.entries()) {
    const tag = text.trim();
    const fault = tagFault(tag);
    if (fault !== undefined) faults.add(() => ({ pointer: `/tags/${index}`, ...fault }));
    else unique.add(tag);
    if (unique.size > tagsMax) {
      faults.add(() => ({
        pointer: '/tags',
        code: 'maxitems',
        message: `must hold at most ${tagsMax} tags`,
      }));
      break;
    }
  }
  if (faults.count > 0) throw faults.problem('validation_failed');
  return [...unique];
}

function tagFault(tag: string): { code: string; message: string } | undefined {
  if (tag === '') return { code: 'required', message: 'must not be blank' };
  return isLongerThan(tag, tagCharactersMax)
    ? { code: 'maxlength', message: `must have at most ${tagCharactersMax} characters` }
    : undefined;
}
