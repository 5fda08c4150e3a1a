/**
 * What an operation acts on, with which right, and what it does to the store. It is declared with the operation and
 * nowhere else: the binding resolves it before the operation runs, and the problem codes and the reference are derived
 * from it. The access matrix of the tests keeps its own idea of who may do what.
 */

const entryRights = {
  read: [],
  react: ['write_forbidden'],
  edit: ['edit_forbidden', 'moderated'],
  remove: ['edit_forbidden'],
  restore: ['edit_forbidden', 'moderated'],
} as const;

/**
 * The kinds of things that an operation can act on, each with the rights that can be asked for on it, and with the
 * problem codes of the 403 where the right is missing: none where the thing is then absent (404).
 */
const rights = {
  /**
   * `read`: see it and its content; `write`: create content in it; `manage`: change it and its members; `leave`: remove
   * its members, or oneself alone where one may end one's own membership.
   */
  app: {
    read: [],
    write: ['write_forbidden'],
    manage: ['manage_forbidden'],
    leave: ['manage_forbidden'],
  },
  /**
   * `read`: see it; `write`: create content below it, which needs the right to write in its app. For a file of a files
   * app and not for an attachment: `edit`: change it, as its author or with an API key; `remove`: trash or delete it or
   * one of its versions, as its author or as a manager of the app; `restore`: the same without overruling a moderator.
   */
  file: {
    read: [],
    write: ['write_forbidden'],
    edit: ['edit_forbidden', 'moderated'],
    remove: ['edit_forbidden'],
    restore: ['edit_forbidden', 'moderated'],
  },
  /** `read`: see it by its id, as the one who made it or with an API key. */
  blob: { read: [] },
  embed: { read: [] },
  meeting: { read: [] },
  /**
   * `read`: see it; `react`: react to it, which needs the right to write in its app; `edit`: change it, as its author or
   * with an API key; `remove`: trash or delete it, as its author or as a manager of the app; `restore`: the same without
   * overruling a moderator.
   */
  comment: entryRights,
  /** As for a comment, and `write`: comment on it, which needs the right to write in its app. */
  post: { ...entryRights, write: ['write_forbidden'] },
  message: entryRights,
  /** `read`: see it; `vote`: choose it, which needs the right to write in its app. */
  option: { read: [], vote: ['write_forbidden'] },
  /** `read`: see it; `remove`: one's own, or anyone's as a manager of the app. */
  reaction: { read: [], remove: ['edit_forbidden'] },
  /** `read`: see it, mark it and delete it: one's own, or anyone's with an API key. */
  notification: { read: [] },
  /**
   * `read`: see it, and change what it is to oneself: its mark, its pin and what has been delivered; `write`: write
   * messages in it.
   */
  conversation: { read: [], write: ['write_forbidden'] },
  /** `read`: know of it and list its users; `manage`: rename or delete it, which only API keys do. */
  directory: { read: [], manage: [] },
  /** `manage`: see it, change it and have it sent to, which every API key may. */
  webhook: { manage: [] },
  /** `manage`: see it and have it sent again. The second path parameter names it, the first one its webhook. */
  delivery: { manage: [] },
  /**
   * `read`: see everything about the user; `manage`: change, trash and restore the user, and revoke their tokens;
   * `issue`: issue access tokens of the user, who is created when nobody has the uid. All of them are for API keys.
   */
  user: { read: [], manage: [], issue: ['user_suspended'] },
} as const;

/** A kind of thing that an operation acts on. */
export type Target = keyof typeof rights;

/** The rights on each kind of thing. */
export type Rights = { [T in Target]: keyof (typeof rights)[T] };

/** What an app can hold, which its type decides. */
export type Content = 'comment' | 'post' | 'message' | 'file';

/**
 * Exactly one target with the right that is needed. The first path parameter of the operation names the thing, and
 * where things are numbered within another one, the second.
 */
export type OnTarget = {
  [T in Target]: { readonly [K in T]: Rights[T] } & {
    readonly [K in Exclude<Target, T>]?: never;
  } & {
    /** When a thing in the trash counts as there: never by default, when `trashed=true` asks for it, or always. */
    readonly trashed?: 'asked' | 'included';
    /** What the app must be able to hold; an app of another type is refused with the fault `app_type`. */
    readonly holding?: T extends 'app' ? Content : never;
  };
}[Target];

/**
 * What an operation acts on: one thing, everything the caller can see (`visible`), what belongs to the caller
 * (`caller`), the whole server (`server`, for API keys alone), or something with a policy of its own, with the reason.
 */
export type On = OnTarget | 'visible' | 'caller' | 'server' | { readonly own: string };

/**
 * What an operation does to the store, which decides what it runs in: `read`, one snapshot; `list`, the reader of
 * lists; `add`, a transaction that only adds (`Db.write`); `change`, a transaction; `wait`, nothing, because it waits
 * for something else than the store and opens its own transaction.
 */
export type Effect = 'read' | 'list' | 'add' | 'change' | 'wait';

/** The target that a policy names and the right that it asks for on it. */
export function targetOf(on: OnTarget): readonly [Target, string] {
  const [named] = Object.entries(on).filter(([key]) => key in rights) as [[Target, string]];
  return named;
}

/** The problem codes with which an operation refuses a caller who can see what it acts on and lacks the right. */
export function refusalsOf(on: On | undefined): readonly string[] {
  if (on === undefined || typeof on === 'string' || 'own' in on) return [];
  const [target, right] = targetOf(on);
  return (rights[target] as { readonly [right: string]: readonly string[] })[right] ?? [];
}
