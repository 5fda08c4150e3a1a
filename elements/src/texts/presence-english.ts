/** The texts in English of how many people are here. */
export const presenceEnglish = {
  present: { one: '{count} person is here', other: '{count} people are here' },
} satisfies Readonly<Record<string, { readonly one: string; readonly other: string }>>;
