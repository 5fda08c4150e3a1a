/** The texts in English of reports and earlier versions. */
export const unfoldingEnglish = {
  versionOf: 'Changed {time}',
  noVersions: 'No earlier version is kept.',
  reportReason: 'Why are you reporting this?',
  reasonSpam: 'Spam',
  reasonAbuse: 'Insults, harassment or threats',
  reasonIllegal: 'Illegal',
  reasonOffTopic: 'Off topic',
  reasonOther: 'Something else',
  reportText: 'What moderators should know (optional)',
  reportSent: 'Thanks. Moderators will take a look.',
} satisfies Readonly<Record<string, string>>;
