import { type Receiver, startReceiver } from '../harness/receiver.ts';

/** Starts a site on loopback that answers each path with a page which has the path as its title; `url` ends with a slash. */
export async function startSite(): Promise<Receiver> {
  const receiver = await startReceiver((response, { path }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path.slice(1)}</title>`);
  });
  return { ...receiver, url: `${receiver.url}/` };
}
