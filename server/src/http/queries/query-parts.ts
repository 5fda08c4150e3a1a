/** The name of a parameter as it is compared: ignoring case and underscores, as existing clients spell them. */
export function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** A name or a value of a query; undefined where it cannot be decoded. */
export function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A parameter that cannot be decoded counts as absent.
    return undefined;
  }
}

/** The folded name of a part of a query, `name=value` or a name alone; undefined where it cannot be decoded. */
export function nameOf(part: string): string | undefined {
  const [name = ''] = part.split('=', 1);
  const decoded = decode(name);
  return decoded === undefined ? undefined : foldName(decoded);
}
