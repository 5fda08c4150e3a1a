/**
 * What an operation acts on, with which right, and what it does to the store. It is declared only with the operation:
 * the binding resolves it before the operation runs, and the problem codes and the reference are derived from it. The
 * access matrix of the tests independently states who may do what.
 */

const entryRights = {
  read: [],
  react: ['write_forbidden', 'locked'],
  edit: ['edit_forbidden', 'moderated', 'locked'],
  remove: ['edit_forbidden'],
  restore: ['edit_forbidden', 'moderated', 'locked'],
  inspect: ['moderate_forbidden'],
  moderate: ['moderate_forbidden'],
  approve: ['moderate_forbidden', 'moderated'],
  report: ['own_content'],
} as const;

/**
 * The kinds of targets, each with its rights and with the problem codes of the 403 where the right is missing: none
 * where the target is then hidden (404). `locked` is for rights that only moderators have in a locked app or parent.
 */
const rights = {
  /**
   * `read`: see it and its content; `write`: create content in it; `moderate`: decide on everyone's content in it;
   * `manage`: change it and its members; `leave`: remove its members, or only oneself where members may leave.
   */
  app: {
    read: [],
    write: ['write_forbidden', 'locked'],
    moderate: ['moderate_forbidden'],
    manage: ['manage_forbidden'],
    leave: ['manage_forbidden'],
  },
  /**
   * `read`: see it; `write`: create content below it, which needs the right to write in its app. For a file of a files
   * app and not for an attachment: `edit`: change it, as its author or with an API key; `remove`: trash or delete it or
   * one of its versions, as its author or a moderator of the app; `restore`: the same without overruling a moderator;
   * `moderate`: decide on it, as a moderator of the app; `approve`: the same without overruling a decision about one's
   * own; `report`: report it, unless it is one's own.
   */
  file: {
    read: [],
    write: ['write_forbidden', 'locked'],
    edit: ['edit_forbidden', 'moderated', 'locked'],
    remove: ['edit_forbidden'],
    restore: ['edit_forbidden', 'moderated', 'locked'],
    moderate: ['moderate_forbidden'],
    approve: ['moderate_forbidden', 'moderated'],
    report: ['own_content'],
  },
  /** `read`: see what is below a comment, which may be in the trash or deleted where something is shown. */
  thread: { read: [] },
  /** `read`: see it by its id, as its creator or with an API key. */
  blob: { read: [] },
  embed: { read: [] },
  meeting: { read: [] },
  /**
   * `read`: see it; `react`: react to it, which needs the right to write in its app; `edit`: change it, as its author or
   * with an API key; `remove`: trash or delete it, as its author or a moderator of the app; `restore`: the same without
   * overruling a moderator; `inspect`: see what it said before its edits, as its author or a moderator of the app;
   * `moderate`: decide on it, as a moderator of the app; `approve`: the same without overruling a decision about one's
   * own; `report`: report it, unless it is one's own; `resolve`: resolve and reopen the thread that it began, which needs
   * the right to write in its app, or to moderate it where the app leaves that to moderators.
   */
  comment: { ...entryRights, resolve: ['write_forbidden', 'locked', 'moderate_forbidden'] },
  /** As for a comment but for `resolve`, and `write`: comment on it, which needs the right to write in its app. */
  post: { ...entryRights, write: ['write_forbidden', 'locked'] },
  message: entryRights,
  /** `read`: see it; `vote`: choose it, which needs the right to write in its app. */
  option: { read: [], vote: ['write_forbidden', 'locked'] },
  /** `read`: see it; `remove`: one's own, or any user's as a moderator of the app. */
  reaction: { read: [], remove: ['edit_forbidden', 'locked'] },
  /** `moderate`: see it and decide on it, as a moderator of the app who is not the author of the reported item. */
  report: { moderate: [] },
  /** `read`: see it, mark it and delete it: one's own, or any user's with an API key. */
  notification: { read: [] },
  /**
   * `read`: see it, and change the caller's own state of it: mark, pin and delivered messages; `write`: write messages
   * in it.
   */
  conversation: { read: [], write: ['write_forbidden', 'locked'] },
  /** `read`: see it and list its users; `manage`: rename or delete it, which only API keys may. */
  directory: { read: [], manage: [] },
  /** `manage`: see it, change it and send to it, which every API key may. */
  webhook: { manage: [] },
  /** `manage`: see it and send it again. The second path parameter names it, the first one its webhook. */
  delivery: { manage: [] },
  /**
   * `read`: see everything about the user; `manage`: change, trash and restore the user, and revoke their tokens;
   * `issue`: issue access tokens of the user, who is created when no user has the uid; `erase`: erase the user. All of
   * these are for API keys. `moderate`: decide whether the user is trusted, suspended or banned, with an API key or as a
   * moderator of the user's directory. `export`: get everything of the user, as that user or with an API key.
   */
  user: {
    read: [],
    manage: [],
    moderate: ['suspend_forbidden'],
    issue: ['user_suspended'],
    erase: [],
    export: [],
  },
} as const;

/** A kind of target. */
export type Target = keyof typeof rights;

/** The rights on each kind of target. */
export type Rights = { [T in Target]: keyof (typeof rights)[T] };

/** The kinds of content of an app, which depend on its type. */
export type Content = 'comment' | 'post' | 'message' | 'file';

/**
 * Exactly one target with the required right. The first path parameter of the operation names the target; the second
 * names a target that is numbered within another.
 */
export type OnTarget = {
  [T in Target]: { readonly [K in T]: Rights[T] } & {
    readonly [K in Exclude<Target, T>]?: never;
  } & {
    /**
     * When a trashed target counts as existing: never by default, with `trashed=true`, or always. Where it is set, a
     * held target exists for its author and for moderators.
     */
    readonly trashed?: 'asked' | 'included';
    /** `asked`: with `page=true`, an absent or hidden target is no refusal, and the operation gets none. */
    readonly absent?: 'asked';
    /** The kind of content that the app must hold; an app of another type is refused with the fault `app_type`. */
    readonly holding?: T extends 'app' ? Content : never;
  };
}[Target];

/**
 * What an operation acts on: one target, everything the caller can see (`visible`), what belongs to the caller
 * (`caller`), the whole server (`server`, only for API keys), or something with its own policy (`own`), with the
 * reason.
 */
export type On = OnTarget | 'visible' | 'caller' | 'server' | { readonly own: string };

/**
 * What an operation does to the store, which decides how it runs: `read`, in one snapshot; `list`, with the reader of
 * lists; `add`, in a transaction that only adds (`Db.write`); `change`, in a transaction; `wait`, in none, because it
 * waits for something other than the store and opens its own transaction.
 */
export type Effect = 'read' | 'list' | 'add' | 'change' | 'wait';

/** The target of a policy, and the right that it requires. */
export function targetOf(on: OnTarget): readonly [Target, string] {
  const [named] = Object.entries(on).filter(([key]) => key in rights) as [[Target, string]];
  return named;
}

/** The problem codes with which an operation refuses a caller who can see the target but lacks the right. */
export function refusalsOf(on: On | undefined): readonly string[] {
  if (on === undefined || typeof on === 'string' || 'own' in on) return [];
  const [target, right] = targetOf(on);
  return (rights[target] as { readonly [right: string]: readonly string[] })[right] ?? [];
}
