import { readFile } from 'node:fs/promises';

/**
 * What the sample users wrote before the demo was first opened: a launch that they plan together. It is written through
 * the operations of the interface, each as the user whose words it contains.
 */

/** The sample users. The demo shows Ada's and Grace's view; the others only write. */
export type SampleUser = 'ada' | 'grace' | 'katherine' | 'visitor';

/** The sender of a request: a sample user, or the operator with an API key. */
export type Sender = SampleUser | 'operator';

/** The item that a request created or read; a poll has options, and the rules have a version. */
export type DemoItem = {
  readonly id: number;
  readonly options?: readonly { readonly id: number }[];
  readonly version?: number;
};

/**
 * Posts a body and returns the body of the response. A path that begins with a method, such as `PUT /api/apps/7`, is sent
 * with that one. Throws unless it succeeds.
 */
export type SendAs = (sender: Sender, path: string, body?: object | FormData) => Promise<DemoItem>;

const picture = new URL('./landing-page.png', import.meta.url);

const plan = `# Launch plan

1. Review the landing page (Grace)
2. Decide the date (Ada)
3. Invite the first hundred teams (Katherine)
`;

const figures = `week,visitors,sign-ups
41,1840,92
42,2215,131
43,3120,204
`;

/** Writes all of it. Rejects when a request fails; what was written until then stays. */
export async function writeContent(send: SendAs): Promise<void> {
  await writeComments(send);
  await writePosts(send);
  await writeFiles(send);
  await writeChats(send);
  await writeForConsole(send);
}

async function writeComments(send: SendAs): Promise<void> {
  const path = '/api/apps/demo-comments/comments';
  const page = await upload(send, 'grace', await landingPage());
  const review = await send('grace', path, {
    text: 'The new landing page is ready for review. Does the **headline** work?',
    blobs: [page],
  });
  await send('ada', `/api/comments/${review.id}/reactions`, { content: '🎉' });
  await send('katherine', `/api/comments/${review.id}/reactions`, { content: '🎉' });
  await send('ada', path, {
    text: 'I like it. Two small things:\n\n- *Plan less* could be larger on phones\n- the button is hard to see for some, so let us try a darker blue',
  });
  await send('katherine', path, {
    text: 'This is the contrast that we need:\n\n```css\n.button { background: #084a6c; color: #fff; }\n```',
  });
  const date = await send('ada', path, {
    text: 'When do we launch?',
    options: [{ text: 'Tuesday, 1 December' }, { text: 'Thursday, 3 December' }],
  });
  const [tuesday, thursday] = date.options ?? [];
  await send('grace', `/api/options/${tuesday?.id}/vote`, {});
  for (const user of ['katherine', 'ada'] as const) await send(user, `/api/options/${thursday?.id}/vote`, {});
}

async function writePosts(send: SendAs): Promise<void> {
  const path = '/api/apps/demo-posts/posts';
  const welcome = await send('ada', path, {
    text: 'Welcome to the team, **Katherine**! She joins us to look after our first customers.',
  });
  await send('grace', `/api/posts/${welcome.id}/reactions`, { content: '👏' });
  await send('katherine', `/api/posts/${welcome.id}/comments`, { text: 'Thank you, I am glad to be here.' });
  const weekly = await send('katherine', path, {
    text: 'Sign-ups are up by half since last week: 204 teams. Most of them come from the article in *The Analytical Engine*.',
  });
  await send('ada', `/api/posts/${weekly.id}/reactions`, { content: '🚀' });
  await send('grace', `/api/posts/${weekly.id}/comments`, {
    text: 'Wonderful! The figures are in **Files**.',
  });
}

async function writeFiles(send: SendAs): Promise<void> {
  const path = '/api/apps/demo-files/files';
  const files: readonly (readonly [SampleUser, File])[] = [
    ['grace', await landingPage()],
    ['ada', new File([plan], 'Launch plan.md', { type: 'text/markdown' })],
    ['katherine', new File([figures], 'Sign-ups.csv', { type: 'text/csv' })],
  ];
  for (const [user, file] of files) {
    const item = await send(user, path, { blob_id: await upload(send, user, file) });
    if (user === 'ada')
      await send('grace', `/api/files/${item.id}/comments`, { text: 'The first step is done.' });
  }
}

async function writeChats(send: SendAs): Promise<void> {
  const chat = '/api/apps/demo-chat/messages';
  await send('katherine', chat, { text: 'Good morning! Is the staging server back?' });
  const back = await send('grace', chat, { text: 'Yes, since eight. It was only the certificate.' });
  await send('katherine', `/api/messages/${back.id}/reactions`, { content: '👍' });
  await send('ada', chat, { text: 'Thanks for looking after it so early.' });
  const team = await send('ada', '/api/conversations', {
    members: ['demo-grace', 'demo-katherine'],
    name: 'Launch team',
  });
  await send('ada', `/api/apps/${team.id}/messages`, { text: 'A room for everything about the launch.' });
  await send('katherine', `/api/apps/${team.id}/messages`, { text: 'Perfect, I shall invite the testers.' });
  const talk = await send('grace', '/api/conversations', { members: ['demo-ada'] });
  await send('grace', `/api/apps/${talk.id}/messages`, { text: 'Do you have five minutes today?' });
  await send('ada', `/api/apps/${talk.id}/messages`, { text: 'At three, over coffee?' });
}

/** Receivers that nobody can reach: the name is reserved for that (RFC 2606). */
const receivers = [
  // The server pauses it after a few comments.
  { payload_url: 'https://receiver.invalid/confab', triggers: ['comments'] },
  // One after the other: the server goes on trying the first.
  { payload_url: 'https://alerts.invalid/reports', triggers: ['moderation'], ordered: true },
];

const rules = [
  { name: 'Casinos', action: 'hold', words: ['online casino', 'free spins'] },
  { name: 'Many links', action: 'report', links_max: 2, only_open_apps: true },
  { name: 'Flood', action: 'refuse', rate: { count: 60, seconds: 60 } },
];

/** Work for moderators and operators, in an app that the demo does not show. */
async function writeForConsole(send: SendAs): Promise<void> {
  // The rules of an operator who has some stay as they are.
  const { version } = await send('operator', 'GET /api/moderation/rules');
  if (version === 0) await send('operator', 'PUT /api/moderation/rules', { version, rules });
  for (const receiver of receivers) await send('operator', '/api/webhooks', receiver);
  const path = '/api/apps/demo-guestbook/comments';
  const first = await send('katherine', path, { text: 'I came from the article in The Analytical Engin.' });
  await send('katherine', `PATCH /api/comments/${first.id}`, {
    text: 'I came from the article in *The Analytical Engine*. When do you open?',
  });
  await send('grace', path, { text: 'In the first week of December. Leave us your address!' });
  const watches = await send('visitor', path, { text: 'Cheap watches, only this week, write to me' });
  await send('visitor', path, { text: 'Play at our online casino: the first free spins are on us' });
  await send('visitor', path, {
    text: 'Look: https://one.invalid https://two.invalid https://three.invalid',
  });
  await send('grace', `/api/comments/${watches.id}/reports`, { reason: 'spam', text: 'Not the first time.' });
  await send('ada', `/api/comments/${watches.id}/reports`, { reason: 'spam' });
}

async function landingPage(): Promise<File> {
  return new File([await readFile(picture)], 'Landing page.png', { type: 'image/png' });
}

async function upload(send: SendAs, user: SampleUser, file: File): Promise<number> {
  const form = new FormData();
  form.append('blob', file);
  return (await send(user, '/api/blobs', form)).id;
}
