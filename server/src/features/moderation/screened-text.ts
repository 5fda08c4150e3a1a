import { bareText } from '../../kernel/unseen.ts';

/** A text as rules and the hook see it. */
export type ScreenedText = {
  /** The texts that are searched for words and patterns: the text as typed and as readers see it, options and tags. */
  readonly texts: readonly string[];
  /** The text as it is read; two are equal when their words are. */
  readonly plain: string;
  /** The links that a reader can follow, and the embed. */
  readonly linkCount: number;
};

/** The parts of a text. */
type Parts = {
  readonly text?: string;
  readonly html?: string;
  readonly plain?: string;
  readonly embed_id?: number;
  readonly tags?: readonly string[];
};

/**
 * The text of an entry, with the options that are written along with it. What nobody sees is left out, because senders of
 * spam take words apart with it.
 */
export function screenedText(
  { text = '', html = '', plain = text, embed_id: embedId, tags = [] }: Parts,
  options: readonly string[],
): ScreenedText {
  const texts = [text, plain, ...options, ...tags].map(bareText);
  return {
    texts: [...new Set(texts)].filter((each) => each !== ''),
    plain: bareText([plain, ...options].join('\n')),
    linkCount: html.split('<a ').length - 1 + (embedId === undefined ? 0 : 1),
  };
}

/** Whether two texts give the rules the same to judge. */
export function isSameText(one: ScreenedText, other: ScreenedText): boolean {
  return one.linkCount === other.linkCount && JSON.stringify(one.texts) === JSON.stringify(other.texts);
}

/** A text with the name of its author, which is searched for words and patterns as well. */
export function withName(text: ScreenedText, name: string): ScreenedText {
  return { ...text, texts: [...text.texts, bareText(name)] };
}

/** A name without a text. */
export function textOfName(name: string): ScreenedText {
  return withName({ texts: [], plain: '', linkCount: 0 }, name);
}
