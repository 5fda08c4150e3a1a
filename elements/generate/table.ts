/**
 * What pages use of the elements, in words. The manifest, the types and the reference come from it. It says nothing that the
 * sources do not have: a row counts only where they have its name (`manifest.ts`), and a test demands a row for each name.
 */

/** A name with what it is. `type` is TypeScript. */
type Row = { readonly name: string; readonly type?: string; readonly about: string };

/** An attribute. `field` is its name in React, where that is another. */
type Attribute = Row & { readonly field?: string };

/** An element. */
export type ElementTable = {
  readonly tag: string;
  readonly name: string;
  readonly about: string;
  /** The folders and files of `elements/src` that it consists of. */
  readonly sources: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly properties: readonly (Row & { readonly type: string })[];
  /** `field` is the name in React, and `detail` the type of the event's detail. */
  readonly events: readonly (Row & { readonly field: string; readonly detail: string })[];
  readonly slot: string | undefined;
  readonly parts: readonly Row[];
};

const server: Attribute = {
  name: 'server',
  about:
    'The address of the server. By default the one that the script comes from; code or `data-servers` has to name another one as well.',
};
const uid: Attribute = {
  name: 'uid',
  about: 'The uid of the app. By default that of the page, from its canonical address.',
};
const lang: Attribute = { name: 'lang', about: 'The language. By default that of the page around it.' };
const tokenUrl: Attribute = {
  name: 'token-url',
  field: 'tokenUrl',
  about:
    'An address of the same origin as the page that returns `{"access_token": "…"}` for the user who is signed in there, and 204 for nobody.',
};
const texts = {
  name: 'texts',
  type: 'ConfabTexts | undefined',
  about: 'Texts that replace those of the language, by their keys.',
};
const getToken = {
  name: 'getToken',
  type: 'ConfabTokenSource | undefined',
  about:
    'A function of yours that resolves to an access token for the user who is signed in on your site, in place of `token-url`.',
};

const common = {
  root: { name: 'root', about: 'Everything.' },
  heading: { name: 'heading', about: 'The heading.' },
  button: { name: 'button', about: 'Each button.' },
  new: { name: 'new', about: 'The button that shows what is new.' },
  empty: { name: 'empty', about: 'What is said where there is nothing.' },
  avatar: { name: 'avatar', about: 'The picture of a person, or their initials.' },
  reactions: { name: 'reactions', about: 'The row of reactions.' },
  reaction: { name: 'reaction', about: 'One reaction.' },
} as const;

