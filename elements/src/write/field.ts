import type { Format } from './format.ts';

/** The text field of a composer, apart from what is done with its text. */

/** How many lines the field shows when it is open, and before it scrolls. */
const rowsMin = 3;
const rowsMax = 16;

const formatKeys: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic', k: 'link' };

/** Makes the field as high as its text. */
export function grow(field: HTMLTextAreaElement, isOpen: boolean): void {
  field.rows = isOpen ? rowsMin : 1;
  const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(field);
  const height =
    field.scrollHeight - Number.parseFloat(paddingBlockStart) - Number.parseFloat(paddingBlockEnd);
  const lines = Math.round(height / Number.parseFloat(lineHeight));
  if (lines > field.rows) field.rows = Math.min(lines, rowsMax);
}

/**
 * Puts a text in place of a part of the field as if it were typed, so that the browser can undo it. Returns whether the
 * browser could: otherwise the field has the text, and says nothing of it.
 */
export function typeInto(
  field: HTMLTextAreaElement,
  { start, end, text }: { readonly start: number; readonly end: number; readonly text: string },
): boolean {
  field.focus();
  field.setSelectionRange(start, end);
  // The only way that keeps what the browser can undo; where there is none, the text is set.
  const isTyped =
    text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!isTyped) field.setRangeText(text, start, end, 'end');
  return isTyped;
}

/** What a key is pressed for in the field; undefined where it is for the browser. */
export function keyAction(event: KeyboardEvent): 'send' | 'cancel' | Format | undefined {
  const { value } = event.target as HTMLTextAreaElement;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && isCommand) return 'send';
  if (event.key === 'Escape' && value.trim() === '') return 'cancel';
  return isCommand && !event.shiftKey && !event.altKey ? formatKeys[event.key] : undefined;
}
