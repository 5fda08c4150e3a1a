import type { AppType } from 'confab-contract/apps.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';

/** What is pulled from a running Weavy server, the same for both forms of its interface. Ids are its own, as text. */

/** A user of the server. */
export type WeavyUser = {
  readonly id: string;
  /** The id that the host product gave the user; absent for one that has none. */
  readonly uid: string | undefined;
  readonly name: string;
  readonly email: string | undefined;
  readonly directory: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly tags: readonly string[];
  readonly isBot: boolean;
  readonly isSuspended: boolean;
  readonly isTrashed: boolean;
};

/** The free fields that the host product gave an object. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A member of an app, and how far they have read it. */
export type WeavyMember = {
  readonly userId: string;
  readonly access: 'none' | 'read' | 'write';
  readonly role: 'manager' | 'moderator' | undefined;
  readonly markedId: string | undefined;
  readonly markedAt: UnixMs | undefined;
};

/** An app with all its members. */
export type WeavyApp = {
  readonly id: string;
  /** Undefined for a type that Confab does not have. */
  readonly type: AppType | undefined;
  readonly uid: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly access: 'none' | 'read' | 'write';
  readonly directory: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly tags: readonly string[];
  readonly isTrashed: boolean;
  readonly members: readonly WeavyMember[];
};

/** A file or an attachment; its bytes are read when it is written. */
export type WeavyFile = {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** The address of the bytes, absolute; undefined for a file that a provider keeps elsewhere. */
  readonly url: string | undefined;
};

/** An option of a poll, with those who chose it. */
export type WeavyOption = { readonly text: string; readonly voterIds: readonly string[] };

/** A reaction of a user; Weavy may know several of one user. */
export type WeavyReaction = { readonly userId: string; readonly content: string; readonly createdAt: UnixMs };

/** What posts, messages, comments and files have in common. */
type WeavyItem = {
  readonly id: string;
  readonly appId: string;
  readonly authorId: string;
  readonly createdAt: UnixMs;
  readonly metadata: Metadata | undefined;
  readonly tags: readonly string[];
  readonly isTrashed: boolean;
};

/** A comment, post or message. */
export type WeavyEntry = WeavyItem & {
  readonly kind: 'comment' | 'post' | 'message';
  /** The post or file that a comment belongs to; undefined where it belongs to the app. */
  readonly parent: { readonly kind: 'post' | 'file'; readonly id: string } | undefined;
  /** The comment that it answers, on a server that has threads. */
  readonly replyToId: string | undefined;
  /** Markdown; empty where there is none. */
  readonly text: string;
  readonly attachments: readonly WeavyFile[];
  readonly options: readonly WeavyOption[];
  readonly reactions: readonly WeavyReaction[];
};

/** A file of a files app. */
export type WeavyAppFile = WeavyItem & { readonly kind: 'file'; readonly file: WeavyFile };

/** Parts that are read and not taken over, counted for the report. */
export type WeavyLeftOut = {
  /** Link previews, whose addresses stay in the texts. */
  embeds: number;
  meetings: number;
  /** Earlier versions of files. */
  versions: number;
  /** Pictures of users and rooms. */
  pictures: number;
  /** Voters, reactions and attachments that a count names and no list has. */
  unlisted: number;
};

/** Everything that was pulled. */
export type WeavyExport = {
  /** The scope of all ids: `weavy:` and the address of the server. */
  readonly source: string;
  readonly users: readonly WeavyUser[];
  readonly apps: readonly WeavyApp[];
  readonly items: readonly (WeavyEntry | WeavyAppFile)[];
  /** What could not be read, each as half a sentence after the words "the". */
  readonly unreadable: readonly { readonly where: string; readonly cause: string }[];
  readonly rest: Readonly<WeavyLeftOut>;
  /** Sentences about what changed while it was read. */
  readonly notes: readonly string[];
};
