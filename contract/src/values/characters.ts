/** Whether a text has more than `charactersMax` characters (Unicode code points). */
export function isLongerThan(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return false;
  if (text.length > 2 * charactersMax) return true;
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (!isLow(text.charCodeAt(at)) || !isHigh(text.charCodeAt(at - 1))) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs > charactersMax;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * Whether a text is pure ASCII: only then has its UTF-8 as many bytes as its UTF-16 has units. Ten times as fast as a
 * pattern.
 */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
