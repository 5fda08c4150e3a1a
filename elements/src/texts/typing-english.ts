/** The texts in English of who is writing. */
export const typingEnglish = {
  isTyping: '{name} is writing …',
  areTyping: 'Writing: {names}',
} satisfies Readonly<Record<string, string>>;
