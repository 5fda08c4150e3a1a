/** The texts in English of reports and earlier versions. */
export const unfoldingEnglish = {
  versionOf: 'Changed {time}',
  noVersions: 'No earlier version is kept.',
  reportReason: 'Why do you report this comment?',
  reasonSpam: 'Advertising',
  reasonAbuse: 'Insults, harassment or threats',
  reasonIllegal: 'It breaks the law',
  reasonOffTopic: 'It does not belong here',
  reasonOther: 'Something else',
  reportText: 'What moderators should know (optional)',
  reportSent: 'Thank you. The moderators have been told.',
} satisfies Readonly<Record<string, string>>;
