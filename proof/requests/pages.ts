import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { hostilePages } from './hostile.ts';

/** What link previews are made of, on this machine. At the end of a scope with `using` the server of it is closed. */
export type Pages = Disposable & {
  /** The names of the pages and pictures. */
  readonly names: readonly string[];
  /** An address of one of them that was never used before. */
  freshUrl(name: string): string;
};

/** Starts a server of pages on a free port of this machine. */
export async function startPages(): Promise<Pages> {
  const pages = await hostilePages();
  const names = Object.keys(pages);
  let used = 0;
  const receiver = await startReceiver((response, { path }) => {
    const [, number = ''] = path.split('/');
    const page = pages[names[Number(number)] ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': page.type }).end(page.body);
  });
  return {
    names,
    freshUrl(name) {
      used += 1;
      return `${receiver.url}/${names.indexOf(name)}/${used}`;
    },
    [Symbol.dispose]: receiver.close,
  };
}
