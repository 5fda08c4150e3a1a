/** The texts in English of attachments, polls and long texts. */
export const extrasEnglish = {
  poll: 'Poll',
  votes: { one: '{count} vote', other: '{count} votes' },
  yourVote: 'Your vote',
  attachments: 'Attachments',
  showMore: 'Show more',
  showLess: 'Show less',
} satisfies Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;
