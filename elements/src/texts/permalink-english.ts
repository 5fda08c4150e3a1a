/** The texts in English of permalinks. */
export const permalinkEnglish = {
  notFound: 'That comment is no longer available.',
} satisfies Readonly<Record<string, string>>;
