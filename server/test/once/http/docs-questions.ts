/**
 * A question as somebody types it into the search of the documentation, and the pages that answer it. An address with a
 * `#` names the section. More than one address means that each of them is a good answer.
 */
export type DocsQuestion = { readonly asked: string; readonly answers: readonly string[] };

const question = (asked: string, ...answers: string[]): DocsQuestion => ({
  asked,
  answers: answers.map((path) => (path.startsWith('/') ? path : `/docs/${path}`)),
});

/** The fifteen tasks with which a newcomer's use of the documentation was observed. */
export const tasks: readonly DocsQuestion[] = [
  question('how do I back up', 'backups'),
  question('how do I run it behind nginx', 'proxy#nginx'),
  question('receive a webhook in PHP', 'webhooks#php'),
  question('hide comments until approved', 'keeping-a-community#approval'),
  question('show how many comments a post has', 'elements#counts', 'elements#confab-count'),
  question('move from Disqus', 'migrating#disqus'),
  question('use it with React or Next', 'elements#next-run', 'elements#with-npm', 'comments'),
  question('how do I rotate a webhook secret', 'webhooks#secrets'),
  question("delete all of a user's data", 'keeping-a-community#export-and-erase'),
  question('what happens when the disk is full', 'durability#when-the-disk-is-full'),
  question('how many users can a small server take', 'performance#how-many-users-a-small-server-takes'),
  question('run it in Docker', 'installing#container'),
  question('how do I upgrade', 'installing#upgrading'),
  question('integrate my users', 'users', 'comments#return-a-token'),
  question('why did my webhook fail', 'webhooks#when-verification-fails', 'console#webhooks'),
];

/** Short queries and further questions of owners, moderators, operators and developers. */
export const others: readonly DocsQuestion[] = [
  question('JWT', 'users#tokens-that-your-identity-provider-signs'),
  question('single sign-on', 'users'),
  question('SSO', 'users'),
  question('upgrade', 'installing#upgrading'),
  question('backup', 'backups'),
  question('restore a backup', 'backups#checking-and-restoring'),
  question('react next', 'elements#next-run', 'elements#with-npm'),
  question('email notification', 'keeping-a-community#email'),
  question('theme colors', 'visitors#looks', 'elements#looks', 'elements#custom-properties'),
  question('dark mode', 'visitors#looks', 'elements#looks', 'comments'),
  question('change the colours of the comments', 'visitors#looks', 'elements#looks', 'visitors#on-a-page'),
  question('export all comments', 'keeping-a-community#export-and-erase', 'migrating#going-back'),
  question('gravatar', 'visitors#pictures'),
  question('profile picture', 'visitors#pictures', 'users#the-profile'),
  question('GDPR', 'keeping-a-community#export-and-erase'),
  question('moderate comments', 'keeping-a-community', 'console#moderation'),
  question('ban a user', 'visitors#for-moderators', 'keeping-a-community', 'console#users'),
  question('spam', 'keeping-a-community#rules', 'keeping-a-community#with-akismet-run'),
  question('akismet', 'keeping-a-community#with-akismet-run'),
  question('rate limit', 'keeping-a-community#limits', 'configuration#limits-on-clients'),
  question('lock a thread', 'keeping-a-community#locking'),
  question('close comments', 'keeping-a-community#locking'),
  question('nested replies', 'threads'),
  question('anonymous comments', 'visitors'),
  question('guests comment without account', 'visitors'),
  question('login with github', 'visitors#providers'),
  question('CORS error', 'comments#cors'),
  question('content security policy', 'comments#content-security-policy', 'visitors#content-security-policy'),
  question('import from wordpress', 'migrating#wordpress'),
  question('wordpress plugin', 'elements#wordpress-run', 'migrating#wordpress'),
  question('hugo', 'elements#hugo-run'),
  question('undo an import', 'imports#take-an-import-back'),
  question('https certificate', 'proxy', 'proxy#caddy', 'going-live#address-and-access'),
  question('kubernetes helm', 'installing#kubernetes'),
  question('docker compose postgres', 'installing#compose-with-postgresql'),
  question('systemd service', 'installing#systemd'),
  question('environment variables', 'configuration'),
  question('prometheus metrics', 'monitoring#metrics'),
  question('grafana dashboard', 'monitoring#dashboard-and-alerts'),
  question('high availability', 'scaling#high-availability'),
  question('verify webhook signature', 'webhooks'),
  question('webhook retries', 'webhooks#retries'),
  question('chatgpt agent', 'mcp'),
  question('search is not finding chinese words', 'search'),
  question('compare with giscus', 'comparison#giscus'),
];
