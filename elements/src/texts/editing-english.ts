/** The texts in English of editing; its part brings them with it. */
export const editingEnglish = {
  changeSaved: 'Changes saved.',
  changedMeanwhile: 'This comment was edited elsewhere. Current version:',
  keepMine: 'Save mine anyway',
  takeTheirs: 'Use the current version',
} satisfies Readonly<Record<string, string>>;
