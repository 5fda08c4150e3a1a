import type { TemplateResult } from '../shared.ts';
import type { completing } from './completing.ts';
import type { Choices, Composer } from './composed.ts';
import { writingOf } from './writing.ts';

/** Creates what completes the words of a composer. Its part is loaded when a word could be completed. */
export function createCompletion(composer: Composer) {
  let part: ReturnType<typeof completing> | undefined;

  return {
    /** Looks for what completes the word that is written. Without the part, words are written to their end. */
    async look(): Promise<void> {
      if (part === undefined && /[@:]/.test(composer.field.value)) {
        const loaded = await import('./completing.ts').catch(() => undefined);
        part ??= loaded?.completing(composer, writingOf(composer.host));
      }
      await part?.look();
    },

    close: () => part?.close(),

    /** Whether a key was for the choices. */
    press: (event: KeyboardEvent): boolean => part?.press(event) ?? false,

    draw: (choices: Choices): TemplateResult | undefined => part?.draw(choices),
  };
}
