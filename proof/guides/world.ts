import { pageUid } from 'confab-contract/values/page-uid.ts';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type LocalServer, startLocal } from 'confab-testing/harness/local-server.ts';

/** The origins of a site and of its server. */
export type Addresses = { readonly site: string; readonly server: string };

/** The paths of the two posts of a static site. The second has what a uid spells in another way. */
export const staticPages = { first: '/posts/first/', second: '/posts/pr%C3%BCfung~c++/' } as const;

/** What the comments of the first page say; the last answers the first. */
export const texts = {
  first: 'The first comment',
  hostile: 'A closing </confab-comments> and <script>document.title = "taken over"</script>',
  answer: 'An answer to it',
} as const;

/** How many comments that is. */
export const textsCount = Object.keys(texts).length;

/**
 * Starts a server whose visitors open the pages of a site and write as guests. Nothing of an operator is done but these
 * settings.
 */
export async function startServerFor(site: string, folder: string): Promise<LocalServer> {
  return await startLocal({
    folder,
    settings: {
      CONFAB_CORS_ORIGINS: site,
      CONFAB_PAGES_VISITORS: 'write',
      CONFAB_PAGES_APPROVAL: 'none',
      CONFAB_SIGN_IN: 'guest',
      CONFAB_SIGN_IN_PUZZLE: 'no',
    },
  });
}

/** Makes the app of a page, and writes the comments in it. */
export async function writeComments(server: LocalServer, address: string): Promise<void> {
  await using client = new Client(server);
  const app = await client.create('/api/apps', {
    uid: pageUid(address),
    type: 'comments',
    access: 'write',
    visitors: 'write',
  });
  const [ada, grace] = [await issueToken(client, 'ada'), await issueToken(client, 'grace')];
  const path = `/api/apps/${app}/comments`;
  const first = await client.create(path, { text: texts.first }, ada);
  await client.create(path, { text: texts.hostile }, grace);
  await client.create(path, { text: texts.answer, reply_to: first }, grace);
}

/** The texts of the comments of a page, the oldest first, as visitors read them. */
export async function readComments(server: LocalServer, address: string): Promise<string[]> {
  const uid = encodeURIComponent(pageUid(address) ?? '');
  const answer = await fetch(`${server.url}/api/apps/${uid}/comments?order_by=id`);
  if (answer.status !== 200) throw new Error(`the comments of ${address} answered ${answer.status}`);
  const { data } = (await answer.json()) as { data: { text: string }[] };
  return data.map(({ text }) => text);
}
