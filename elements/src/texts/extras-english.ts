/** The texts in English of attachments and polls. */
export const extrasEnglish = {
  poll: 'Poll',
  votes: { one: '{count} vote', other: '{count} votes' },
  attachments: 'Attachments',
} satisfies Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;
