// The emoji that Unicode recommends for general interchange: all that a keyboard offers, including flags, keycaps, skin
// tones and families.
const recommended = /^\p{RGI_Emoji}$/v;
// A code point reserved for emoji that the Unicode version of this runtime does not assign: a phone newer than the
// server sends such code points.
const reserved = /^[\p{Extended_Pictographic}&&\p{Unassigned}]$/v;
// Characters that are shown as text unless a variation selector or a skin tone follows, such as U+2764.
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/**
 * The emoji in `text`, spelled with each of its variation selectors (U+FE0F), or undefined unless the text is exactly
 * one emoji. Clients leave selectors out, and the same emoji must be the same text to be counted together. Source:
 * Unicode Technical Standard 51, RGI emoji set.
 */
export function emojiOf(text: string): string | undefined {
  if (reserved.test(text)) return text;
  const spelled = text.replaceAll('\uFE0F', '').replaceAll(textByDefault, '$&\uFE0F');
  return recommended.test(spelled) ? spelled : undefined;
}
