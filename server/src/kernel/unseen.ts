/**
 * Invisible characters: control characters, format characters, characters that Unicode calls default
 * ignorable (variation selectors, fillers, tags and more), private use, unassigned characters, lone
 * surrogates, and the blank of Braille. Whole sentences can hide in them. White space, the Arabic, Syriac and
 * Kaithi signs around numbers, and code points reserved for emoji count as visible.
 */
const unseenClass = String.raw`[[\p{Cc}\p{Cf}\p{DI}\p{Co}\p{Cn}\p{Cs}\u2800]--[\p{White_Space}\p{ExtPict}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]`;
const unseen = new RegExp(unseenClass, 'v');
const everyUnseen = new RegExp(unseenClass, 'gv');
const blank = new RegExp(String.raw`^[\p{White_Space}${unseenClass}]*$`, 'v');

// Arabic letters that join the next letter, and those that join the one before (Joining_Type D, and D or R).
const joiningBefore = String.raw`[[[\u0620-\u08ff]&&\p{L}]--[\u0621\u0674\u0887]]`;
const joiningBoth = String.raw`[${joiningBefore}--[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779\u0870-\u0882\u088e\u08aa-\u08ac\u08ae\u08b1\u08b2\u08b9]]`;
const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca]`;
/**
 * Joiners that change the form of a neighbouring letter, each with no other invisible character next to it.
 */
const joiner = [
  String.raw`(?<=${joiningBoth}\p{M}{0,4})\u200c(?=${joiningBefore})`,
  String.raw`(?<=${joiningBoth}\p{M}{0,4})\u200d(?!${joiningBefore}|${unseenClass})`,
  String.raw`(?<=${virama})[\u200c\u200d](?=[[\u0900-\u0dff]&&\p{L}])`,
  String.raw`(?<=[\u09cd\u0d4d\u0dca])\u200d(?!\p{L}|\p{M}|${unseenClass})`,
  String.raw`(?<=\u09b0)\u200d(?=\u09cd\u09af)`,
].join('|');
const pictograph = String.raw`\p{ExtPict}\ufe0f?\p{EMod}?`;
const picture = String.raw`[0-9#*]\ufe0f\u20e3|${pictograph}[\u{e0020}-\u{e007f}]*(?:\u200d${pictograph})*`;
const keptOrUnseen = new RegExp(`(${joiner})|(${picture})|${unseenClass}`, 'gv');
const recommended = /^\p{RGI_Emoji}$/v;
const textByDefault = /[[\p{ExtPict}]--[\p{Emoji_Presentation}]](?!\p{EMod})/gv;

/** The text, or null when it is absent or has no visible character: such a name counts as none. */
export function visibleText(text: string | null | undefined): string | null {
  return text === null || text === undefined || blank.test(text) ? null : text;
}

/** The text without invisible characters, for comparisons: Persian words and emoji lose their joiners. */
export function bareText(text: string): string {
  return text.replace(everyUnseen, '');
}

/**
 * The text with `put` in place of each selector and joiner of an emoji, and of each joiner that changes a
 * letter, because these belong to the visible spelling. Other invisible characters stay.
 */
export function replaceShaping(text: string, put: string): string {
  return text.replace(keptOrUnseen, (match: string, join?: string, seen?: string) => {
    if (join !== undefined) return put;
    return seen === undefined ? match : seen.replace(everyUnseen, () => put);
  });
}

/**
 * The text without invisible characters, except those that change the visible text: joiners that change the
 * form of a neighbouring Arabic or Indic letter (similar to RFC 5892, appendix A, for host names), and those
 * within an emoji that Unicode recommends (RGI of UTS 51), which gets its full spelling. So none of them can
 * carry a message.
 */
export function visibleCharacters(text: string): string {
  if (!unseen.test(text)) return text;
  return text.replace(
    keptOrUnseen,
    (_found, join?: string, seen?: string) => join ?? (seen === undefined ? '' : fullySpelled(seen)),
  );
}

function fullySpelled(picture: string): string {
  if (!unseen.test(picture)) return picture;
  const full = picture.replaceAll('\ufe0f', '').replace(textByDefault, '$&\ufe0f');
  return recommended.test(picture) ? picture : recommended.test(full) ? full : bareText(picture);
}
