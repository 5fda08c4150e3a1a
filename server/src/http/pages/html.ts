/** Text that is already HTML; the type prevents double escaping and raw text in a page. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | readonly Markup[] | string | number | undefined;

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function rendered(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  return typeof piece === 'object' ? piece.map(({ text }) => text).join('') : escaped(String(piece));
}

/**
 * HTML from a template. Values are escaped for use between tags or inside quotes, unless they are HTML already. Lists are
 * joined, and undefined becomes empty.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const parts = strings.map((part, index) => (index === 0 ? part : rendered(pieces[index - 1]) + part));
  return new Markup(parts.join(''));
}

/** A sentence in which backticks mark code and asterisks stress, as the contract writes its descriptions. */
export function prose(text: string): Markup {
  return new Markup(
    escaped(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*([^*\s][^*]*)\*/g, '<em>$1</em>'),
  );
}
