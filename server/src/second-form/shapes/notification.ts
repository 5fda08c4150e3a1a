import { escapeText } from 'confab-contract/values/canonical-html.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';

/**
 * What the second form shows of a notification. Newer clients translate a notification by its template, of which they know
 * some 25 by their exact text; others are shown as their HTML, in English. In these templates `**` and `*` mark what is
 * strong and what is emphasised.
 */

/** The action of notifications that the host product creates; their sentence is its own. */
export const hostAction = 'notification_created';

/** A sentence with the placeholders {0}, {1} and so on, and their values. */
type Sentence = { readonly template: string; readonly args: readonly string[] };

/** What a sentence of the first form says, taken apart. */
type Parts = { readonly name: string; readonly place: string | undefined; readonly words: string };

/** The kinds of items that a mention, a reaction or a message can be in. */
type About = { readonly type: string; readonly quote: string };

/** How the first form words what happened, and the sentence for it; the first that fits counts. */
const wordings: readonly (readonly [RegExp, (parts: Parts, about: About) => Sentence | undefined])[] = [
  [
    /^mentioned you/,
    ({ name, words }, { type }) => quoted(`**{0}** mentioned you in a ${type}`, [name], words),
  ],
  [
    /^reacted to your/,
    ({ name, words }, { type, quote }) => quoted(`**{0}** reacted {1} to your ${type}`, [name, words], quote),
  ],
  [/^voted in your poll/, ({ name }) => ({ template: '**{0}** voted on your poll', args: [name] })],
  [
    /^wrote/,
    ({ name, place, words }) =>
      placed(['New message from **{0}**', '**{0}** sent a message'], { name, place, words }),
  ],
  [
    /^posted/,
    ({ name, place, words }) => placed(['**{0}** posted', '**{0}** posted'], { name, place, words }),
  ],
  [
    /^added a file/,
    ({ name, place, words }) =>
      place === undefined
        ? undefined
        : { template: '**{0}** added *{1}* to **{2}**', args: [name, words, place] },
  ],
  [/^changed a file/, ({ name, words }) => ({ template: '**{0}** edited *{1}*', args: [name, words] })],
  [/^commented on your post/, ({ name, words }) => quoted('**{0}** replied to your post', [name], words)],
  [/^commented on the post/, ({ name, words }) => quoted('**{0}** replied to a post', [name], words)],
  [
    /^commented on (?:your|the) file/,
    ({ name, place, words }) =>
      place === undefined ? undefined : quoted('**{0}** commented on *{1}*', [name, place], words),
  ],
  [
    /^commented/,
    ({ name, place, words }) =>
      place === undefined ? undefined : quoted('**{0}** commented on **{1}**', [name, place], words),
  ],
];

/** A sentence that ends with a quote, which may be empty. */
function quoted(beginning: string, args: readonly string[], quote: string): Sentence {
  return { template: `${beginning}: "{${args.length}}"`, args: [...args, quote] };
}

/** A sentence that names the app where it has a name. */
function placed([alone, within]: readonly [string, string], { name, place, words }: Parts): Sentence {
  return place === undefined
    ? quoted(alone, [name], words)
    : quoted(`${within} in **{1}**`, [name, place], words);
}