/** The elements, as the reference lists them. */
export const elementTables: readonly ElementTable[] = [
  {
    tag: 'confab-comments',
    name: 'ConfabComments',
    about: 'The comments of a page.',
    sources: [
      'comments',
      'extras',
      'write',
      'moderate',
      'sign-in',
      'my-data',
      'typing',
      'presence',
      'session.ts',
    ],
    attributes: [
      server,
      { name: 'app', about: 'The id of the app, where you know it better than the uid.' },
      uid,
      {
        name: 'sort',
        type: "'newest' | 'oldest' | 'liked'",
        about: 'The order of the comments, until the reader chooses another.',
      },
      tokenUrl,
      lang,
    ],
    properties: [texts, getToken],
    events: [
      {
        name: 'confab-sign-in',
        field: 'onSignIn',
        type: 'CustomEvent',
        detail: 'null',
        about:
          'Somebody wants to sign in. Call `preventDefault()` to let them sign in on your own page instead.',
      },
    ],
    slot: 'What is shown until the comments are there, and where no script runs.',
    parts: [
      common.root,
      { name: 'header', about: 'The row above the comments.' },
      common.heading,
      { name: 'sort', about: 'The choice of the order.' },
      { name: 'threads', about: 'The list of comments.' },
      { name: 'thread', about: 'One comment with all its replies.' },
      { name: 'comment', about: 'One comment, without its replies.' },
      { name: 'answer', about: 'One reply; it is a `comment` as well.' },
      { name: 'answers', about: 'The list of replies to a comment.' },
      common.avatar,
      { name: 'name', about: 'The name of an author.' },
      { name: 'mark', about: 'The word beside the name of a moderator, a guest or a program.' },
      { name: 'time', about: 'The time of a comment, which is its permanent link.' },
      { name: 'text', about: 'The text of a comment.' },
      { name: 'notice', about: 'What is said about a comment, such as that it waits for approval.' },
      { name: 'attachments', about: 'The list of attachments.' },
      { name: 'preview', about: 'The preview of a link, or of what is being written.' },
      { name: 'enlarged', about: 'The dialog with a picture as large as the window.' },
      { name: 'poll', about: 'A poll.' },
      common.reactions,
      common.reaction,
      common.button,
      common.new,
      common.empty,
      { name: 'failure', about: 'What is said when something has failed.' },
      { name: 'skeleton', about: 'The lines in the place of comments that are loading.' },
      { name: 'toast', about: 'A message that passes.' },
      { name: 'typing', about: 'The names of those who are writing.' },
      { name: 'presence', about: 'How many people are here.' },
      { name: 'composer', about: 'The form in which comments are written.' },
      { name: 'textarea', about: 'The field for the text of a comment.' },
      { name: 'tool', about: 'A button above that field.' },
      { name: 'send', about: 'The button that sends.' },
      { name: 'choices', about: 'The list of people or emoji while somebody writes.' },
      {
        name: 'setup',
        about: 'What the owner of a page on their own machine is told of a setting that is missing.',
      },
      { name: 'closed', about: 'What is said where nobody can comment.' },
      { name: 'popover', about: 'The menu of a comment, and the emojis to react with or to write.' },
      { name: 'unsent', about: 'A comment that could not be sent.' },
      { name: 'versions', about: 'What a comment said before.' },
      { name: 'report', about: 'The form that reports a comment.' },
      { name: 'account', about: 'The button with the name of whoever is signed in.' },
      { name: 'menu', about: 'The menu below that button.' },
      { name: 'dialog', about: 'A dialog.' },
      { name: 'field', about: 'A field with its label, in a dialog.' },
      { name: 'primary', about: 'The button that most people will choose.' },
      { name: 'danger', about: 'A button that removes something.' },
      { name: 'desk', about: 'What moderators have above the comments.' },
      { name: 'review', about: 'What waits for a moderator.' },
      { name: 'done', about: 'What a moderator has done, with the button that undoes it.' },
    ],
  },
  {
    tag: 'confab-annotations',
    name: 'ConfabAnnotations',
    about:
      'Comments on places of a page: on words of a text, on elements with `data-confab-anchor`, and on points of pictures.',
    sources: ['annotations', 'others'],
    attributes: [
      {
        name: 'for',
        field: 'htmlFor',
        about:
          'A CSS selector of the text, such as `#content`. Without the `#` it is the key under which the threads of the text are kept.',
      },
      server,
      { name: 'app', about: 'The id of the app, where you know it better than the uid.' },
      uid,
      tokenUrl,
      lang,
    ],
    properties: [texts, getToken],
    events: [],
    slot: undefined,
    parts: [
      common.root,
      { name: 'opener', about: 'The button with the number of open threads.' },
      { name: 'annotate', about: 'The button near selected text.' },
      { name: 'chooser', about: 'What is said while a part of the text is chosen by keyboard.' },
      { name: 'panel', about: 'What opens beside the text, or in a sheet on a phone.' },
      { name: 'header', about: 'The row above it.' },
      common.heading,
      { name: 'filter', about: 'The choice between open, resolved and all threads.' },
      { name: 'list', about: 'The list of threads.' },
      { name: 'item', about: 'One thread in the list.' },
      { name: 'quote', about: 'The words that a thread is about.' },
      { name: 'gone', about: 'What is said of a thread whose place is gone.' },
      { name: 'pin', about: 'The mark of threads at an element or a point of a picture.' },
      { name: 'threads', about: 'The threads of one place.' },
      { name: 'composer', about: 'The form in which comments are written.' },
      { name: 'textarea', about: 'The field for the text of a comment.' },
      common.button,
      { name: 'primary', about: 'The button that most people will choose.' },
      common.empty,
      { name: 'failure', about: 'What is said when something has failed.' },
    ],
  },
  {
    tag: 'confab-count',
    name: 'ConfabCount',
    about: 'How many comments a page has. All on a page ask with one request.',
    sources: ['count', 'others'],
    attributes: [
      server,
      {
        name: 'uid',
        about: 'The uid of the app. By default that of the page at `href`.',
      },
      {
        name: 'href',
        about:
          'The address of the page. By default that of the link around it, or else the page that it is on.',
      },
      tokenUrl,
      lang,
    ],
    properties: [texts, getToken],
    events: [],
    slot: 'What is shown until the number is there.',
    parts: [],
  },
  {
    tag: 'confab-notifications',
    name: 'ConfabNotifications',
    about:
      'A bell with the number of unread notifications and the list of them, for the users of a product. Visitors, and people who are not signed in, see nothing.',
    sources: ['notifications', 'others'],
    attributes: [server, tokenUrl, lang],
    properties: [texts, getToken],
    events: [
      {
        name: 'confab-open',
        field: 'onOpen',
        type: 'CustomEvent<ConfabNotification>',
        detail: 'ConfabNotification',
        about:
          'A notification was chosen. Call `preventDefault()` to show by yourself what it is about; otherwise a comment leads to the page that it is on.',
      },
    ],
    slot: undefined,
    parts: [
      { name: 'bell', about: 'The button.' },
      { name: 'badge', about: 'The number on it.' },
      { name: 'panel', about: 'What opens below it.' },
      common.heading,
      { name: 'tabs', about: 'The row of views.' },
      { name: 'tab', about: 'One view.' },
      { name: 'chosen', about: 'The view that is shown; it is a `tab` as well.' },
      { name: 'list', about: 'The list of notifications.' },
      { name: 'item', about: 'One notification.' },
      { name: 'unread', about: 'One that is unread; it is an `item` as well.' },
      { name: 'dot', about: 'The mark of one that is unread.' },
      common.avatar,
      common.button,
      common.new,
      common.empty,
    ],
  },
  {
    tag: 'confab-reactions',
    name: 'ConfabReactions',
    about:
      'The reactions to one comment or post that a page shows as its own content, such as an announcement.',
    sources: ['reactions', 'others'],
    attributes: [
      server,
      { name: 'comment', about: 'The id of the comment.' },
      { name: 'post', about: 'The id of the post, where there is no `comment`.' },
      tokenUrl,
      lang,
    ],
    properties: [texts, getToken],
    events: [],
    slot: undefined,
    parts: [
      common.reactions,
      common.reaction,
      { name: 'own', about: 'The one of the reader; it is a `reaction` as well.' },
    ],
  },
];

