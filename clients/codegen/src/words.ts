/** Text for sources: words in the spelling of a language, and sentences in lines. */

/** `createAppComment` as `create_app_comment`. */
export function snake(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A text in lines of at most `width` characters, broken at spaces. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Every line of a text behind `by`; empty lines stay empty. */
export function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** A sentence as it goes on within another one: with a small letter, unless it begins with a word in capitals. */
export function lowerFirst(text: string): string {
  if (/^[A-Z]{2}/.test(text)) return text;
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
