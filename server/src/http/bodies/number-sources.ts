/**
 * JSON.parse converts every number to a double without reporting a change of its value. For values that are stored as
 * sent, this module keeps the text of such numbers and compares it with the double.
 */

/** Sixteen digits or an exponent. A double represents every other number. */
const suspicious = /\d[\d.]{15,}|\d[eE]/;

/** A double keeps every number of at most 15 characters whose exponent, with its `e` and its sign, has at most 3. */
const keptCharactersMax = { number: 15, exponent: 3 } as const;

const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;
const smallE = 0x65;

/**
 * The same JSON text in which every number that a double may change is a string; undefined when there is none. The text
 * must be valid JSON. Takes linear time.
 */
export function withNumbersAsTexts(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  let written = '';
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === minus || isDigit(code)) {
      const { end, exponentAt } = readNumber(text, at);
      if (end - at > keptCharactersMax.number || end - exponentAt > keptCharactersMax.exponent) {
        written += `${text.slice(copied, at)}"${text.slice(at, end)}"`;
        copied = end;
      }
      at = end;
    } else at += 1;
  }
  return copied === 0 ? undefined : written + text.slice(copied);
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

/** The index after the number that begins at `start`, and that of its exponent, which is the same without one. */
function readNumber(text: string, start: number): { end: number; exponentAt: number } {
  let exponentAt: number | undefined;
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (isDigit(code) || code === dot) continue;
    if ((code | 0x20) === smallE) exponentAt = end;
    else if (code !== plus && code !== minus) break;
  }
  return { end, exponentAt: exponentAt ?? end };
}

/** The most significant digits of the exact value of a double that are compared: what toPrecision can write. */
const precisionMax = 100;

/**
 * Whether `double`, read from the JSON number `text`, has the value of that number or is written as that number again:
 * no double is 0.1, but the one nearest to it is written 0.1.
 */
export function isKept(text: string, double: number): boolean {
  if (text === String(double)) return true;
  if (!Number.isFinite(double)) return false;
  const decimal = decimalOf(text);
  return decimal === decimalOf(String(double)) || decimal === decimalOf(double.toPrecision(precisionMax));
}

const decimal = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The magnitude of a decimal number in the one spelling that it has: its significant digits and their exponent. */
function decimalOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = decimal.exec(number) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === zero) start += 1;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === zero) end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