/** The custom properties, which all elements have. */
export const propertyTable: readonly (Row & { readonly default: string })[] = [
  { name: '--confab-color', default: 'that of the page', about: 'The colour of text.' },
  { name: '--confab-quiet-color', default: 'the text at 74 %', about: 'The colour of less important text.' },
  { name: '--confab-line-color', default: 'the text at 16 %', about: 'The colour of lines.' },
  {
    name: '--confab-soft-color',
    default: 'the text at 6 %',
    about: 'The background of code, and of hovered buttons.',
  },
  {
    name: '--confab-accent-color',
    default: 'a blue as dark or as light as the text',
    about: 'The colour of links, of the main button and of what is new.',
  },
  {
    name: '--confab-on-accent-color',
    default: 'white, or dark on dark pages',
    about: 'The colour of text on that colour.',
  },
  {
    name: '--confab-focus-color',
    default: 'the accent',
    about: 'The colour of the ring around what has the focus.',
  },
  {
    name: '--confab-danger-color',
    default: 'red',
    about: 'The colour of destructive actions and of errors.',
  },
  {
    name: '--confab-hover-color',
    default: 'the soft background',
    about: 'The background of hovered buttons.',
  },
  {
    name: '--confab-field-color',
    default: 'none',
    about: 'The background of the field for a comment.',
  },
  { name: '--confab-badge-color', default: 'blue', about: 'The colour of the number on the bell.' },
  {
    name: '--confab-badge-text-color',
    default: 'white, or dark on dark pages',
    about: 'The colour of its digits.',
  },
  {
    name: '--confab-panel-color',
    default: 'that of the system',
    about: 'The background of the list of notifications.',
  },
  { name: '--confab-panel-text-color', default: 'that of the system', about: 'The colour of text in it.' },
  {
    name: '--confab-dialog-background',
    default: 'that of the system',
    about: 'The background of dialogs and menus.',
  },
  { name: '--confab-dialog-color', default: 'that of the system', about: 'The colour of text in them.' },
  { name: '--confab-radius', default: '0.5em', about: 'How round corners are.' },
  {
    name: '--confab-button-radius',
    default: 'that of other corners',
    about: 'How round the corners of buttons are.',
  },
  {
    name: '--confab-dialog-radius',
    default: 'twice that of other corners',
    about: 'How round the corners of dialogs are.',
  },
  {
    name: '--confab-panel-width',
    default: '24em',
    about: 'The width of the list of notifications, where there is room.',
  },
  { name: '--confab-bell-size', default: '2.75em', about: 'The size of the bell.' },
  { name: '--confab-tool-size', default: '2.25em', about: 'The size of the buttons above the field.' },
  { name: '--confab-space', default: '1.5em', about: 'The space between comments.' },
  { name: '--confab-indent', default: '1.25em', about: 'How far replies are indented on a narrow page.' },
  { name: '--confab-max-width', default: 'none', about: 'The most width of the comments.' },
  { name: '--confab-avatar-size', default: '2.5em', about: 'The size of pictures of people.' },
  { name: '--confab-avatar-radius', default: '50%', about: 'How round they are.' },
  { name: '--confab-line-height', default: '1.55', about: 'The height of lines.' },
  { name: '--confab-name-weight', default: '650', about: 'The weight of the names of authors.' },
  { name: '--confab-small-size', default: '0.875em', about: 'The size of less important text.' },
  { name: '--confab-heading-size', default: '1.25em', about: 'The size of the heading.' },
  { name: '--confab-code-font', default: 'monospace', about: 'The font of code.' },
  {
    name: '--confab-highlight-color',
    default: 'a transparent yellow',
    about: 'The background of words that have comments. Set it on the page.',
  },
  {
    name: '--confab-current-color',
    default: 'a stronger yellow',
    about: 'The background of the words whose comments are open. Set it on the page.',
  },
];
