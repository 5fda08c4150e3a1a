import { trusted } from '../shared.ts';

/**
 * What is answered in place of a server that is not trusted, and told to the developer of the site on the console; undefined
 * where it is trusted by now. Code that names its server after it has imported the script does so in the same task.
 */
export async function untrusted(url: string): Promise<Response | undefined> {
  await new Promise((resolve) => setTimeout(resolve));
  if (trusted.has(url)) return undefined;
  const detail = `This page does not trust ${url}.`;
  console.error(
    `Confab: ${detail} An attribute alone names no other server than the one that the script comes from: list it in data-servers of the tag of the script, or call trustServer('${url}').`,
  );
  return new Response(JSON.stringify({ detail }), { status: 403 });
}
