/** The texts in English of reacting; its part brings them with it. */
export const reactingEnglish = {
  reactWith: 'React with {emoji}',
} satisfies Readonly<Record<string, string>>;
