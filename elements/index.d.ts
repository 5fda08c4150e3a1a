// Made by `npm run generate` from the table of the elements.

/** A text, or its forms by plural category (`Intl.PluralRules`). `{name}` stands for a value. */
export type ConfabText = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The keys of the texts. */
export type ConfabTextKey =
  | 'abuse'
  | 'account'
  | 'addFile'
  | 'addedFile'
  | 'answer'
  | 'answerBy'
  | 'answers'
  | 'answersTo'
  | 'approve'
  | 'approved'
  | 'areTyping'
  | 'asGuest'
  | 'attachments'
  | 'away'
  | 'ban'
  | 'banned'
  | 'bold'
  | 'bot'
  | 'cancel'
  | 'changeSaved'
  | 'changedFile'
  | 'changedMeanwhile'
  | 'charactersLeft'
  | 'choosePicture'
  | 'close'
  | 'code'
  | 'codeWrong'
  | 'commentBy'
  | 'commented'
  | 'comments'
  | 'confirmCode'
  | 'didNotWork'
  | 'discard'
  | 'dismiss'
  | 'download'
  | 'downloadHint'
  | 'downloading'
  | 'edit'
  | 'edited'
  | 'editedAt'
  | 'empty'
  | 'erase'
  | 'eraseConfirm'
  | 'eraseHint'
  | 'eraseKeep'
  | 'eraseMismatch'
  | 'eraseNow'
  | 'eraseRemove'
  | 'erased'
  | 'fieldMissing'
  | 'formatting'
  | 'goOn'
  | 'goOnInWindow'
  | 'guest'
  | 'guestHint'
  | 'heading'
  | 'held'
  | 'heldBack'
  | 'hold'
  | 'illegal'
  | 'isTyping'
  | 'italic'
  | 'justNow'
  | 'keep'
  | 'keepMine'
  | 'kept'
  | 'liked'
  | 'link'
  | 'list'
  | 'loading'
  | 'lock'
  | 'locked'
  | 'mailAdded'
  | 'mailAddress'
  | 'mailCode'
  | 'mailGuestHint'
  | 'mailHint'
  | 'mailSent'
  | 'markAllRead'
  | 'mentioned'
  | 'moderate'
  | 'moderator'
  | 'more'
  | 'moreActions'
  | 'moreAnswers'
  | 'moreNotifications'
  | 'myData'
  | 'nameHint'
  | 'nameInvalid'
  | 'nameMissing'
  | 'nameTaken'
  | 'nameTooLong'
  | 'newAnswers'
  | 'newComments'
  | 'newNotifications'
  | 'newest'
  | 'noAnswer'
  | 'noComments'
  | 'noNotifications'
  | 'noVersions'
  | 'noWays'
  | 'notDone'
  | 'notFound'
  | 'notSent'
  | 'nothingToReview'
  | 'notifications'
  | 'notificationsFailed'
  | 'numbers'
  | 'offTopic'
  | 'offline'
  | 'oldest'
  | 'oneMoment'
  | 'openAgain'
  | 'or'
  | 'otherReason'
  | 'otherWay'
  | 'picture'
  | 'pictureInvalid'
  | 'poll'
  | 'posted'
  | 'present'
  | 'preview'
  | 'quote'
  | 'react'
  | 'reactWith'
  | 'reacted'
  | 'reactedToYou'
  | 'reactions'
  | 'reasonAbuse'
  | 'reasonIllegal'
  | 'reasonOffTopic'
  | 'reasonOther'
  | 'reasonSpam'
  | 'remove'
  | 'removeFile'
  | 'removePicture'
  | 'removed'
  | 'repliedToYou'
  | 'report'
  | 'reportReason'
  | 'reportSent'
  | 'reportText'
  | 'reportedBy'
  | 'reportedOne'
  | 'review'
  | 'rule'
  | 'save'
  | 'saved'
  | 'send'
  | 'sendCode'
  | 'sending'
  | 'sendsLater'
  | 'sent'
  | 'sentHeld'
  | 'showComment'
  | 'signIn'
  | 'signInAt'
  | 'signInByMail'
  | 'signInEnded'
  | 'signInToSend'
  | 'signInWith'
  | 'signOut'
  | 'signOutEverywhere'
  | 'signedInAs'
  | 'signedOut'
  | 'solving'
  | 'sort'
  | 'spam'
  | 'suggestions'
  | 'suspended'
  | 'takeTheirs'
  | 'toReview'
  | 'tooLong'
  | 'tooOften'
  | 'trash'
  | 'trashed'
  | 'trust'
  | 'trusted'
  | 'tryAgain'
  | 'undo'
  | 'undone'
  | 'unknown'
  | 'unlock'
  | 'unlocked'
  | 'unread'
  | 'unreadNotifications'
  | 'unsent'
  | 'uploadOf'
  | 'uploaded'
  | 'uploading'
  | 'versionOf'
  | 'versions'
  | 'votedForYou'
  | 'votes'
  | 'waitsForApproval'
  | 'wayEmail'
  | 'wayGuest'
  | 'wayProvider'
  | 'waySite'
  | 'willBeRemoved'
  | 'windowClosed'
  | 'windowsBlocked'
  | 'write'
  | 'wrong'
  | 'wrote'
  | 'wroteToYou'
  | 'yourAnswer'
  | 'yourEdit'
  | 'yourName';

