import { invalidField } from 'confab-contract/problem.ts';
import { plainText } from './plain-text.ts';

/** An embed that a client describes, instead of a page that the server fetches. */

/** What a client says of an embed; texts have no limits here, the contract has them. */
export type EmbedDraft = {
  readonly type: 'link' | 'photo';
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly image?: string | undefined;
  readonly actions?: readonly string[] | undefined;
};

/** An embed to store. No fetch of its address finds it, so nobody can say what others see of a page. */
export type MadeEmbed = {
  readonly originalUrl: string;
  readonly content: string;
  readonly actions: string | null;
};

const charactersMax = { title: 256, description: 1024, action: 64 } as const;

/** Reads an embed; `readLink` reads an address in it. Throws `validation_failed`. */
export function readMade(
  draft: EmbedDraft,
  readLink: (address: string, pointer: string) => string,
): MadeEmbed {
  const { type, url, image } = draft;
  const title = plainText(draft.title, charactersMax.title);
  const originalUrl = url === undefined ? '' : readLink(url, '/url');
  const picture = image === undefined ? undefined : readLink(image, '/image');
  if (type === 'photo' && picture === undefined)
    throw invalidField('/image', 'required', 'is needed for a photo');
  if (title === undefined && picture === undefined)
    throw invalidField('/title', 'required', 'is needed where there is no picture');
  const host = URL.parse(originalUrl)?.host ?? '';
  const content = {
    host,
    is_link: type === 'link',
    type,
    title,
    description: plainText(draft.description, charactersMax.description),
    provider_name: host === '' ? undefined : host,
    ...(type === 'photo' ? { url: picture } : { thumbnail_url: picture }),
  };
  const actions = actionsOf(draft.actions ?? []);
  return {
    originalUrl,
    content: JSON.stringify(content),
    actions: actions.length === 0 ? null : JSON.stringify(actions),
  };
}

function actionsOf(names: readonly string[]): string[] {
  const actions: string[] = [];
  for (const [index, name] of names.entries()) {
    const action = plainText(name, charactersMax.action);
    const pointer = `/actions/${index}`;
    if (action === undefined) throw invalidField(pointer, 'required', 'must have a text');
    if (actions.includes(action)) throw invalidField(pointer, 'duplicate', 'is there already');
    actions.push(action);
  }
  return actions;
}
