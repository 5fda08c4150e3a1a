import { update as updateCount } from '../count/count.ts';
import { serverAt, trustServer } from '../shared.ts';
import type { OtherElement } from './element.ts';

/**
 * The other elements. Most pages have none of them, so the entry defines their names alone, and loads this part when the
 * first of them comes into a page.
 */

/** What an element does. */
type Part = {
  /** Called when it comes into a page, and after each change of its attributes and properties. */
  update(element: OtherElement): void;
};

const parts: Readonly<Record<string, () => Promise<Part>>> = {
  'confab-annotations': () => import('../annotations/annotations.ts'),
  'confab-count': async () => ({ update: updateCount }),
  'confab-notifications': () => import('../notifications/notifications.ts'),
  'confab-reactions': () => import('../reactions/reactions.ts'),
};

/** The properties that draw an element again. */
const properties = ['texts', 'getToken'] as const;

const followed = new WeakSet<Element>();

/** Brings an element to life that has come into a page. */
export async function connect(element: OtherElement): Promise<void> {
  const part = await parts[element.localName]?.();
  if (part === undefined) return;
  const update = () => {
    if (!element.isConnected) return;
    const tokens = element.getToken ?? element.getAttribute('token-url');
    if (tokens) serverAt(element.getAttribute('server')).session.useSite(tokens);
    part.update(element);
  };
  if (!followed.has(element)) {
    followed.add(element);
    new MutationObserver(update).observe(element, { attributes: true });
    for (const name of properties) followProperty(element, name, update);
    const useServer = () => {
      if (!element.server) return;
      // Only code sets properties.
      trustServer(element.server);
      element.setAttribute('server', element.server);
    };
    useServer();
    followProperty(element, 'server', useServer);
  }
  update();
}

/** Calls `changed` when a property gets another value, which may have been set before. */
function followProperty(element: object, name: string, changed: () => void): void {
  let value: unknown = Reflect.get(element, name);
  Object.defineProperty(element, name, {
    get: () => value,
    set: (next: unknown) => {
      if (Object.is(next, value)) return;
      value = next;
      changed();
    },
  });
}