/** Texts by their keys. What is absent is said in the language of the page. */
export type ConfabTexts = { readonly [Key in ConfabTextKey]?: ConfabText };

/** An access token of the user who is signed in on your site; `expires_in` is in seconds. */
export type ConfabToken = string | { readonly access_token: string; readonly expires_in?: number };

/** Resolves to a token, or to undefined where nobody is signed in. `isRefused` says that the token before was refused. */
export type ConfabTokenSource = (isRefused: boolean) => Promise<ConfabToken | undefined | null>;

/**
 * Trusts a server from now on, as if the script came from it: what it returns is shown, and it gets the tokens of your site.
 * Call it where you import the script. Throws a `TypeError` for no address.
 */
export declare function trustServer(address: string): void;

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
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The id of the app, where you know it better than the uid. */
  app?: string | undefined;
  /** The uid of the app. By default that of the page, from its canonical address. */
  uid?: string | undefined;
  /** The order of the comments, until the reader chooses another. */
  sort?: 'newest' | 'oldest' | 'liked' | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  'token-url'?: string | undefined;
}

/** The comments of a page. */
export interface ConfabCommentsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken: ConfabTokenSource | undefined;
}

/** The attributes of `<confab-count>`. */
export interface ConfabCountAttributes {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The uid of the app. By default that of the page at `href`. */
  uid?: string | undefined;
  /** The address of the page. By default that of the link around it, or else the page that it is on. */
  href?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  'token-url'?: string | undefined;
}

/** How many comments a page has. All on a page ask with one request. */
export interface ConfabCountElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken: ConfabTokenSource | undefined;
}

/** The attributes of `<confab-notifications>`. */
export interface ConfabNotificationsAttributes {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  'token-url'?: string | undefined;
}

/** A bell with the number of unread notifications and the list of them, for the users of a product. Visitors, and people who are not signed in, see nothing. */
export interface ConfabNotificationsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken: ConfabTokenSource | undefined;
}

/** The attributes of `<confab-reactions>`. */
export interface ConfabReactionsAttributes {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The id of the comment. */
  comment?: string | undefined;
  /** The id of the post, where there is no `comment`. */
  post?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  'token-url'?: string | undefined;
}

/** The reactions to one comment or post that a page shows as its own content, such as an announcement. */
export interface ConfabReactionsElement extends HTMLElement {
  /** Texts that replace those of the language, by their keys. */
  texts: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken: ConfabTokenSource | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'confab-comments': ConfabCommentsElement;
    'confab-count': ConfabCountElement;
    'confab-notifications': ConfabNotificationsElement;
    'confab-reactions': ConfabReactionsElement;
  }
  interface GlobalEventHandlersEventMap {
    'confab-sign-in': CustomEvent<null>;
    'confab-open': CustomEvent<ConfabNotification>;
  }
}
