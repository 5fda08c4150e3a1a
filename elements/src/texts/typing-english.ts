/** The texts in English of who is writing. */
export const typingEnglish = {
  isTyping: '{name} is typing …',
  areTyping: '{names} are typing …',
} satisfies Readonly<Record<string, string>>;
