/** The texts in English of permalinks. */
export const permalinkEnglish = {
  notFound: 'The comment that the address names is not here any more.',
} satisfies Readonly<Record<string, string>>;
