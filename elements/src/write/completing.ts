import { avatar, type CommentsHost, html, nothing, sheetOf, type TemplateResult } from '../shared.ts';
import { placeAt } from './caret.ts';
import style from './completing.css';
import type { Choice, Choices, Composer } from './composed.ts';
import type { Writing } from './writing.ts';

/**
 * Completes mentions after `@` and emoji after `:`, as a list box at the caret: the field keeps the focus, and the arrow keys
 * choose (ARIA Authoring Practices, "Combobox").
 */

const sheet = sheetOf(style);

/** A word that can be completed, at the end of what is before the cursor. */
const word = /(?:^|[\s(])([@:])([\p{L}\p{N}_+-][\p{L}\p{N}_+ -]{0,30})$/u;
/** How many people and emoji are offered. */
const choicesMax = 6;
/** How long nobody types before people are looked for, in milliseconds. */
const pauseMs = 150;

/** Completes what is written in a composer; `writing` is that of its element. */
export function completing(composer: Composer, { hasFeature, adopt }: Writing) {
  let asked = 0;
  /** Where the space is that follows what was chosen last. A space that is typed there is that one. */
  let spaceAt: number | undefined;
  adopt(sheet);

  function close(): void {
    asked += 1;
    composer.choices = undefined;
    for (const name of ['aria-activedescendant', 'aria-controls']) composer.field.removeAttribute(name);
  }

  function select(choices: Choices): void {
    composer.choices = choices;
    const { field, host, place = 'new' } = composer;
    field.setAttribute('aria-controls', `choices-${place}`);
    field.setAttribute('aria-activedescendant', `choice-${place}-${choices.selected}`);
    const { label } = choices.all[choices.selected] as Choice;
    host.announce(label);
    void composer.redraw().then(() => {
      const list = composer.querySelector<HTMLElement>('.choices');
      if (list !== null) placeAt(list, field, choices.start);
    });
  }

  function take(choice: Choice): void {
    const { choices } = composer;
    close();
    if (choices === undefined) return;
    const { start, end } = choices;
    const text = composer.mentions.short(choice.text);
    const hasSpace = composer.field.value[end] === ' ';
    composer.replace(start, hasSpace ? end + 1 : end, `${text} `);
    spaceAt = start + text.length;
  }

  return {
    close,

    /** Looks what the word before the cursor could become. */
    async look(): Promise<void> {
      const ask = ++asked;
      const { field } = composer;
      const { selectionStart: end, selectionEnd } = field;
      const [, mark, begun] = (end === selectionEnd && word.exec(field.value.slice(0, end))) || [];
      if (mark === undefined || begun === undefined) return close();
      // What was chosen before is no beginning of anything.
      if (composer.mentions.long(mark + begun) !== mark + begun) return close();
      if (mark === '@') await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (ask !== asked) return;
      const all =
        mark === ':' ? await emoji(begun) : hasFeature('mentions') ? await people(composer.host, begun) : [];
      if (ask !== asked) return;
      if (all.length === 0) return close();
      select({ all, selected: 0, start: end - begun.length - 1, end });
    },

    /** Uses a key. Returns whether it was for the list. */
    press(event: KeyboardEvent): boolean {
      const { choices, field } = composer;
      const isTwice = event.key === ' ' && field.selectionEnd - 1 === spaceAt && field.value[spaceAt] === ' ';
      spaceAt = undefined;
      if (isTwice) event.preventDefault();
      if (choices === undefined) return isTwice;
      const { all, selected } = choices;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) select({ ...choices, selected: (selected + step + all.length) % all.length });
      else if (event.key === 'Enter' || event.key === 'Tab') take(all[selected] as Choice);
      else if (event.key === 'Escape') close();
      else return false;
      event.preventDefault();
      return true;
    },

    draw({ all, selected }: Choices): TemplateResult {
      const { host, place = 'new' } = composer;
      return html`<ul class="choices" part="choices" role="listbox" id=${`choices-${place}`} aria-label=${host.t('suggestions')}>
        ${all.map(
          (choice, at) =>
            html`<li
              role="option"
              id=${`choice-${place}-${at}`}
              aria-selected=${at === selected}
              dir="auto"
              @mousedown=${(event: Event) => {
                // The focus stays in the text.
                event.preventDefault();
                take(choice);
              }}
            >
              ${choice.shown}
            </li>`,
        )}
      </ul>`;
    },
  };
}

type Person = { readonly id: number; readonly uid: string; readonly display_name: string };

/** People, each with their picture, and with their uid where another one has the same name. */
async function people({ server }: CommentsHost, begun: string): Promise<readonly Choice[]> {
  const path = `/api/users/autocomplete?top=${choicesMax}&q=${encodeURIComponent(begun)}`;
  const answer = await server.api.call<{ data: Person[] }>(path);
  if (!answer.ok) return [];
  const { data } = answer.body;
  return data.map((person) => {
    const { id, uid, display_name: name } = person;
    const isShared = data.some((other) => other.id !== id && other.display_name === name);
    return {
      label: isShared ? `${name} ${uid}` : name,
      shown: html`${avatar(person)}<span>${name} ${isShared ? html`<span class="quiet">${uid}</span>` : nothing}</span>`,
      text: `[@${name.replace(/[\\[\]]/g, '\\$&')}](@u${id})`,
    };
  });
}

async function emoji(begun: string): Promise<readonly Choice[]> {
  // One letter begins too many, and is more often a smiley of two characters.
  if (begun.length < 2) return [];
  const { findEmoji } = await import('./emoji.ts');
  return findEmoji(begun, choicesMax).map(({ emoji, name }) => ({
    label: `${emoji} ${name}`,
    shown: html`<span class="avatar emoji" aria-hidden="true">${emoji}</span><span>${name}</span>`,
    text: emoji,
  }));
}
