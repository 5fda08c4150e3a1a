// Made by `npm run generate` from the table of the elements.

/** A text, or its forms by plural category (`Intl.PluralRules`). `{name}` stands for a value. */
export type ConfabText = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The keys of the texts. */
export type ConfabTextKey =
  | 'addedFile'
  | 'answerBy'
  | 'answers'
  | 'answersTo'
  | 'attachments'
  | 'away'
  | 'bot'
  | 'changedFile'
  | 'commentBy'
  | 'commented'
  | 'comments'
  | 'edited'
  | 'editedAt'
  | 'empty'
  | 'guest'
  | 'heading'
  | 'held'
  | 'justNow'
  | 'liked'
  | 'loading'
  | 'markAllRead'
  | 'mentioned'
  | 'moderator'
  | 'more'
  | 'moreAnswers'
  | 'moreNotifications'
  | 'newAnswers'
  | 'newComments'
  | 'newNotifications'
  | 'newest'
  | 'noComments'
  | 'noNotifications'
  | 'notFound'
  | 'notifications'
  | 'notificationsFailed'
  | 'offline'
  | 'oldest'
  | 'poll'
  | 'posted'
  | 'reacted'
  | 'reactedToYou'
  | 'reactions'
  | 'removed'
  | 'repliedToYou'
  | 'reportedOne'
  | 'sort'
  | 'tryAgain'
  | 'unknown'
  | 'unread'
  | 'unreadNotifications'
  | 'votedForYou'
  | 'votes'
  | 'wrong'
  | 'wrote'
  | 'wroteToYou';

/** Texts by their keys. What is absent is said in the language of the page. */
export type ConfabTexts = { readonly [Key in ConfabTextKey]?: ConfabText };

/** An access token of the user who is signed in on your site; `expires_in` is in seconds. */
export type ConfabToken = string | { readonly access_token: string; readonly expires_in?: number };

/** Resolves to a token, or to undefined where nobody is signed in. `isRefused` says that the token before was refused. */
export type ConfabTokenSource = (isRefused: boolean) => Promise<ConfabToken | undefined | null>;

/** A notification, as `GET /api/notifications` lists it. */
export interface ConfabNotification {
  readonly id: number;
  /** What happened, such as `comment_created`. */
  readonly action: string;
  /** The sentence, in English. */
  readonly plain: string;
  /** What it is about. Absent where the user may no longer see that. */
  readonly link?: { readonly id: number; readonly type: string };
  readonly created_at: string;
  readonly is_unread: boolean;
}

/** The attributes of `<confab-comments>`. */
export interface ConfabCommentsAttributes {
  /** The address of the server. By default the one that the script comes from. */
  server?: string | undefined;
  /** The id of the app, where you know it better than the uid. */
  app?: string | undefined;
  /** The uid of the app. By default that of the page, from its canonical address. */
  uid?: string | undefined;
  /** The order of the comments, until the reader chooses another. */
  sort?: 'newest' | 'oldest' | 'liked' | undefined;
}

/** The comments of a page. */
export interface ConfabCommentsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
}

/** The attributes of `<confab-count>`. */
export interface ConfabCountAttributes {
  /** The address of the server. By default the one that the script comes from. */
  server?: string | undefined;
  /** The uid of the app. By default that of the page at `href`. */
  uid?: string | undefined;
  /** The address of the page. By default that of the link around it, or else the page that it is on. */
  href?: string | undefined;
}

/** How many comments a page has. All on a page ask with one request. */
export interface ConfabCountElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
}

/** The attributes of `<confab-notifications>`. */
export interface ConfabNotificationsAttributes {
  /** The address of the server. By default the one that the script comes from. */
  server?: string | undefined;
}

/** A bell with the number of unread notifications and the list of them, for the users of a product. Visitors, and people who are not signed in, see nothing. */
export interface ConfabNotificationsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
}

/** The attributes of `<confab-reactions>`. */
export interface ConfabReactionsAttributes {
  /** The address of the server. By default the one that the script comes from. */
  server?: string | undefined;
  /** The id of the comment. */
  comment?: string | undefined;
  /** The id of the post, where there is no `comment`. */
  post?: string | undefined;
}

/** The reactions to one comment or post that a page shows as its own content, such as an announcement. */
export interface ConfabReactionsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'confab-comments': ConfabCommentsElement;
    'confab-count': ConfabCountElement;
    'confab-notifications': ConfabNotificationsElement;
    'confab-reactions': ConfabReactionsElement;
  }
  interface GlobalEventHandlersEventMap {
    'confab-open': CustomEvent<ConfabNotification>;
  }
}
