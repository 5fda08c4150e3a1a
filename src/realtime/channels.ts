import { parseId } from '../kernel/ids.ts';

/** The most characters of the name of a channel. */
const nameCharactersMax = 100;

const pattern = /^(?:a([0-9]{1,16}):)?([a-z][a-z_]*)$/;

/**
 * The name of a channel in its one spelling, or undefined for what names none: `a42:comment_created` is an action in an
 * app, `message_created` one that concerns the listener, whatever app it is in.
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

/** The channel that carries the ids of the people who are there. */
export const onlineChannel = 'online';

/** The action that says who is writing; it is in no log. */
export const typingAction = 'typing';
