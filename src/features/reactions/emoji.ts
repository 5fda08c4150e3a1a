// What Unicode recommends for general interchange: every emoji that people can choose on a keyboard, flags, keycaps,
// skin tones and families included.
const recommended = /^\p{RGI_Emoji}$/v;
// A code point that is set aside for emoji and has no meaning yet in the Unicode version of this runtime: a telephone
// that is newer than the server sends such ones.
const reserved = /^[\p{Extended_Pictographic}&&\p{Unassigned}]$/v;
// Characters that are text unless a variation selector or a skin tone follows, such as U+2764.
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/**
 * The emoji that `text` is, spelled with each variation selector (U+FE0F) that belongs to it, or undefined unless it is
 * exactly one. Clients leave selectors out, and the same emoji must be the same text to be counted together. Source:
 * Unicode Technical Standard 51, RGI emoji set.
 */
export function emojiOf(text: string): string | undefined {
  if (reserved.test(text)) return text;
  const spelled = text.replaceAll('\uFE0F', '').replaceAll(textByDefault, '$&\uFE0F');
  return recommended.test(spelled) ? spelled : undefined;
}
