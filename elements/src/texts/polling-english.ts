/** The texts in English of the options of a poll that is made. */
export const pollingEnglish = {
  poll: 'Poll',
  pollOption: 'Option {number}',
  addOption: 'Add option',
  removeOption: 'Remove option {number}',
  removePoll: 'Remove poll',
  pollQuestion: 'Write the question of the poll first.',
  pollTooFew: 'A poll needs at least two options.',
} satisfies Readonly<Record<string, string>>;
