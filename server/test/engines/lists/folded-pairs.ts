/** The pairs of words for the tests of what a search holds equal. Decision 0150 shows them in short. */

/** Words that the collation for searching holds equal, with what differs. */
export const foldedTogether: readonly (readonly [string, string, string])[] = [
  ['مُحَمَّد', 'محمد', 'vowel signs of Arabic'],
  ['أحمد', 'احمد', 'hamza'],
  ['مدرسة', 'مدرسه', 'ta marbuta'],
  ['مصطفى', 'مصطفي', 'alef maksura'],
  ['كتـــاب', 'كتاب', 'tatweel'],
  ['٣٥', '35', 'digits of Arabic'],
  ['۳۵', '35', 'digits of Persian'],
  ['३५', '35', 'digits of Devanagari'],
  ['שָׁלוֹם', 'שלום', 'points of Hebrew'],
  ['œuvre', 'oeuvre', 'ligature'],
  ['Æsop', 'aesop', 'ligature'],
  ['Łódź', 'lodz', 'stroke'],
  ['đồng', 'dong', 'stroke and two accents'],
  ['øre', 'ore', 'stroke'],
  ['Straße', 'STRASSE', 'ß'],
  ['STRAẞE', 'strasse', 'capital ß'],
  ['İzmir', 'izmir', 'dotted capital I'],
  ['ὈΔΥΣΣΕΎΣ', 'οδυσσευς', 'final sigma'],
  ['ещё', 'еще', 'diaeresis of Cyrillic'],
  ['ひらがな', 'ヒラガナ', 'kana'],
  ['ｶﾞｷﾞ', 'かき', 'half width and voicing'],
  ['きっと', 'キツト', 'small kana'],
  ['한국', '한국'.normalize('NFD'), 'jamo'],
  ['한국', 'ㅎㅏㄴㄱㅜㄱ', 'compatibility jamo'],
  ['क़लम', 'कलम', 'nukta'],
  ['น้ำ', 'นำ', 'tone of Thai'],
  ['\u0E19\u0E33', '\u0E19\u0E4D\u0E32', 'sara am of Thai in two parts'],
  ['sof\u00ADt', 'soft', 'soft hyphen'],
  ['می\u200Cخواهم', 'میخواهم', 'zero-width non-joiner'],
  ['क्\u200Dष', 'क्ष', 'zero-width joiner'],
  ['zero\u200Bwidth', 'zerowidth', 'zero-width space'],
  ['wo\u2060rd', 'word', 'word joiner'],
  ['ﬁne', 'fine', 'compatibility ligature'],
  ['Ｆｕｌｌ', 'full', 'full width'],
  ['x²', 'x2', 'superscript'],
  ['col·legi', 'collegi', 'dot of Catalan'],
  ['①', '1', 'circled digit'],
];

/** Words that the collation keeps apart, and so does a search. */
export const keptApart: readonly (readonly [string, string, string])[] = [
  ['ک', 'ك', 'kaf of Persian and of Arabic'],
  ['ی', 'ي', 'ya of Persian and of Arabic'],
  ['ısı', 'isi', 'dotless i'],
  ['мой', 'мои', 'й is a letter of its own'],
  ['ŋ', 'n', 'eng'],
  ['þorn', 'thorn', 'thorn'],
  ['əd', 'ed', 'schwa'],
  ['กำ', 'กา', 'vowels of Thai'],
  ['カー', 'カア', 'long vowel of kana'],
  ['कि', 'क', 'vowel signs of Devanagari'],
  ['国', '國', 'simplified and traditional Han'],
];

/** Words that a search holds equal though the collation does not, each with the reason. */
export const searchedTogether: readonly (readonly [string, string, string])[] = [
  ['e-mail', 'e mail', 'punctuation separates words'],
  ['e‑mail', 'e-mail', 'all punctuation is the same'],
  ['½', '1/2', 'a fraction is its digits'],
  ['👍🏽', '👍', 'the tone of an emoji is no word'],
  ['ﷺ', 'صلى الله عليه وسلم', 'what Unicode maps it to, whose parts the collation changes'],
  ['ㄲ', 'ᄁ', 'the same'],
];

/** Words that the collation holds equal and a search keeps apart, each with the reason. */
export const foldedApart: readonly (readonly [string, string, string])[] = [
  ['html·css', 'htmlcss', 'the dot separates words, unless it is between two l'],
  ['a\u0001b', 'ab', 'control characters separate words'],
];

/** What punctuation within words does, and whether a search for one finds the other. */
export const punctuated: readonly (readonly [string, string, boolean])[] = [
  ['don’t', "don't", true],
  ['don’t', 'don t', true],
  ['don’t', 'dont', false],
  ['e-mail', 'email', false],
  ['e-mail', 'E–Mail', true],
  ['co-op', 'co op', true],
  ['co-op', 'coop', false],
  ['1,000,000', '1.000.000', true],
  ['1,000,000', '1 000 000', true],
  ['1,000,000', '1000000', false],
  ['under_score', 'under score', true],
  ['under_score', 'underscore', false],
  ['foo.bar', 'foo/bar', true],
  ['foo.bar', 'foobar', false],
  ['.NET', 'net', true],
  ['C++', 'c + +', true],
  ['C++', 'c', false],
  ['צה״ל', 'צה"ל', true],
];
