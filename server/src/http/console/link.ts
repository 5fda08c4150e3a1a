/**
 * The address that begins a session of the console with a link. The secret is behind the `#`, which browsers do not send:
 * neither a log nor a program that previews addresses uses it up.
 */
export function consoleAddress(publicUrl: string, link: string): string {
  return `${publicUrl}/console#link=${link}`;
}
