// Made by `npm run generate` from the table of the elements.

import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react';
import type {
  ConfabNotification,
  ConfabTexts,
  ConfabTokenSource,
  ConfabCommentsAttributes,
  ConfabCommentsElement,
  ConfabCountAttributes,
  ConfabCountElement,
  ConfabNotificationsAttributes,
  ConfabNotificationsElement,
  ConfabReactionsAttributes,
  ConfabReactionsElement,
} from './index.js';

/** The props of `<ConfabComments>`. */
export interface ConfabCommentsProps extends HTMLAttributes<ConfabCommentsElement> {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The id of the app, where you know it better than the uid. */
  app?: string | undefined;
  /** The uid of the app. By default that of the page, from its canonical address. */
  uid?: string | undefined;
  /** The order of the comments, until the reader chooses another. */
  sort?: 'newest' | 'oldest' | 'liked' | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  tokenUrl?: string | undefined;
  /** Texts that replace those of the language, by their keys. */
  texts?: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken?: ConfabTokenSource | undefined;
  /** Somebody wants to sign in. Call `preventDefault()` to let them sign in on your own page instead. */
  onSignIn?: ((event: CustomEvent<null>) => void) | undefined;
}

/** The comments of a page. */
export declare const ConfabComments: ForwardRefExoticComponent<
  ConfabCommentsProps & RefAttributes<ConfabCommentsElement>
>;

/** The props of `<ConfabCount>`. */
export interface ConfabCountProps extends HTMLAttributes<ConfabCountElement> {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The uid of the app. By default that of the page at `href`. */
  uid?: string | undefined;
  /** The address of the page. By default that of the link around it, or else the page that it is on. */
  href?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  tokenUrl?: string | undefined;
  /** Texts that replace those of the language, by their keys. */
  texts?: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken?: ConfabTokenSource | undefined;
}

/** How many comments a page has. All on a page ask with one request. */
export declare const ConfabCount: ForwardRefExoticComponent<
  ConfabCountProps & RefAttributes<ConfabCountElement>
>;

/** The props of `<ConfabNotifications>`. */
export interface ConfabNotificationsProps extends HTMLAttributes<ConfabNotificationsElement> {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  tokenUrl?: string | undefined;
  /** Texts that replace those of the language, by their keys. */
  texts?: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken?: ConfabTokenSource | undefined;
  /** A notification was chosen. Call `preventDefault()` to show by yourself what it is about; otherwise a comment leads to the page that it is on. */
  onOpen?: ((event: CustomEvent<ConfabNotification>) => void) | undefined;
}

/** A bell with the number of unread notifications and the list of them, for the users of a product. Visitors, and people who are not signed in, see nothing. */
export declare const ConfabNotifications: ForwardRefExoticComponent<
  ConfabNotificationsProps & RefAttributes<ConfabNotificationsElement>
>;

/** The props of `<ConfabReactions>`. */
export interface ConfabReactionsProps extends HTMLAttributes<ConfabReactionsElement> {
  /** The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well. */
  server?: string | undefined;
  /** The id of the comment. */
  comment?: string | undefined;
  /** The id of the post, where there is no `comment`. */
  post?: string | undefined;
  /** An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody. */
  tokenUrl?: string | undefined;
  /** Texts that replace those of the language, by their keys. */
  texts?: ConfabTexts | undefined;
  /** A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`. */
  getToken?: ConfabTokenSource | undefined;
}

/** The reactions to one comment or post that a page shows as its own content, such as an announcement. */
export declare const ConfabReactions: ForwardRefExoticComponent<
  ConfabReactionsProps & RefAttributes<ConfabReactionsElement>
>;

type Tag<Attributes, Element> = Attributes &
  HTMLAttributes<Element> &
  RefAttributes<Element> & { class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'confab-comments': Tag<ConfabCommentsAttributes, ConfabCommentsElement>;
      'confab-count': Tag<ConfabCountAttributes, ConfabCountElement>;
      'confab-notifications': Tag<ConfabNotificationsAttributes, ConfabNotificationsElement>;
      'confab-reactions': Tag<ConfabReactionsAttributes, ConfabReactionsElement>;
    }
  }
}
