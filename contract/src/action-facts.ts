/** The groups that a webhook can name as a trigger. */
export const triggerGroups = [
  'comments',
  'posts',
  'messages',
  'files',
  'reactions',
  'polls',
  'notifications',
  'conversations',
  'apps',
  'members',
  'moderation',
] as const;

/** One action of the log. */
export type ActionFacts = {
  /** The group that webhooks name as a trigger; absent for actions that webhooks cannot receive. */
  readonly group?: (typeof triggerGroups)[number];
  /** The entity that the event is about; the payload has a property of this name. */
  readonly entity: string;
  /** Whether the event is about many entities at once, so that the payload has none of them. */
  readonly isAboutMany?: true;
  /** The other properties that every payload has. */
  readonly extra?: readonly string[];
  /** The other properties that a payload can have. */
  readonly optional?: readonly string[];
  /**
   * Whom notifications are for, besides the users mentioned in the text; absent where no user is notified. `thread`:
   * the author of the comment replied to, and the author and subscribers of the entry or file commented on; `participants`: the
   * author of the comment that began the thread, and those who answered in it; `author`:
   * the author of the entry that has the reaction or poll; `subscribers`: of the entity; `subscribers_of_app` and
   * `members`: of the app; `moderators`: of the app, without the author of the reported or held item; `mentioned`: no other user.
   */
  readonly audience?:
    | 'thread'
    | 'participants'
    | 'author'
    | 'subscribers'
    | 'subscribers_of_app'
    | 'members'
    | 'moderators'
    | 'mentioned';
  /** Which users see the event, if not all who see its entity: moderators of the app and the user of the event. */
  readonly readers?: 'moderators';
  /**
   * The users whose rights and credentials the action can change: all users of the app, one member, or one
   * user.
   */
  readonly rights?: 'app' | 'member' | 'user';
  /** When it happens, in one sentence. */
  readonly sentence: string;
};
