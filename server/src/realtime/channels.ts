import { parseId } from 'confab-contract/values/ids.ts';

/** The most characters of the name of a channel. */
const nameCharactersMax = 100;

const pattern = /^(?:a([0-9]{1,16}):)?([a-z][a-z_]*)$/;

/**
 * The canonical name of a channel, or undefined for text that names none. `a42:comment_created` is an action in an app,
 * `message_created` an action in any app that the listener belongs to.
 */
export function readChannel(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > nameCharactersMax) return undefined;
  const name = text.toLowerCase();
  const [, app] = pattern.exec(name) ?? [];
  if (!pattern.test(name) || (app !== undefined && parseId(app) === undefined)) return undefined;
  return name;
}

/** The channel of an action in an app. */
export function appChannel(appId: number, action: string): string {
  return `a${appId}:${action}`;
}

/** The channel that carries the ids of the present users. */
export const onlineChannel = 'online';

/** The action of typing notices; it is not in the log. */
export const typingAction = 'typing';
