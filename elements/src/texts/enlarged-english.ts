/** The texts in English of a picture as large as the window. */
export const enlargedEnglish = {
  pictureOf: 'Picture {number} of {count}',
  previousPicture: 'Previous picture',
  nextPicture: 'Next picture',
  close: 'Close',
} satisfies Readonly<Record<string, string>>;
