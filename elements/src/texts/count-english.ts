/** The text in English of pages that nobody has commented on. */
export const countEnglish = {
  noComments: 'No comments',
} satisfies Readonly<Record<string, string>>;