const shape = /^\{0\} ([^{:]+?)(?: \{1\})?(: \{[12]\})?$/;

/**
 * The sentence of the second form for one of the first, about an item of a type. `quote` is what the item says, which
 * sentences of the first form about reactions leave out. A sentence without a counterpart stays.
 */
function sentenceInSecondForm({ template, args }: Sentence, about: About): Sentence {
  const [, verb, end] = shape.exec(template) ?? [];
  const [name] = args;
  if (verb === undefined || name === undefined) return { template, args };
  const hasPlace = template.includes(' {1}') && !template.endsWith(': {1}');
  const parts = {
    name,
    place: hasPlace ? args[1] : undefined,
    words: end === undefined ? '' : (args.at(-1) ?? ''),
  };
  const wording = wordings.find(([pattern]) => pattern.test(verb));
  return wording?.[1](parts, about) ?? { template, args };
}

/** The fields of a sentence: `text` and `plain` without marks, `html` with elements in their place. */
function sentenceFields({ template, args }: Sentence): string {
  const shown = args.at(-1) === '' ? template.replace(/: "\{\d\}"$/, '') : template;
  const filled = (text: string, value: (argument: string) => string) =>
    text.replace(/\{([0-9])\}/g, (_, index) => value(args[Number(index)] ?? ''));
  const marked = /\*\*(\{\d\})\*\*|\*(\{\d\})\*/g;
  const plain = jsonString(
    filled(
      shown.replace(marked, (_, strong, weak) => strong ?? weak),
      (text) => text,
    ),
  );
  const html = filled(
    escapeText(shown).replace(marked, (_, strong, weak) =>
      strong === undefined ? `<em>${weak}</em>` : `<strong>${strong}</strong>`,
    ),
    escapeText,
  );
  return (
    `"template":${jsonString(template)},"args":${JSON.stringify(args)},"text":${plain},` +
    `"html":${jsonString(html)},"plain":${plain}`
  );
}

/** What a link of the second form has besides the id and the type of the item; what is unknown is left out. */
type LinkFacts = {
  readonly app?:
    | { readonly id: number; readonly uid?: string | undefined; readonly guid?: string | undefined }
    | undefined;
  readonly parent?: { readonly id: number; readonly type: string } | undefined;
};

/** The link of a notification. An item directly in an app has no parent. */
function notificationLink(
  item: { readonly id: number; readonly type: string },
  { app, parent }: LinkFacts,
): Json {
  const uid = app?.uid === undefined ? '' : `,"uid":${jsonString(app.uid)}`;
  const guid = app?.guid === undefined ? '' : `,"type":"${app.guid}"`;
  const within = app === undefined ? '' : `,"app":{"id":${app.id}${uid}${guid}}`;
  const below =
    parent === undefined || parent.type === 'app'
      ? ''
      : `,"parent":{"id":${parent.id},"type":"${parent.type}"}`;
  return json(`{"id":${item.id},"type":"${item.type}"${within}${below}}`);
}

/** What both forms have of a notification; users are rendered. */
type NotificationItem = {
  readonly id: number;
  readonly action: string;
  /** The sentence of the first form. */
  readonly sentence: Sentence;
  readonly actor: { readonly id: number; readonly json: string };
  /** What it is about; absent where that is not shown, or is nothing. */
  readonly item: { readonly id: number; readonly type: string } | undefined;
  readonly user: { readonly id: number; readonly json: string };
  readonly createdAt: string;
  readonly isUnread: boolean;
};

/** What the second form has besides. */
export type NotificationFacts = LinkFacts & {
  readonly type: string;
  readonly quote: string;
  readonly metadata: string | null;
  readonly tags: string | null;
};

/** A notification in the second form, from its row or from an item of the log. What the host product wrote stays as it is. */
export function notificationInSecondForm(notification: NotificationItem, facts: NotificationFacts): Json {
  const { id, action, actor, item, user, createdAt, isUnread } = notification;
  const sentence =
    item === undefined || action === hostAction
      ? notification.sentence
      : sentenceInSecondForm(notification.sentence, { type: item.type, quote: facts.quote });
  const link = item === undefined ? '' : `"link":${notificationLink(item, facts)},`;
  return json(
    `{"id":${id},"type":"${facts.type}","action":"${action}","actor_id":${actor.id},"actor":${actor.json},${link}` +
      `${sentenceFields(sentence)},"user_id":${user.id},"user":${user.json},"metadata":${facts.metadata ?? '{}'},` +
      `"tags":${facts.tags ?? '[]'},"created_at":"${createdAt}","is_unread":${isUnread}}`,
  );
}
