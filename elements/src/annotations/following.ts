import { appOfPage, type Server, serverAt } from '../shared.ts';
import type { Desk } from './desk.ts';
import { unmark } from './marking.ts';
import { click, followHash } from './opening.ts';
import { createPlaces, keyAttribute } from './places.ts';
import { createRoots } from './roots.ts';
import { createSelecting } from './selecting.ts';
import { markShown } from './shown.ts';

/** Creates what gives an element its threads and their places, by its attributes and who is signed in. */
export function createFollowing(desk: Desk) {
  let key = '';
  let server: Server | undefined;
  let leaving = new AbortController();
  let unsubscribe: (() => void) | undefined;
  // A page may draw its content later, or anew.
  const observer = new MutationObserver(() => {
    if (desk.places?.content.isConnected !== true) following.follow();
  });

  function endContent(): void {
    unmark(desk);
    leaving.abort();
    leaving = new AbortController();
    desk.roots?.end();
    desk.places?.end();
    desk.selecting?.end();
    key = '';
  }

  function watch(next: Server): void {
    if (server === next) return;
    server = next;
    unsubscribe?.();
    unsubscribe = next.session.subscribe(following.follow);
  }

  /** Reads the threads of the text, and of the elements with keys that the content has by now. */
  async function read(name: string): Promise<void> {
    const keys = desk.places?.elements().map((each) => each.getAttribute(keyAttribute) ?? '');
    await desk.roots?.follow([name, ...new Set(keys)]);
  }

  const following = {
    /** Begins anew where another content, server, app or person is meant. */
    follow: (): void => {
      const { host } = desk;
      if (!host.isConnected) return;
      observer.observe(host.getRootNode(), { childList: true, subtree: true });
      const next = serverAt(host.getAttribute('server'));
      const app = host.getAttribute('app') || host.getAttribute('uid') || appOfPage() || '';
      const selector = host.getAttribute('for') ?? '';
      const name = selector.replace(/^#/, '');
      const content = find(host, selector);
      const { user, isKnown } = next.session;
      watch(next);
      const nextKey = [next.url, app, selector, user?.id].join(' ');
      if (content === undefined || !isKnown || (nextKey === key && content === desk.places?.content)) return;
      endContent();
      key = nextKey;
      const roots = createRoots(next, app, () => desk.places?.follow(roots.all()));
      desk.roots = roots;
      desk.places = createPlaces(content, name, () => {
        markShown(desk);
        void desk.redraw();
        void read(name);
      });
      desk.selecting = createSelecting(desk, content);
      content.addEventListener('click', (event) => click(desk, event as MouseEvent), {
        signal: leaving.signal,
      });
      void read(name).then(() => followHash(desk));
    },

    end(): void {
      observer.disconnect();
      endContent();
      unsubscribe?.();
      unsubscribe = undefined;
      server = undefined;
    },
  };
  return following;
}

/** The content that an element is for, in the tree that it is in. */
function find(host: Element, selector: string): Element | undefined {
  try {
    return (host.getRootNode() as Document | ShadowRoot).querySelector(selector) ?? undefined;
  } catch {
    // It is no selector.
    return undefined;
  }
}
