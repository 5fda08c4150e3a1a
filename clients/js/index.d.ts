// Made by `npm run generate` from the contract of the server.

/** The id or the uid of an app, a user or a directory. */
export type Ref = number | string;

/** A body in which `null` clears a field; fields that are absent stay as they are. */
export type Clearable<T> = { [Name in keyof T]?: T[Name] | null };

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** How long an attempt may take, in milliseconds; that of the client when absent. */
  timeoutMs?: number;
  /** The user on whose behalf an API key acts, by id or uid; that of the client when absent. */
  onBehalfOf?: Ref;
  /** Headers besides those of the client. */
  headers?: Record<string, string>;
  /**
   * What this client returned before, or a tag, or `*`: the change is made only if nobody else has edited it since, and
   * otherwise refused with `precondition_failed`.
   */
  ifMatch?: object | string;
  /** `*` makes a PUT create and never change. */
  ifNoneMatch?: string;
  /** 1 to 255 visible ASCII characters; made for each call when absent. A key that you store survives your process. */
  idempotencyKey?: string;
}

/** Options of an upload. */
export interface UploadOptions extends CallOptions {
  /** Called as bytes leave, with how many have and how many there are. */
  onProgress?: (progress: { loaded: number; total: number }) => void;
}

/** Options of `renderThread`. */
export interface RenderOptions {
  /** The order of the comments; `newest` when absent, as in `<confab-comments>`. */
  sort?: 'newest' | 'oldest' | 'liked';
  /** The most threads, 1 to 100; 25 when absent. */
  threads?: number;
  /** The most answers of each, 0 to 25; 3 when absent. */
  answers?: number;
  /** The language of dates, such as `de-AT`; English when absent. */
  language?: string;
  /** What is said in the place of a comment that was removed. */
  removed?: string;
  signal?: AbortSignal;
}

/** What every list can be asked for. */
export interface ListQuery<Order extends string, Expand extends string> {
  /** Words that items contain, as prefixes; words in double quotes are a phrase. */
  q?: string;
  /** A tag that items have. */
  tag?: string;
  /** `true` for what is in the trash, `null` for both; what is not in the trash when absent. */
  trashed?: boolean | null;
  /** The most items of a page, 1 to 100; 25 when absent. */
  top?: number;
  /** How many items to leave out; a cursor (`after`) is faster. */
  skip?: number;
  /** The cursor of a page, as its `Link` header has it. */
  after?: string;
  /** `false` leaves the count out. */
  count?: boolean;
  order_by?: Order;
  /** Objects that each item carries besides its flat fields. */
  expand?: Expand[];
}

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  /** The 1-based position of the first item; 0 on an empty page. */
  start: number;
  /** The 1-based position of the last item; 0 on an empty page. */
  end: number;
  /** How many items match, on this page or not; absent with `count: false`. */
  count?: number;
}

/** A list: await it for its first page, or iterate over it for the items of all pages. */
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  catch<T>(reject: (error: unknown) => T): Promise<Page<Item> | T>;
  finally(done: () => void): Promise<Page<Item>>;
  /** Iterates over the pages, of which the first alone has a count. A page that failed is requested again by the next step. */
  pages(): AsyncIterableIterator<Page<Item>>;
}

/** Options of a client. */
export interface ClientOptions {
  /** The address of the server, such as `https://comments.example.com`. */
  url: string | URL;
  /**
   * An access token or an API key, or a function that returns one. The function is called again, with `refresh` true,
   * when the server refuses what it returned.
   */
  token?: string | ((wanted: { refresh: boolean }) => string | Promise<string>);
  /** The user on whose behalf an API key acts, by id or uid. */
  onBehalfOf?: Ref;
  /** Takes the place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Attempts of a request that fails in passing, the first one included; 5 when absent. */
  attempts?: number;
  /** How long an attempt may take, in milliseconds; 30,000 when absent. */
  timeoutMs?: number;
}

/** The code of a problem: why the server refused a request. */
export type ProblemCode =
  | 'malformed_request'
  | 'invalid_json'
  | 'wrong_type'
  | 'invalid_query'
  | 'invalid_idempotency_key'
  | 'invalid_entity_tag'
  | 'embed_failed'
  | 'unauthorized'
  | 'invalid_credential'
  | 'user_required'
  | 'users_only'
  | 'visitor_required'
  | 'key_required'
  | 'key_only'
  | 'scope_missing'
  | 'write_forbidden'
  | 'edit_forbidden'
  | 'moderated'
  | 'moderate_forbidden'
  | 'locked'
  | 'own_content'
  | 'suspend_forbidden'
  | 'directory_forbidden'
  | 'manage_forbidden'
  | 'page_forbidden'
  | 'origin_refused'
  | 'link_expired'
  | 'user_suspended'
  | 'puzzle_unsolved'
  | 'address_banned'
  | 'sign_in_ended'
  | 'text_refused'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'name_taken'
  | 'idempotency_key_in_use'
  | 'position_gone'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'expectation_failed'
  | 'validation_failed'
  | 'storage_quota_reached'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'too_many_connections'
  | 'upload_quota_reached'
  | 'address_counted'
  | 'too_many_reports'
  | 'headers_too_large'
  | 'internal_error'
  | 'storage_unavailable'
  | 'identity_provider_unavailable'
  | 'too_busy'
  | 'took_too_long'
  | 'shutting_down';

/** The server refused a request, or failed at it. */
export class ProblemError extends Error {
  readonly status: number;
  /** A code of a later server, and `unknown` where a proxy wrote the response, are possible as well. */
  readonly code: ProblemCode | (string & {});
  /** The fields at fault. */
  readonly errors: readonly { pointer?: string; parameter?: string; code: string; message: string }[];
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined;
  /** How long to wait before another attempt, where the server says so. */
  readonly retryAfterMs: number | undefined;
  /** The whole body (RFC 9457). */
  readonly problem: { readonly [name: string]: unknown };
}

/** There was no complete response; whether the server acted is unknown. */
export class ConnectionError extends Error {}

/**
 * Creates a client. Its methods reject with a `ProblemError` or a `ConnectionError`, and with the reason of `signal` when
 * that aborts. A request that fails in passing is repeated where that cannot change anything twice.
 */
export function createClient(options: ClientOptions): Client;

/**
 * The uid of the comments of a web page, from its address: the one that `<confab-comments>`, `/embed.js` and imports give
 * it. It has 1 to 256 characters of `A-Z a-z 0-9 . _ - ~ = :`. Undefined for a text that is no http or https address.
 */
export function pageUid(address: string): string | undefined;

/** A client of one server with one credential. */
export interface Client {
  /** Sends a request that has no method here. */
  request(
    method: string,
    path: string,
    options?: CallOptions & { query?: Record<string, unknown>; body?: unknown },
  ): Promise<unknown>;
  /**
   * Iterates over the log of changes as it grows, from a position on or from now on, until `signal` aborts. After a
   * break it continues behind the last event, so each event comes once.
   */
  events(options?: { after?: number | string; signal?: AbortSignal }): AsyncIterableIterator<EventPage['data'][number]>;
  /**
   * Iterates over the times at which something in an app may have changed, at most once a second, until `signal` aborts: read
   * the app each time. The first is now, and there is one after each break, so no change is missed.
   */
  changes(app: Ref, options?: { signal?: AbortSignal }): AsyncIterableIterator<undefined>;
  /**
   * Resolves to the threads of an app as HTML, a list of articles, to be put inside of `<confab-comments>` by a site that is
   * built on a server; to an empty text where there is no app yet, or none that this client may read.
   */
  renderThread(uid: Ref, options?: RenderOptions): Promise<string>;
  /** Creates an app. Its creator becomes a member with write access and its manager. */
  createApp(body: AppCreate, options?: CallOptions): Promise<App>;
  /** Gets an app by its id or uid. */
  getApp(app: Ref, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<App>;
  /** Changes the fields that are present; null clears one. */
  updateApp(app: Ref, body?: Clearable<AppPatch>, options?: CallOptions): Promise<App>;
  /** Updates the app with the uid in the path, or creates it. */
  upsertApp(app: string, body: Clearable<AppPut>, options?: CallOptions): Promise<App>;
  /** Creates or changes an app and a user, and makes the user a member, all in one transaction. */
  initApp(body: AppInit, options?: CallOptions): Promise<App>;
  /** Deletes an app permanently, with everything in it, whether or not it is in the trash. */
  deleteApp(app: Ref, options?: CallOptions): Promise<undefined>;
  /** Lists the apps the caller can see. */
  listApps(query?: ListQuery<'id' | 'id desc' | 'uid' | 'uid desc' | 'type' | 'type desc' | 'name' | 'name desc' | 'display_name' | 'display_name desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'members'> & {
    /** `true` lists contextual apps only, `false` the others. Absent or `null` lists both. */
    contextual?: boolean | null;
    /** Guids or names of app types; absent lists all. */
    type?: Array<string>;
  }, options?: CallOptions): Pages<AppItem>;
  /** Subscribes the caller to notifications of the app. */
  subscribeApp(app: Ref, options?: CallOptions): Promise<App>;
  /** Ends the subscription of the caller. */
  unsubscribeApp(app: Ref, options?: CallOptions): Promise<App>;
  /** Puts the app in the trash, where it is hidden until it is restored. Doing it twice is the same as once. */
  trashApp(app: Ref, options?: CallOptions): Promise<App>;
  /** Takes the app out of the trash. */
  restoreApp(app: Ref, options?: CallOptions): Promise<App>;
  /** Locks an app, at once or from a time on. */
  lockApp(app: Ref, body?: LockCreate, options?: CallOptions): Promise<App>;
  /** Unlocks an app. */
  unlockApp(app: Ref, options?: CallOptions): Promise<App>;
  /** Adds a member, or changes the access or the role of one. The default access is write; null takes a role away. */
  addMember(app: Ref, user: Ref, body?: Clearable<MemberPut>, options?: CallOptions): Promise<undefined>;
  /** Adds members or changes their access or roles: all of them, or none when one is unknown. */
  addMembers(app: Ref, body: Array<MemberInput>, options?: CallOptions): Promise<undefined>;
  /** Lists the members of an app. */
  listMembers(app: Ref, query?: ListQuery<'id' | 'id desc' | 'uid' | 'uid desc' | 'name' | 'name desc' | 'display_name' | 'display_name desc' | 'access' | 'access desc' | 'created_at' | 'created_at desc', never> & {
    /** `true` lists suspended members only, `false` the others, `null` all. The default is `false`. */
    suspended?: boolean | null;
  }, options?: CallOptions): Pages<AppMember>;
  /** Removes a member. Several ids may stand in the path, separated by commas. */
  removeMember(app: Ref, user: string, options?: CallOptions): Promise<undefined>;
  /** Removes members by id or uid: all of them, or none when one is unknown. */
  removeMembers(app: Ref, body: Array<string>, options?: CallOptions): Promise<undefined>;
  /** Explains what a user may do in an app, and by which rule. */
  explainAccess(app: Ref, query?: {
    /** The id or uid of the user. The caller when absent. */
    user?: string;
    /** The id of a post in the app: whether the user writes on it, which its lock can prevent. */
    post?: string;
    /** The id of a file in the app: whether the user writes on it, which its lock can prevent. */
    file?: string;
  }, options?: CallOptions): Promise<AppAccess>;
  /** Gets the mail settings of the caller. */
  getMail(options?: CallOptions): Promise<MailSettings>;
  /** Changes the mail settings of the caller. */
  updateMail(body?: Clearable<MailPatch>, options?: CallOptions): Promise<MailSettings>;
  /** Gets the state of the server, and its activity in the last hour. */
  getStatus(options?: CallOptions): Promise<Status>;
  /** Gets the settings in effect, without secrets, and where each one stands. */
  getSettings(options?: CallOptions): Promise<ServerSettings>;
  /** Lists the API keys, without their secrets. */
  listKeys(options?: CallOptions): Promise<ApiKeys>;
  /** Creates an API key. Only this response shows its secret. */
  createKey(body: ApiKeyCreate, options?: CallOptions): Promise<NewApiKey>;
  /** Makes an API key that takes the place of another one, which stays valid for a while. */
  rotateKey(id: number, body?: KeyRotation, options?: CallOptions): Promise<NewApiKey>;
  /** Revokes an API key: requests with it and sessions that it began are refused from then on. */
  revokeKey(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the backups at the place of the server, and the work in progress. */
  listBackups(options?: CallOptions): Promise<Backups>;
  /** Starts to make a backup, as the server does automatically. */
  createBackup(options?: CallOptions): Promise<BackupJob>;
  /** Begins to check that a backup can be restored. */
  verifyBackup(backup: string, options?: CallOptions): Promise<BackupJob>;
  /** Sends a backup as a tar archive, which unpacks to a place of backups. */
  downloadBackup(backup: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;
  /** Gets the findings of the last examination of the server, and whether one is running. */
  getDoctor(options?: CallOptions): Promise<DoctorRun>;
  /** Starts to examine the server, its surroundings and its store, as `confab doctor` does. */
  runDoctor(options?: CallOptions): Promise<DoctorRun>;
  /** Examines the server, mends faults that need no decision, and examines it again. */
  fixWithDoctor(options?: CallOptions): Promise<DoctorRun>;
  /** Stars the app for the caller; twice is once. */
  starApp(app: Ref, options?: CallOptions): Promise<undefined>;
  /** Takes the star of the caller away. */
  unstarApp(app: Ref, options?: CallOptions): Promise<undefined>;
  /** Lists the items that the caller has starred and can see. */
  listStars(query?: ListQuery<'id' | 'id desc', never>, options?: CallOptions): Pages<StarredEntity>;
  /** Gets the features that a client can offer in one kind of app: `chat`, `comments`, `feeds` (posts), `files` or `messenger`. */
  getFeatures(set: string, options?: CallOptions): Promise<Features>;
  /** Creates a comment in a comments app. */
  createAppComment(app: Ref, body?: CommentCreate, options?: CallOptions): Promise<Comment>;
  /** Creates a comment on a file. */
  createFileComment(id: number, body?: CommentCreate, options?: CallOptions): Promise<Comment>;
  /** Creates a comment on a post. */
  createPostComment(id: number, body?: CommentCreate, options?: CallOptions): Promise<Comment>;
  /** Gets a comment. */
  getComment(id: number, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<Comment>;
  /** Changes the fields that are present; null clears one and an array replaces. */
  updateComment(id: number, body?: Clearable<EntryPatch>, options?: CallOptions): Promise<Comment>;
  /** Lists the comments of every app the caller can see. */
  listComments(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<CommentItem>;
  /** Lists the comments of an app. */
  listAppComments(app: Ref, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'reaction_count' | 'reaction_count desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'> & {
    /** `roots` lists the comments that answer none, each with the first of its thread in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the trash keeps its place, without text and author, while comments below it are shown; `count` leaves such places out. */
    thread?: 'roots';
    /** How many comments of each thread `replies` has: at most 25, and 3 where it is absent. `top` times `replies` is at most 625. */
    replies?: number;
    /** `true` asks for the comments of a page that perhaps nobody has opened yet: where the caller sees no such app, the list is empty, without the header `Allow`, in place of 401 or 404. The default is false. */
    page?: boolean;
  }, options?: CallOptions): Pages<CommentItem>;
  /** Lists the comments on a file. */
  listFileComments(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'reaction_count' | 'reaction_count desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'> & {
    /** `roots` lists the comments that answer none, each with the first of its thread in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the trash keeps its place, without text and author, while comments below it are shown; `count` leaves such places out. */
    thread?: 'roots';
    /** How many comments of each thread `replies` has: at most 25, and 3 where it is absent. `top` times `replies` is at most 625. */
    replies?: number;
  }, options?: CallOptions): Pages<CommentItem>;
  /** Lists the comments on a post. */
  listPostComments(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'reaction_count' | 'reaction_count desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'> & {
    /** `roots` lists the comments that answer none, each with the first of its thread in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the trash keeps its place, without text and author, while comments below it are shown; `count` leaves such places out. */
    thread?: 'roots';
    /** How many comments of each thread `replies` has: at most 25, and 3 where it is absent. `top` times `replies` is at most 625. */
    replies?: number;
  }, options?: CallOptions): Pages<CommentItem>;
  /** Lists the comments below a comment. */
  listReplies(id: number, query?: ListQuery<'id' | 'id desc' | 'reaction_count' | 'reaction_count desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<AnswerItem>;
  /** Puts a comment in the trash. */
  trashComment(id: number, options?: CallOptions): Promise<Comment>;
  /** Takes a comment out of the trash. */
  restoreComment(id: number, options?: CallOptions): Promise<Comment>;
  /** Holds a comment: only its author and moderators see it until it is approved. */
  holdComment(id: number, options?: CallOptions): Promise<Comment>;
  /** Approves a comment that is held, so that everyone sees it. */
  approveComment(id: number, options?: CallOptions): Promise<Comment>;
  /** Deletes a comment permanently, in the trash or not. */
  deleteComment(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the attachments of a comment. */
  listCommentAttachments(id: number, query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'size' | 'size desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'timestamp' | 'timestamp desc', 'created_by' | 'modified_by' | 'parent'>, options?: CallOptions): Pages<FileItem>;
  /** Renders a text as a comment would show it, for a preview. */
  renderText(body: TextToRender, options?: CallOptions): Promise<RenderedText>;
  /** Counts the comments of up to 100 apps, for pages that list other pages. */
  listCounts(query?: {
    /** The uid of an app. Send the parameter once for each app. */
    uid?: Array<string>;
  }, options?: CallOptions): Promise<CommentCounts>;
  /** Uploads a file of at most 50 MiB, to be used by a comment, a post or a file within 24 hours. */
  createBlob(file: globalThis.Blob, options?: UploadOptions): Promise<Blob>;
  /** Uploads an export of at most 512 MiB, to be used by an import within 24 hours. */
  createImportBlob(file: globalThis.Blob, options?: UploadOptions): Promise<Blob>;
  /** Names a file that is kept elsewhere, to be used as an upload is. */
  createExternalBlob(body: ExternalBlobCreate, options?: CallOptions): Promise<Blob>;
  /** Gets a blob of the caller; an API key can get any blob. */
  getBlob(id: number, options?: CallOptions): Promise<Blob>;
  /** Puts an upload into a files app. */
  createFile(app: Ref, body: FileCreate, options?: CallOptions): Promise<File>;
  /** Lists the files of a files app. */
  listAppFiles(app: Ref, query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'size' | 'size desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'timestamp' | 'timestamp desc', 'created_by' | 'modified_by' | 'parent'>, options?: CallOptions): Pages<FileItem>;
  /** Lists the files of every files app the caller can see. Attachments stand in what they belong to. */
  listFiles(query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'size' | 'size desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'timestamp' | 'timestamp desc', 'created_by' | 'modified_by' | 'parent'>, options?: CallOptions): Pages<FileItem>;
  /** Gets a file or an attachment. */
  getFile(id: number, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<File>;
  /** Puts a file in the trash. To remove an attachment, edit the item that it belongs to. */
  trashFile(id: number, options?: CallOptions): Promise<File>;
  /** Takes a file out of the trash. */
  restoreFile(id: number, options?: CallOptions): Promise<File>;
  /** Holds a file: only its author and moderators see it until it is approved. */
  holdFile(id: number, options?: CallOptions): Promise<File>;
  /** Approves a file that is held, so that everyone sees it. */
  approveFile(id: number, options?: CallOptions): Promise<File>;
  /** Locks a file with its comments, at once or from a time on. */
  lockFile(id: number, body?: LockCreate, options?: CallOptions): Promise<File>;
  /** Unlocks a file. */
  unlockFile(id: number, options?: CallOptions): Promise<File>;
  /** Changes the fields of a file that are present; null clears metadata and tags. */
  updateFile(id: number, body?: Clearable<FilePatch>, options?: CallOptions): Promise<File>;
  /** Deletes a file permanently, in the trash or not, with its versions and the comments on it. */
  deleteFile(id: number, options?: CallOptions): Promise<undefined>;
  /** Subscribes the caller to notifications of the file. */
  subscribeFile(id: number, options?: CallOptions): Promise<File>;
  /** Ends the subscription of the caller. */
  unsubscribeFile(id: number, options?: CallOptions): Promise<File>;
  /** Lists the versions of a file, the current one first and then the earlier ones, newest first. */
  listFileVersions(id: number, query?: {
    /** The most versions to list; 100 when absent. */
    top?: number;
    /** How many versions are skipped; 0 by default. */
    skip?: number;
  }, options?: CallOptions): Promise<FileVersions>;
  /** Gets one version of a file by its number. */
  getFileVersion(id: number, version: number, options?: CallOptions): Promise<File>;
  /** Deletes an earlier version permanently. The current one cannot be deleted (400). */
  deleteFileVersion(id: number, version: number, options?: CallOptions): Promise<undefined>;
  /** Makes the content of an earlier version the current one, as a new version. */
  restoreFileVersion(id: number, version: number, options?: CallOptions): Promise<File>;
  /** Creates a post in a posts app. */
  createPost(app: Ref, body?: EntryCreate, options?: CallOptions): Promise<Post>;
  /** Lists the posts of an app. */
  listAppPosts(app: Ref, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<PostItem>;
  /** Lists the posts of every app the caller can see. */
  listPosts(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<PostItem>;
  /** Gets a post. */
  getPost(id: number, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<Post>;
  /** Changes the fields that are present; null clears one and an array replaces. */
  updatePost(id: number, body?: Clearable<EntryPatch>, options?: CallOptions): Promise<Post>;
  /** Puts a post in the trash, out of sight with its comments. */
  trashPost(id: number, options?: CallOptions): Promise<Post>;
  /** Takes a post out of the trash, with the comments it had. */
  restorePost(id: number, options?: CallOptions): Promise<Post>;
  /** Locks a post with its comments, at once or from a time on. */
  lockPost(id: number, body?: LockCreate, options?: CallOptions): Promise<Post>;
  /** Unlocks a post. */
  unlockPost(id: number, options?: CallOptions): Promise<Post>;
  /** Subscribes the caller to notifications of the post. */
  subscribePost(id: number, options?: CallOptions): Promise<Post>;
  /** Ends the subscription of the caller. */
  unsubscribePost(id: number, options?: CallOptions): Promise<Post>;
  /** Holds a post: only its author and moderators see it until it is approved. */
  holdPost(id: number, options?: CallOptions): Promise<Post>;
  /** Approves a post that is held, so that everyone sees it. */
  approvePost(id: number, options?: CallOptions): Promise<Post>;
  /** Deletes a post permanently, in the trash or not. */
  deletePost(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the attachments of a post. */
  listPostAttachments(id: number, query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'size' | 'size desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'timestamp' | 'timestamp desc', 'created_by' | 'modified_by' | 'parent'>, options?: CallOptions): Pages<FileItem>;
  /** Creates a message in a chat, a chat room or a private chat. */
  createMessage(app: Ref, body?: EntryCreate, options?: CallOptions): Promise<Message>;
  /** Lists the messages of an app. */
  listAppMessages(app: Ref, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<MessageItem>;
  /** Lists the messages of every app the caller can see. */
  listMessages(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'created_by' | 'modified_by' | 'parent' | 'embed' | 'meeting'>, options?: CallOptions): Pages<MessageItem>;
  /** Gets a message. */
  getMessage(id: number, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<Message>;
  /** Changes the fields that are present; null clears one and an array replaces. */
  updateMessage(id: number, body?: Clearable<EntryPatch>, options?: CallOptions): Promise<Message>;
  /** Puts a message in the trash. */
  trashMessage(id: number, options?: CallOptions): Promise<Message>;
  /** Takes a message out of the trash. */
  restoreMessage(id: number, options?: CallOptions): Promise<Message>;
  /** Holds a message: only its author and moderators see it until it is approved. */
  holdMessage(id: number, options?: CallOptions): Promise<Message>;
  /** Approves a message that is held, so that everyone sees it. */
  approveMessage(id: number, options?: CallOptions): Promise<Message>;
  /** Deletes a message permanently, in the trash or not. */
  deleteMessage(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the attachments of a message. */
  listMessageAttachments(id: number, query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'size' | 'size desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc' | 'timestamp' | 'timestamp desc', 'created_by' | 'modified_by' | 'parent'>, options?: CallOptions): Pages<FileItem>;
  /** Starts a conversation with other users. */
  createConversation(body?: ConversationCreate, options?: CallOptions): Promise<Conversation>;
  /** Lists the conversations of the caller: pinned ones first, then those with the newest messages. */
  listConversations(query?: ListQuery<'pinned_at' | 'pinned_at desc' | 'last_message_id' | 'last_message_id desc' | 'id' | 'id desc' | 'name' | 'name desc' | 'created_at' | 'created_at desc', 'created_by' | 'modified_by'> & {
    /** `true` lists unread conversations only, `false` read ones. Absent or `null` lists both. */
    unread?: boolean | null;
    /** Names or guids of app types; absent lists all. */
    type?: Array<string>;
    /** Only conversations with this user, by id or uid. */
    member?: string;
    /** `true` lists chats only, `false` chat rooms and private chats. Absent or `null` lists both. */
    contextual?: boolean | null;
  }, options?: CallOptions): Pages<ConversationItem>;
  /** Counts the unread conversations of the caller. */
  getBadge(options?: CallOptions): Promise<ConversationBadge>;
  /** Gets a conversation; only its members and an API key know of it. */
  getConversation(id: number, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<Conversation>;
  /** Marks the messages so far as delivered to the caller. */
  setDelivered(id: number, options?: CallOptions): Promise<Conversation>;
  /** Marks a conversation as read up to a message. A mark never goes back. */
  markConversation(id: number, query?: {
    /** The id of the last message that the caller has read; the newest when absent. */
    message_id?: number;
  }, options?: CallOptions): Promise<Conversation>;
  /** Marks a conversation as unread. */
  unmarkConversation(id: number, options?: CallOptions): Promise<Conversation>;
  /** Pins a conversation: it comes first in the list of the caller. */
  pinConversation(id: number, options?: CallOptions): Promise<Conversation>;
  /** Unpins a conversation. */
  unpinConversation(id: number, options?: CallOptions): Promise<Conversation>;
  /** Gets an option of a poll. */
  getOption(id: number, options?: CallOptions): Promise<Option>;
  /** Votes for an option, or takes the vote back from the option the caller chose. */
  voteOption(id: number, options?: CallOptions): Promise<Option>;
  /** Lists the users who chose an option, in the order of their votes. */
  listVoters(id: number, options?: CallOptions): Promise<Array<User>>;
  /** Reacts to a comment with an emoji. */
  addCommentReaction(id: number, body: ReactionCreate, options?: CallOptions): Promise<undefined>;
  /** Takes back the reaction of the caller to a comment, if there is one. */
  removeCommentReaction(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the reactions to a comment. */
  listCommentReactions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never> & {
    /** Only reactions with this emoji. */
    content?: string;
  }, options?: CallOptions): Pages<ReactionDetail>;
  /** Reacts to a post with an emoji. */
  addPostReaction(id: number, body: ReactionCreate, options?: CallOptions): Promise<undefined>;
  /** Takes back the reaction of the caller to a post, if there is one. */
  removePostReaction(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the reactions to a post. */
  listPostReactions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never> & {
    /** Only reactions with this emoji. */
    content?: string;
  }, options?: CallOptions): Pages<ReactionDetail>;
  /** Reacts to a message with an emoji. */
  addMessageReaction(id: number, body: ReactionCreate, options?: CallOptions): Promise<undefined>;
  /** Takes back the reaction of the caller to a message, if there is one. */
  removeMessageReaction(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the reactions to a message. */
  listMessageReactions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never> & {
    /** Only reactions with this emoji. */
    content?: string;
  }, options?: CallOptions): Pages<ReactionDetail>;
  /** Gets a reaction. */
  getReaction(id: number, options?: CallOptions): Promise<ReactionDetail>;
  /** Removes a reaction of the caller, or of any user as manager of the app. */
  deleteReaction(id: number, options?: CallOptions): Promise<undefined>;
  /** Reports a comment to the moderators of its app, once for each user. */
  reportComment(id: number, body: ReportCreate, options?: CallOptions): Promise<OwnReport>;
  /** Reports a post to the moderators of its app, once for each user. */
  reportPost(id: number, body: ReportCreate, options?: CallOptions): Promise<OwnReport>;
  /** Reports a message to the moderators of its app, once for each user. */
  reportMessage(id: number, body: ReportCreate, options?: CallOptions): Promise<OwnReport>;
  /** Reports a file to the moderators of its app, once for each user. */
  reportFile(id: number, body: ReportCreate, options?: CallOptions): Promise<OwnReport>;
  /** Lists the reported and held items that the caller moderates, the last ones first. */
  listReports(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc' | 'reported_at' | 'reported_at desc' | 'report_count' | 'report_count desc', 'author' | 'resolved_by'> & {
    /** Only open or only resolved reports. Absent lists both. */
    state?: 'open' | 'resolved';
    /** The id or uid of an app: only reports in it. Digits alone are an id. */
    app?: string;
    /** `true` lists only items that are held, `false` the others. Absent or `null` lists both. */
    held?: boolean | null;
    /** Only items that a user reported for this reason. */
    reason?: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other' | 'rule';
  }, options?: CallOptions): Pages<ReportItem>;
  /** Gets a report that the caller moderates. */
  getReport(id: number, options?: CallOptions): Promise<Report>;
  /** Decides on a report: keeps or approves the item, trashes or holds it, or also suspends its author. */
  resolveReport(id: number, body: ReportResolve, options?: CallOptions): Promise<Report>;
  /** Lists the versions of a comment before each of its edits. */
  listCommentRevisions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never>, options?: CallOptions): Pages<Revision>;
  /** Lists the versions of a post before each of its edits. */
  listPostRevisions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never>, options?: CallOptions): Pages<Revision>;
  /** Lists the versions of a message before each of its edits. */
  listMessageRevisions(id: number, query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never>, options?: CallOptions): Pages<Revision>;
  /** Fetches an address and creates an embed from the page. */
  createEmbed(body: EmbedCreate, options?: CallOptions): Promise<Embed>;
  /** Gets an embed of the caller. */
  getEmbed(id: number, options?: CallOptions): Promise<Embed>;
  /** Makes a video meeting with an address that cannot be guessed. */
  createMeeting(body: MeetingCreate, options?: CallOptions): Promise<Meeting>;
  /** Gets a meeting of the caller. */
  getMeeting(id: number, options?: CallOptions): Promise<Meeting>;
  /** Creates a user. */
  createUser(body: UserCreate, options?: CallOptions): Promise<UserDetail>;
  /** Lists users. */
  listUsers(query?: ListQuery<'id' | 'id desc' | 'uid' | 'uid desc' | 'name' | 'name desc' | 'display_name' | 'display_name desc' | 'email' | 'email desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', 'visitor'> & {
    /** Only the users of this directory. */
    directory_id?: number;
    /** `true` lists suspended users only, `false` the others, `null` all. The default is `false`. */
    suspended?: boolean | null;
    /** Only users who sign in like this: `none` for users of your product, `visitor` for all visitors, or one way, such as `guest`. Everybody when absent, and for users, who do not see how others sign in. */
    way?: string;
  }, options?: CallOptions): Pages<ListedUser>;
  /** Finds users by the first letters of the words of their names. */
  autocompleteUsers(query?: {
    /** The beginnings of words; absent or `*` finds every user. */
    q?: string;
    /** The most users to list; 5 when absent. */
    top?: number;
    /** How many users are skipped; 0 by default. */
    skip?: number;
    /** Whether to count all matching users. The default is false. */
    count?: boolean;
    /** The app that `is_member` and `access` are about; without it they are absent. */
    id?: number;
  }, options?: CallOptions): Promise<AutocompleteList>;
  /** Gets a user by id or uid. */
  getUser(user: Ref, query?: {
    /** `true` returns the object even if it is in the trash. The default is false. */
    trashed?: boolean;
  }, options?: CallOptions): Promise<UserDetail>;
  /** Changes the fields that are present; null clears one. */
  updateUser(user: Ref, body?: Clearable<UserPatch>, options?: CallOptions): Promise<UserDetail>;
  /** Updates the user with the uid in the path, or creates it. */
  upsertUser(user: string, body?: Clearable<UserPatch>, options?: CallOptions): Promise<UserDetail>;
  /** Puts the user in the trash. The user cannot do anything until restored. Doing it twice is the same as once. */
  trashUser(user: Ref, options?: CallOptions): Promise<UserDetail>;
  /** Takes the user out of the trash. */
  restoreUser(user: Ref, options?: CallOptions): Promise<UserDetail>;
  /** Gets the user whose access token is used. */
  getCaller(options?: CallOptions): Promise<UserDetail>;
  /** Lists the users of a directory. A user may ask for their own directory only. */
  listDirectoryMembers(directory: Ref, query?: ListQuery<'id' | 'id desc' | 'uid' | 'uid desc' | 'name' | 'name desc' | 'display_name' | 'display_name desc' | 'email' | 'email desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', never> & {
    /** `true` lists suspended users only, `false` the others, `null` all. The default is `false`. */
    suspended?: boolean | null;
  }, options?: CallOptions): Pages<User>;
  /** Issues an access token of a user. A uid that nobody has creates the user. */
  issueToken(user: Ref, body?: TokenCreate, options?: CallOptions): Promise<AccessToken>;
  /** Revokes every access token of a user, even if the user is suspended or in the trash. */
  revokeTokens(user: Ref, options?: CallOptions): Promise<undefined>;
  /** Says how visitors can sign in. */
  getSignIn(options?: CallOptions): Promise<SignInWays>;
  /** Makes a puzzle for a guest. */
  makePuzzle(options?: CallOptions): Promise<Puzzle>;
  /** Signs a guest in, who is a new visitor each time. */
  signInAsGuest(body: GuestSignIn, options?: CallOptions): Promise<SignedIn>;
  /** Sends a code and a link to a mailbox. */
  signInByEmail(body: EmailSignIn, options?: CallOptions): Promise<SignInTicket>;
  /** Confirms a mailbox by the code of a mail. */
  confirmCode(body: MailedCode, options?: CallOptions): Promise<SignInConfirmed>;
  /** Confirms a mailbox by the link of a mail. */
  confirmLink(body: MailedLink, options?: CallOptions): Promise<SignInConfirmed>;
  /** Stops the codes to a mailbox for a week, by the link of a mail that nobody asked for. */
  refuseMail(body: MailRefusal, options?: CallOptions): Promise<undefined>;
  /** Signs a visitor in with the code of a window. */
  exchangeCode(body: CodeExchange, options?: CallOptions): Promise<SignedIn>;
  /** Gets a visitor the next access token. */
  renewSignIn(body: Renewal, options?: CallOptions): Promise<SignedIn>;
  /** Signs the visitor out: here, or everywhere. */
  signOut(query?: {
    /** Whether every session of the visitor ends, and not only the one of the token. */
    everywhere?: boolean;
  }, options?: CallOptions): Promise<undefined>;
  /** Changes the name and the picture of the visitor. */
  updateVisitor(body?: Clearable<VisitorPatch>, options?: CallOptions): Promise<UserDetail>;
  /** Sends a code to a mailbox by which the visitor wants to sign in as well. */
  addMailbox(body: MailboxAddition, options?: CallOptions): Promise<SignInTicket>;
  /** Confirms that mailbox by the code of the mail, which joins the accounts of both. */
  confirmMailbox(body: AddedMailbox, options?: CallOptions): Promise<SignedIn>;
  /** Erases a user with everything that the server has of them. */
  eraseUser(user: Ref, query?: {
    /** Whether comments, posts and messages are removed (`remove`, the default) or kept without their author (`keep`). Files are removed in either case. */
    content?: 'remove' | 'keep';
  }, options?: CallOptions): Promise<Erasure>;
  /** Gets the receipt of an erasure, signed once everything is done. */
  getErasure(id: number, options?: CallOptions): Promise<Erasure>;
  /** Sends everything that the server has of a user, as a tar archive. */
  exportUser(user: Ref, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;
  /** Creates a directory. */
  createDirectory(body: DirectoryCreate, options?: CallOptions): Promise<Directory>;
  /** Lists directories: all of them for an API key, the one they belong to for a user. */
  listDirectories(query?: ListQuery<'id' | 'id desc' | 'name' | 'name desc' | 'created_at' | 'created_at desc', never>, options?: CallOptions): Pages<Directory>;
  /** Gets a directory by id or name. A user can get only their own. */
  getDirectory(directory: Ref, options?: CallOptions): Promise<Directory>;
  /** Renames a directory. */
  updateDirectory(directory: Ref, body?: Clearable<DirectoryPatch>, options?: CallOptions): Promise<Directory>;
  /** Deletes a directory that no user and no app belongs to. */
  deleteDirectory(directory: Ref, options?: CallOptions): Promise<undefined>;
  /** Lists the notifications of the caller, the newest first. */
  listNotifications(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', 'actor' | 'user'> & {
    /** Only notifications of this action, such as `comment_created`. */
    action?: string;
    /** `true` lists unread notifications only, `false` read ones. Absent or `null` lists both. */
    unread?: boolean | null;
  }, options?: CallOptions): Pages<NotificationItem>;
  /** Marks a notification of the caller and all earlier ones as read, or all of them without an id. */
  markNotifications(query?: {
    /** The id of the last notification to mark. */
    id?: string;
  }, options?: CallOptions): Promise<undefined>;
  /** Gets a notification of the caller, or with an API key of any user. */
  getNotification(id: number, options?: CallOptions): Promise<Notification>;
  /** Deletes a notification permanently. */
  deleteNotification(id: number, options?: CallOptions): Promise<undefined>;
  /** Marks a notification as read. */
  markNotification(id: number, options?: CallOptions): Promise<Notification>;
  /** Marks a notification as unread. */
  unmarkNotification(id: number, options?: CallOptions): Promise<Notification>;
  /** Gets the rules that screen texts, and the statistics of each. */
  getModerationRules(options?: CallOptions): Promise<ModerationRules>;
  /** Replaces the rules that texts are screened with. */
  replaceModerationRules(body: Clearable<ModerationRulesReplacement>, options?: CallOptions): Promise<ModerationRules>;
  /** Tests which rules match a text, and what would happen to it. */
  testModerationRules(body: TextToTest, options?: CallOptions): Promise<RuleTest>;
  /** Bans an address for a while: visitors who come from there only read. */
  createBan(body?: BanCreate, options?: CallOptions): Promise<Ban>;
  /** Lists the bans in force, the last ones first. */
  listBans(query?: ListQuery<'id' | 'id desc' | 'expires_at' | 'expires_at desc', never>, options?: CallOptions): Pages<Ban>;
  /** Trusts or suspends a user, or bans the address of a visitor, as a moderator. */
  moderateUser(user: Ref, body?: Clearable<UserModerationPatch>, options?: CallOptions): Promise<UserModeration>;
  /** Ends a ban before its time. */
  deleteBan(id: number, options?: CallOptions): Promise<undefined>;
  /** Tries an import of the comments of another system, and writes none. */
  createImport(body: ImportCreate, options?: CallOptions): Promise<Import>;
  /** Lists imports, including those of the command `confab import`. */
  listImports(query?: ListQuery<'id' | 'id desc' | 'created_at' | 'created_at desc', never>, options?: CallOptions): Pages<Import>;
  /** Gets an import with its report and its progress. */
  getImport(id: number, options?: CallOptions): Promise<Import>;
  /** Runs an import whose dry run is done. */
  runImport(id: number, options?: CallOptions): Promise<Import>;
  /** Stops an import that is being read, waits to be run, or runs. */
  stopImport(id: number, options?: CallOptions): Promise<Import>;
  /** Undoes an import: puts the items that it created in the trash. */
  undoImport(id: number, options?: CallOptions): Promise<Import>;
  /** Reads the log of changes in its order, from a position on, or backwards. */
  listEvents(query?: {
    /** The position of the last event that is known. */
    after?: number;
    /** Reads backwards from this position, which is not included. The largest integer of JSON, 9007199254740991, begins with the newest event. */
    before?: number;
    /** With `entity_id`, only the events about one item, the newest first: the events that have it under the name of this type. */
    entity_type?: string;
    /** The id of that thing. */
    entity_id?: number;
    /** The most events of the page. A page ends before its events exceed 4 MiB, so it can have fewer: go on with `after` at `next`. */
    top?: number;
  }, options?: CallOptions): Promise<EventPage>;
  /** Notifies the other users of a chat that the caller is writing a message. */
  typeMessage(id: number, options?: CallOptions): Promise<undefined>;
  /** Notifies the other users of a posts app that the caller is writing a post. */
  typePost(id: number, options?: CallOptions): Promise<undefined>;
  /** Notifies the other users of the app that the caller is writing a comment on a file. */
  typeFileComment(id: number, options?: CallOptions): Promise<undefined>;
  /** Notifies the other users of the app that the caller is writing a comment on a post. */
  typePostComment(id: number, options?: CallOptions): Promise<undefined>;
  /** Notifies the other users of an app that the caller is writing a comment. */
  typeComment(app: Ref, options?: CallOptions): Promise<undefined>;
  /** Notifies the other users of a conversation that the caller is writing a message. */
  typeConversation(id: number, options?: CallOptions): Promise<undefined>;
  /** Registers a webhook. It is enabled unless the request disables it. */
  registerWebhook(body: WebhookCreate, options?: CallOptions): Promise<Webhook>;
  /** Describes every event: its action, its group and the JSON Schema of its payload. */
  listWebhookEvents(query?: {
    /** Only events of this group, such as comments. */
    group?: string;
    /** Only the event with this action. */
    action?: string;
  }, options?: CallOptions): Promise<WebhookEvents>;
  /** Gets a webhook. */
  getWebhook(id: number, options?: CallOptions): Promise<WebhookDetail>;
  /** Changes the fields that are present; null clears the secret. */
  updateWebhook(id: number, body?: Clearable<WebhookPatch>, options?: CallOptions): Promise<Webhook>;
  /** Gives a webhook another secret while the one before still holds for a while. */
  rotateWebhookSecret(id: number, body?: SecretRotation, options?: CallOptions): Promise<RotatedSecret>;
  /** Lists the webhooks. */
  listWebhooks(query?: ListQuery<'id' | 'id desc' | 'payload_url' | 'payload_url desc' | 'is_enabled' | 'is_enabled desc' | 'created_at' | 'created_at desc' | 'modified_at' | 'modified_at desc', never>, options?: CallOptions): Pages<Webhook>;
  /** Deletes a webhook with its deliveries. Nothing further is sent. */
  deleteWebhook(id: number, options?: CallOptions): Promise<undefined>;
  /** Lists the deliveries of a webhook, the newest first. */
  listDeliveries(id: number, query?: ListQuery<'id' | 'id desc' | 'sequence' | 'sequence desc' | 'event_id' | 'event_id desc' | 'action' | 'action desc' | 'delivered_at' | 'delivered_at desc' | 'duration' | 'duration desc' | 'status_code' | 'status_code desc' | 'status' | 'status desc', 'payload'> & {
    /** Only deliveries of this status. */
    status?: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
    /** Only deliveries whose last attempt was answered with this status. */
    status_code?: number;
    /** Only deliveries of this action, such as `comment_created`. */
    action?: string;
    /** Only the delivery of the event with this id. */
    event_id?: number;
    /** Only deliveries of events of this time (RFC 3339) or later. */
    since?: string;
    /** Only deliveries of events before this time (RFC 3339). */
    until?: string;
    /** Only deliveries with a higher id than this; with `order_by=sequence` only those with a higher sequence. In these two orders, ascending, the header `Link` has the address of the next page with it. */
    after?: number;
    /** Only deliveries with a lower id than this. In the default order, the newest first, the header `Link` has the address of the next page with it. */
    before?: number;
  }, options?: CallOptions): Pages<DeliveryItem>;
  /** Gets a delivery with its body. */
  getDelivery(id: number, delivery: number, options?: CallOptions): Promise<Delivery>;
  /** Lists the attempts of a delivery, the first one first, with their requests and responses. */
  listAttempts(id: number, delivery: number, query?: ListQuery<'number' | 'number desc', never>, options?: CallOptions): Pages<Attempt>;
  /** Sends a webhook an event of its own, `webhook_pinged`, whatever its triggers are. */
  pingWebhook(id: number, options?: CallOptions): Promise<Delivery>;
  /** Has a delivery sent again, with the same body and guid, whatever became of it. */
  redeliver(id: number, delivery: number, options?: CallOptions): Promise<Delivery>;
  /** Has the deliveries sent again that a filter matches, the oldest first. */
  redeliverMany(id: number, body?: RedeliverMany, options?: CallOptions): Promise<Redelivered>;
}

export interface AccessDecision {
  /** Whether the user has the right. */
  is_allowed: boolean;
  /** The rule that decides. `api_key`: An API key may do everything in every app. `key_scope`: The API key lacks the scope that this needs. `user_suspended`: The user is suspended, so they cannot do anything. `user_trashed`: The user is in the trash, so they cannot do anything. `app_trashed`: The app is in the trash, so neither it nor its content can be used until it is restored. `locked`: The app is locked, so only moderators and managers write in it. `item_locked`: The post or file, or the post that the file is attached to, is locked, so only moderators and managers write on it. `member_access`: The user is a member, and a member's own access counts in place of the app's. `app_access`: The user is no member, so the access of the app counts. `directory`: The user is no member, and the access of the app is for the users of another directory. `manager`: The member has the role `manager`. `moderator`: The member has the role `moderator`, which is to moderate and not to manage. `directory_moderator`: The user moderates what they see in the apps of their directory, or, without a directory, in all apps. `role_without_write`: The role of the member counts only while their own access is `write`. `creator`: The user created the app, and their membership is from a release without roles, so they manage it. `creator_without_role`: The user created the app but has no role in it: it is a page, which belongs to nobody, or the membership was made again. `no_role`: The user has no role in the app. */
  rule: 'api_key' | 'key_scope' | 'user_suspended' | 'user_trashed' | 'app_trashed' | 'locked' | 'item_locked' | 'member_access' | 'app_access' | 'directory' | 'manager' | 'moderator' | 'directory_moderator' | 'role_without_write' | 'creator' | 'creator_without_role' | 'no_role';
  /** The rule in one sentence. */
  reason: string;
}

export interface AccessToken {
  /** The token, for the header `Authorization: Bearer`. */
  access_token: string;
  /** How long the token is valid, in seconds. */
  expires_in: number;
}

export interface Actor {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your product. */
  way?: string;
  /** `moderator` for a user who moderates every app of their directory that they see or, without a directory, every app that they see. Absent for most users. */
  role?: 'moderator';
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** True for a user whose texts are shown at once in apps that hold those of newcomers or guests. Absent for everyone else. */
  is_trusted?: true;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
  /** Who made the change: the user (`person`), a program that is a user or the server itself (`bot`), or an API key, on behalf of the user or not (`api_key`). Absent from events of releases that did not record it. */
  kind?: 'person' | 'bot' | 'api_key';
  /** The id of the API key with which the change was made. Absent for a change that a user made with an access token, and for users who read the event. */
  api_key_id?: number;
  /** What a program made the change through: `mcp`. Absent for plain HTTP. */
  via?: 'mcp';
}

export interface AddedMailbox {
  /** The ticket of the answer before. */
  ticket: string;
  /** The six digits of the mail. */
  code: string;
}

export interface AnswerItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. Absent only in the place of a comment that was deleted or is in the trash, in a thread. */
  created_by_id?: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  /** The id of the comment that it answers. Absent when it answers none. */
  reply_to_id?: number;
  /** The id of the comment that began its thread. Absent in that comment, and when it answers none. */
  root_id?: number;
  /** How many comments below it are shown: all of the thread for the comment that began it, and those that answer it for any other. Absent when there are none. */
  reply_count?: number;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface ApiKey {
  /** The id of the key, which `confab key revoke` takes. */
  id: number;
  /** The purpose of the key. */
  name: string;
  /** Its last four characters. */
  hint: string;
  /** The scopes of the key; `all` stands for every scope. */
  scopes: Array<string>;
  /** When it was made. */
  created_at: string;
  /** When it was last used, to the minute. Absent for a key that was never used. */
  last_used_at?: string;
  /** When it ends. Absent for a key without an end. */
  expires_at?: string;
  /** When it was revoked. Absent for a key that was not. */
  revoked_at?: string;
  /** True for the key of this request, or of its session. Absent for other keys. */
  is_current?: true;
}

export interface ApiKeyCreate {
  /** The purpose of the key. */
  name: string;
  /** The scopes of the key; `all` stands for every scope, including those of later releases. */
  scopes: Array<'read' | 'apps' | 'users' | 'webhooks' | 'moderate' | 'all'>;
  /** When it ends, in RFC 3339; without an end when absent. */
  expires_at?: string;
}

export type ApiKeys = Array<ApiKey>;

export interface App {
  /** The id of the app. */
  id: number;
  /** The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  /** The unique name that the host product gave the app. */
  uid: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only. */
  access: 'none' | 'read' | 'write';
  /** The id of the directory that `access` is limited to. Absent when it is not limited. */
  directory_id?: number;
  /** The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members. */
  display_name: string;
  /** The name of the app, at most 256 characters. Absent when it has none. */
  name?: string;
  /** What the app is about, at most 4096 characters. Absent when it has none. */
  description?: string;
  /** Not used: always absent. */
  archive_url?: string;
  /** The address of the other person's picture in a private chat; needs no credential. Absent otherwise. */
  avatar_url?: string;
  /** Free-form properties of the app, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the app, in the order in which they were set. */
  tags: Array<string>;
  /** When the app was created. */
  created_at: string;
  /** The id of the user who created the app; that of `system` for an app made with an API key. */
  created_by_id: number;
  /** When the app was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the app. Absent until the first change. */
  modified_by_id?: number;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** The content that is held until a moderator approves it: `everything` that users write here, the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When absent, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items make a newcomer known. Only where `approval` is `newcomers`. */
  approval_count?: number;
  /** What people without a credential may do: read the comments of the app (`read`), or also write some once they have signed in as visitors (`write`). Absent where they may do nothing. */
  visitors?: 'read' | 'write';
  /** What the caller may do in the app. */
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  /** Whether the caller has starred the app. */
  is_starred: boolean;
  /** Whether the caller is notified of activity in the app. */
  is_subscribed: boolean;
  /** Whether the app is in the trash. */
  is_trashed: boolean;
  created_by: User;
  modified_by?: User;
  members: MemberList;
}

export interface AppAccess {
  /** The id of the app. */
  app_id: number;
  /** The id of the user. That of `system` for an API key that asks about itself. */
  user_id: number;
  read: AccessDecision;
  write: AccessDecision;
  moderate: AccessDecision;
  manage: AccessDecision;
}

export interface AppCreate {
  /** The unique name of the app: 1 to 256 characters without white space, at least one of them not a digit. */
  uid: string;
  /** The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or private_chat in any case, or its guid. */
  type: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). `none` when absent on create. */
  access?: 'none' | 'read' | 'write';
  /** The id or name of a directory. It limits `access` to the users of that directory, which cannot be `visitors`. Where a user opens the app and names none, it is the directory of that user; only API keys open an app to all users of a server with directories. */
  directory?: string;
  /** The name of the app. A name that is empty or blank counts as none. */
  name?: string;
  /** The subject of the app. */
  description?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** The content that is held until a moderator approves it: `everything` that users write here; texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match, including rules that only report elsewhere. An edit holds an item where a new one by the same user would be held. Content of moderators, managers and API keys is never held, and content of trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on create, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items end the status of a newcomer; 1 when absent on create. */
  approval_count?: number;
  /** What people without a credential may do in a comments app: read its comments (`read`), or also write some once they have signed in as visitors (`write`). It counts while `access` lets users read and the app has no directory. Nothing when absent on create. */
  visitors?: 'read' | 'write';
}

export interface AppInit {
  /** The app, as in a request to create one. */
  app: {
    /** The unique name of the app: 1 to 256 characters without white space, at least one of them not a digit. */
    uid: string;
    /** The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or private_chat in any case, or its guid. */
    type: string;
    /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). `none` when absent on create. */
    access?: 'none' | 'read' | 'write';
    /** The id or name of a directory. It limits `access` to the users of that directory, which cannot be `visitors`. Where a user opens the app and names none, it is the directory of that user; only API keys open an app to all users of a server with directories. */
    directory?: string;
    /** The name of the app. A name that is empty or blank counts as none. */
    name?: string;
    /** The subject of the app. */
    description?: string;
    /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
    metadata?: { [name: string]: unknown };
    /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
    tags?: Array<string>;
    /** The content that is held until a moderator approves it: `everything` that users write here; texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match, including rules that only report elsewhere. An edit holds an item where a new one by the same user would be held. Content of moderators, managers and API keys is never held, and content of trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on create, only rules that hold texts everywhere apply. */
    approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
    /** How many approved items end the status of a newcomer; 1 when absent on create. */
    approval_count?: number;
    /** What people without a credential may do in a comments app: read its comments (`read`), or also write some once they have signed in as visitors (`write`). It counts while `access` lets users read and the app has no directory. Nothing when absent on create. */
    visitors?: 'read' | 'write';
  };
  /** The user, as in a request to create one. */
  user: {
    /** The unique name of the user: 1 to 256 characters without white space, at least one of them not a digit. */
    uid: string;
    /** The e-mail address. Two users can have the same one. */
    email?: string;
    /** The given name of the user. */
    given_name?: string;
    /** The middle name of the user. */
    middle_name?: string;
    /** The family name of the user. */
    family_name?: string;
    /** The whole name of the user. */
    name?: string;
    /** The nickname of the user. */
    nickname?: string;
    /** The phone number of the user. */
    phone_number?: string;
    /** A note about the user, at most 64 KiB in UTF-8. */
    comment?: string;
    /** The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters. */
    picture?: unknown;
    /** The id or name of the directory that the user belongs to. A name that no directory has creates one. `visitors` is for visitors only. */
    directory?: string;
    /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
    metadata?: { [name: string]: unknown };
    /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
    tags?: Array<string>;
    /** Whether the user is a program rather than a person; false when absent on create. */
    is_bot?: boolean;
  };
}

export interface AppItem {
  /** The id of the app. */
  id: number;
  /** The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  /** The unique name that the host product gave the app. */
  uid: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only. */
  access: 'none' | 'read' | 'write';
  /** The id of the directory that `access` is limited to. Absent when it is not limited. */
  directory_id?: number;
  /** The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members. */
  display_name: string;
  /** The name of the app, at most 256 characters. Absent when it has none. */
  name?: string;
  /** What the app is about, at most 4096 characters. Absent when it has none. */
  description?: string;
  /** Not used: always absent. */
  archive_url?: string;
  /** The address of the other person's picture in a private chat; needs no credential. Absent otherwise. */
  avatar_url?: string;
  /** Free-form properties of the app, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the app, in the order in which they were set. */
  tags: Array<string>;
  /** When the app was created. */
  created_at: string;
  /** The id of the user who created the app; that of `system` for an app made with an API key. */
  created_by_id: number;
  /** When the app was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the app. Absent until the first change. */
  modified_by_id?: number;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** The content that is held until a moderator approves it: `everything` that users write here, the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When absent, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items make a newcomer known. Only where `approval` is `newcomers`. */
  approval_count?: number;
  /** What people without a credential may do: read the comments of the app (`read`), or also write some once they have signed in as visitors (`write`). Absent where they may do nothing. */
  visitors?: 'read' | 'write';
  /** What the caller may do in the app. */
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  /** Whether the caller has starred the app. */
  is_starred: boolean;
  /** Whether the caller is notified of activity in the app. */
  is_subscribed: boolean;
  /** Whether the app is in the trash. */
  is_trashed: boolean;
  created_by?: User;
  modified_by?: User;
  members?: MemberList;
}

export interface AppMember {
  /** The id of the user. */
  id: number;
  /** The uid of the user. */
  uid: string;
  /** What the member may do in the app: nothing (`none`), read (`read`), or also create content (`write`). It replaces the access level of the app, whether it is more or less. */
  access: 'none' | 'read' | 'write';
  /** What the member may do beyond `access`, while that is `write`: decide on everyone's content (`moderator`), or also change the app and its members (`manager`). Absent for most members. */
  role?: 'moderator' | 'manager';
  /** The member's name for display. */
  display_name: string;
  /** The address of the user's picture; needs no credential. Absent for a user without a picture. */
  avatar_url?: string;
  /** When a client of the member last reported that it had received the messages of the chat. Absent until then, and in other apps. */
  delivered_at?: string;
  /** When the member last marked the chat as read. Absent until then, and in other apps. */
  marked_at?: string;
  /** The id of the last message that the member has read. Absent when the chat has not been read or was marked as unread. */
  marked_id?: number;
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
}

export interface AppPatch {
  /** The unique name of the app: 1 to 256 characters without white space, at least one of them not a digit. */
  uid?: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). `none` when absent on create. */
  access?: 'none' | 'read' | 'write';
  /** The id or name of a directory. It limits `access` to the users of that directory, which cannot be `visitors`. Where a user opens the app and names none, it is the directory of that user; only API keys open an app to all users of a server with directories. */
  directory?: string;
  /** The name of the app. A name that is empty or blank counts as none. */
  name?: string;
  /** The subject of the app. */
  description?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** The content that is held until a moderator approves it: `everything` that users write here; texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match, including rules that only report elsewhere. An edit holds an item where a new one by the same user would be held. Content of moderators, managers and API keys is never held, and content of trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on create, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items end the status of a newcomer; 1 when absent on create. */
  approval_count?: number;
  /** What people without a credential may do in a comments app: read its comments (`read`), or also write some once they have signed in as visitors (`write`). It counts while `access` lets users read and the app has no directory. Nothing when absent on create. */
  visitors?: 'read' | 'write';
}

export interface AppPut {
  /** The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or private_chat in any case, or its guid. */
  type: string;
  /** The unique name of the app: 1 to 256 characters without white space, at least one of them not a digit. */
  uid?: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). `none` when absent on create. */
  access?: 'none' | 'read' | 'write';
  /** The id or name of a directory. It limits `access` to the users of that directory, which cannot be `visitors`. Where a user opens the app and names none, it is the directory of that user; only API keys open an app to all users of a server with directories. */
  directory?: string;
  /** The name of the app. A name that is empty or blank counts as none. */
  name?: string;
  /** The subject of the app. */
  description?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** The content that is held until a moderator approves it: `everything` that users write here; texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match, including rules that only report elsewhere. An edit holds an item where a new one by the same user would be held. Content of moderators, managers and API keys is never held, and content of trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on create, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items end the status of a newcomer; 1 when absent on create. */
  approval_count?: number;
  /** What people without a credential may do in a comments app: read its comments (`read`), or also write some once they have signed in as visitors (`write`). It counts while `access` lets users read and the app has no directory. Nothing when absent on create. */
  visitors?: 'read' | 'write';
}

export interface Attachment {
  /** The id of the file. */
  id: number;
  /** The id of the app that the file is in. */
  app_id: number;
  /** The number of the current version. Versions count from 1. */
  version: number;
  /** The name of the file with its extension, at most 256 characters. */
  name: string;
  /** The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else. */
  kind: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** Free-form properties of the file, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the file, in the order in which they were set. */
  tags: Array<string>;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** What the provider says about the file, as it was sent or as JSON. Absent for an upload. */
  raw?: string;
  /** The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none. */
  download_url?: string;
  /** Not used: always absent. */
  application_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload. */
  embed_url?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`. */
  preview_format: string;
  /** Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`. */
  preview_url?: string;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** When the file was created. */
  created_at: string;
  /** The id of the user who created the file. */
  created_by_id: number;
  /** When the file was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the file. Absent until the first change. */
  modified_by_id?: number;
  /** How many comments on the file are not in the trash. */
  comment_count: number;
  /** Always empty: the comments on a file are listed under `/api/files/{id}/comments`. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on the file. */
  is_subscribed: boolean;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** Whether the file is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see the file, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
}

export interface Attempt {
  /** The number of the attempt, from 1. It continues when the delivery is redelivered. */
  number: number;
  /** When the attempt was started. */
  started_at: string;
  /** How long the attempt took, in seconds. */
  duration: number;
  /** The kind of failure, such as `http_500` or `timeout`. Absent after a success. */
  error?: string;
  /** The request that was sent. */
  request: {
    /** The address that was called. Absent for attempts made before addresses were kept. */
    url?: string;
    /** The headers that were sent, by name. Absent for attempts made before headers were kept. */
    headers?: { [name: string]: unknown };
    /** The exact text that was sent, the same on every attempt. */
    body: string;
  };
  /** The response of the receiver. Absent when there was none. */
  response?: {
    /** The HTTP status of the response. */
    status_code: number;
    /** The headers of the response, by name. Absent for attempts made before headers were kept. */
    headers?: { [name: string]: unknown };
    /** The first 16 KiB of the body. Absent when it was empty or its retention has ended. */
    body?: string;
    /** Whether the body was longer than what is kept of it. */
    is_truncated: boolean;
    /** Whether the body was valid UTF-8. If not, U+FFFD replaces what was invalid. */
    is_utf8: boolean;
  };
}

export interface AutocompleteList {
  /** The items of the page, in the requested order. Absent with `count_only`. */
  data?: Array<AutocompleteUser>;
  /** The 1-based position of the first item; 0 on an empty page. Absent with `count_only`. */
  start?: number;
  /** The 1-based position of the last item; 0 on an empty page. Absent with `count_only`. */
  end?: number;
  /** How many items match on all pages. Absent with `count=false`. */
  count?: number;
}

export interface AutocompleteUser {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The user's name for display. */
  display_name: string;
  /** The address of the user's picture; needs no credential. Absent for a user without a picture. */
  avatar_url?: string;
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** Whether the user is a member of the app that `id` names. Absent without `id`. */
  is_member?: boolean;
  /** What the user may do in the app that `id` names; `admin` is a user who manages it. Absent without `id`. */
  access?: 'none' | 'read' | 'write' | 'admin';
}

export interface Backup {
  /** The id of the backup: when it began, with hyphens in place of colons. */
  id: string;
  /** Whether its manifest exists and is intact. `unfinished` is a backup that is being made or was interrupted. */
  state: 'whole' | 'unfinished' | 'damaged';
  /** The backup has every change that was acknowledged before this time. This and the following properties are absent unless the backup is intact. */
  moment?: string;
  /** The position in the log of events up to which it goes. */
  position?: number;
  /** How many bytes it takes without blobs, which all backups share. */
  bytes?: number;
  /** How many blobs it has. */
  blobs?: number;
  /** How many bytes these take. */
  blob_bytes?: number;
  /** Whether the key that seals secrets of webhooks is in it. */
  key?: 'sealed' | 'left out' | 'not needed';
  /** Until when a store can be restored from it and the shipped log. Absent without. */
  until?: string;
  check?: BackupCheck;
}

export interface BackupCheck {
  /** When the check ended. */
  at: string;
  /** Whether every file, row and blob was as it was. */
  is_whole: boolean;
  /** The first 5 faults; empty for an intact backup. */
  faults: Array<string>;
}

export interface BackupJob {
  /** The kind of work. */
  kind: 'create' | 'verify';
  /** The id of the backup that is checked, or that was made. */
  id?: string;
  /** The progress. A check that finds damage is `done`; its findings are with the backup. */
  state: 'running' | 'done' | 'failed';
  /** When it began. */
  started_at: string;
  /** When it ended. Absent while it runs. */
  finished_at?: string;
  /** Why it failed. Absent unless it did. */
  failure?: string;
}

export interface Backups {
  /** Whether Confab can make backups of this store. It can on SQLite; PostgreSQL has its own tools. */
  is_possible: boolean;
  /** Where the backups are: a folder, or `s3://bucket/prefix`. Absent where `CONFAB_BACKUP_TO` is not set. */
  place?: string;
  /** Why the place cannot be read at the moment. Absent when it can. */
  failure?: string;
  /** How many backups there are. */
  count: number;
  /** The newest 100, the newest first. */
  data: Array<Backup>;
  job?: BackupJob;
}

export interface Ban {
  /** The id of the ban. */
  id: number;
  /** The network that is banned, as CIDR. */
  address: string;
  /** Why, for other moderators. Absent where nothing was said. */
  reason?: string;
  /** Since when the address is banned. */
  created_at: string;
  /** Until when the address is banned. */
  expires_at: string;
}

export interface BanCreate {
  /** An address, or a network as CIDR of at most a /16 for IPv4 and a /32 for IPv6. An IPv6 address stands for its /64, of which one machine can have all addresses. */
  address?: string;
  /** In place of `address`: the id or uid of a visitor, whose last known address is banned. It is known for 30 days after they signed in. */
  user?: unknown;
  /** Until when, in RFC 3339: at most 366 days from now. */
  expires_at?: string;
  /** In place of `expires_at`: for how long, in seconds. */
  seconds?: number;
  /** Why, for other moderators. */
  reason?: string;
}

export interface Blob {
  /** The id of the blob. */
  id: number;
  /** The name of the file, at most 256 characters, without folders or invisible characters. */
  name: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** The address at which the provider serves the bytes. Absent for an upload, and when the provider has none. */
  download_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload, and when the provider has none. */
  embed_url?: string;
  /** Data of the provider about the file, as it was sent or as JSON. Absent for an upload, and when nothing was sent. */
  raw?: string;
}

export interface Breaker {
  /** Whether deliveries are held back (`open`) or sent (`closed`). */
  state: 'closed' | 'open';
  /** What went wrong, in one sentence. Absent while the breaker is closed. */
  reason?: string;
  /** When the breaker opened. Absent while it is closed. */
  opened_at?: string;
  /** When one delivery is sent as a probe. Absent while the breaker is closed. */
  next_probe_at?: string;
}

export interface CodeExchange {
  /** The code that the window of Confab has given the page. */
  code: string;
  /** The text of which the page sent the SHA-256 as `challenge` when it opened the window (RFC 7636). */
  verifier: string;
}

export interface Comment {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  /** The id of the comment that it answers. Absent when it answers none. */
  reply_to_id?: number;
  /** The id of the comment that began its thread. Absent in that comment, and when it answers none. */
  root_id?: number;
  /** How many comments below it are shown: all of the thread for the comment that began it, and those that answer it for any other. Absent when there are none. */
  reply_count?: number;
  parent: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by: User;
  modified_by?: User;
}

export interface CommentCounts {
  /** The numbers in the order of the uids in the request. */
  counts: Array<number>;
}

export interface CommentCreate {
  /** The ids of the blobs to attach, at most 100, each once. */
  blobs?: Array<number>;
  /** The id of an embed to show below the text; one of the caller's. */
  embed_id?: number;
  /** The id of a meeting to show below the text; one of the caller's. */
  meeting_id?: number;
  /** The options of a poll, in order, at most 50. There is no poll when absent. */
  options?: Array<{
    /** The option in words; not blank. */
    text: string;
  }>;
  /** The text as Markdown, at most 64 KiB in UTF-8. */
  text?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** The id of the comment to answer: one of the same app, file or post that is neither held nor in the trash. */
  reply_to?: number;
}

export interface CommentItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. Absent only in the place of a comment that was deleted or is in the trash, in a thread. */
  created_by_id?: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  /** The id of the comment that it answers. Absent when it answers none. */
  reply_to_id?: number;
  /** The id of the comment that began its thread. Absent in that comment, and when it answers none. */
  root_id?: number;
  /** How many comments below it are shown: all of the thread for the comment that began it, and those that answer it for any other. Absent when there are none. */
  reply_count?: number;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
  /** The first comments of the thread below it, by id. Only in a list of threads. */
  replies?: Array<AnswerItem>;
}

export interface Conversation {
  /** The id of the app. */
  id: number;
  /** The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  /** The unique name that the host product gave the app. */
  uid: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only. */
  access: 'none' | 'read' | 'write';
  /** The id of the directory that `access` is limited to. Absent when it is not limited. */
  directory_id?: number;
  /** The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members. */
  display_name: string;
  /** The name of the app, at most 256 characters. Absent when it has none. */
  name?: string;
  /** What the app is about, at most 4096 characters. Absent when it has none. */
  description?: string;
  /** Not used: always absent. */
  archive_url?: string;
  /** The address of the other person's picture in a private chat; needs no credential. Absent otherwise. */
  avatar_url?: string;
  /** Free-form properties of the app, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the app, in the order in which they were set. */
  tags: Array<string>;
  /** When the app was created. */
  created_at: string;
  /** The id of the user who created the app; that of `system` for an app made with an API key. */
  created_by_id: number;
  /** When the app was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the app. Absent until the first change. */
  modified_by_id?: number;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** The content that is held until a moderator approves it: `everything` that users write here, the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When absent, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items make a newcomer known. Only where `approval` is `newcomers`. */
  approval_count?: number;
  /** What people without a credential may do: read the comments of the app (`read`), or also write some once they have signed in as visitors (`write`). Absent where they may do nothing. */
  visitors?: 'read' | 'write';
  /** What the caller may do in the app. */
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  /** Whether the caller has starred the app. */
  is_starred: boolean;
  /** Whether the caller is notified of activity in the app. */
  is_subscribed: boolean;
  /** Whether the app is in the trash. */
  is_trashed: boolean;
  created_by: User;
  modified_by?: User;
  members: MemberList;
  /** The id of the newest message. Absent when there is none. */
  last_message_id?: number;
  last_message?: MessageItem;
  /** Whether the caller pinned it. */
  is_pinned: boolean;
  /** Whether the caller has not read its last message. */
  is_unread: boolean;
}

export interface ConversationBadge {
  /** How many private chats are unread. */
  private: number;
  /** How many chat rooms are unread. */
  rooms: number;
  /** How many chats are unread. */
  chat: number;
  /** Always 0: there are no conversations with bots of their own kind. */
  bots: number;
}

export interface ConversationCreate {
  /** The other members, by id or uid. The caller is a member in any case. */
  members?: Array<unknown>;
  /** The name of the chat room. Absent for a private chat. */
  name?: string;
  /** `private_chat` or `chat_room`. When absent, it follows from the name and the number of members. */
  type?: string;
}

export interface ConversationItem {
  /** The id of the app. */
  id: number;
  /** The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`. */
  type: 'chat' | 'comments' | 'files' | 'posts' | 'chat_room' | 'private_chat' | 'd65dd4bc-418e-403c-9f56-f9cf4da931ed' | '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd' | '523edd88-4bbf-4547-b60f-2859a6d2ddc1' | '5ebfa152-de85-48da-82dd-30a1b560c313' | 'edb400ac-839b-45a7-b2a8-6a01820d1c44' | '7e14f418-8f15-46f4-b182-f619b671e470';
  /** The unique name that the host product gave the app. */
  uid: string;
  /** What users who are not members may do in the app: nothing (`none`), read (`read`), or also create content (`write`). If the app has a directory, this applies to the users of that directory only. */
  access: 'none' | 'read' | 'write';
  /** The id of the directory that `access` is limited to. Absent when it is not limited. */
  directory_id?: number;
  /** The name to show: `name`, or `uid` if there is none. A conversation without a name is called by the names of its members. */
  display_name: string;
  /** The name of the app, at most 256 characters. Absent when it has none. */
  name?: string;
  /** What the app is about, at most 4096 characters. Absent when it has none. */
  description?: string;
  /** Not used: always absent. */
  archive_url?: string;
  /** The address of the other person's picture in a private chat; needs no credential. Absent otherwise. */
  avatar_url?: string;
  /** Free-form properties of the app, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the app, in the order in which they were set. */
  tags: Array<string>;
  /** When the app was created. */
  created_at: string;
  /** The id of the user who created the app; that of `system` for an app made with an API key. */
  created_by_id: number;
  /** When the app was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the app. Absent until the first change. */
  modified_by_id?: number;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** The content that is held until a moderator approves it: `everything` that users write here, the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When absent, only rules that hold texts everywhere apply. */
  approval?: 'everything' | 'newcomers' | 'guests' | 'rules';
  /** How many approved items make a newcomer known. Only where `approval` is `newcomers`. */
  approval_count?: number;
  /** What people without a credential may do: read the comments of the app (`read`), or also write some once they have signed in as visitors (`write`). Absent where they may do nothing. */
  visitors?: 'read' | 'write';
  /** What the caller may do in the app. */
  permissions: Array<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>;
  /** Whether the caller has starred the app. */
  is_starred: boolean;
  /** Whether the caller is notified of activity in the app. */
  is_subscribed: boolean;
  /** Whether the app is in the trash. */
  is_trashed: boolean;
  created_by?: User;
  modified_by?: User;
  members: MemberList;
  /** The id of the newest message. Absent when there is none. */
  last_message_id?: number;
  last_message?: MessageItem;
  /** Whether the caller pinned it. */
  is_pinned: boolean;
  /** Whether the caller has not read its last message. */
  is_unread: boolean;
}

export interface Delivery {
  /** The id of the delivery. */
  id: number;
  /** The guid of the delivery, the same on every attempt. */
  guid: string;
  /** The number of the delivery for its webhook, from 1 and without gaps. A redelivery keeps it. Absent before the first attempt. */
  sequence?: number;
  /** The id of the event, the same for every webhook that receives it. */
  event_id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  /** When the event happened. */
  created_at: string;
  /** How many attempts to send it were made. */
  attempts: number;
  /** The earliest time of the next attempt. It can be in the past while the delivery waits for its turn. Absent when no attempt is planned, and while the webhook is disabled. */
  next_attempt_at?: string;
  /** When the last attempt was made. Absent before the first. */
  delivered_at?: string;
  /** How long the last attempt took, in seconds. Absent before the first. */
  duration?: number;
  /** The receiver's HTTP status at the last attempt. Absent before the first, and when there was no response. */
  status_code?: number;
  /** The state of the delivery: `pending` before the first attempt and after a redelivery was requested, `retrying` after a failed attempt, `delivered` after a 2xx, `failed` when no attempt is left, `canceled` when it was given up. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
  payload: DeliveryPayload;
}

export interface DeliveryItem {
  /** The id of the delivery. */
  id: number;
  /** The guid of the delivery, the same on every attempt. */
  guid: string;
  /** The number of the delivery for its webhook, from 1 and without gaps. A redelivery keeps it. Absent before the first attempt. */
  sequence?: number;
  /** The id of the event, the same for every webhook that receives it. */
  event_id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  /** When the event happened. */
  created_at: string;
  /** How many attempts to send it were made. */
  attempts: number;
  /** The earliest time of the next attempt. It can be in the past while the delivery waits for its turn. Absent when no attempt is planned, and while the webhook is disabled. */
  next_attempt_at?: string;
  /** When the last attempt was made. Absent before the first. */
  delivered_at?: string;
  /** How long the last attempt took, in seconds. Absent before the first. */
  duration?: number;
  /** The receiver's HTTP status at the last attempt. Absent before the first, and when there was no response. */
  status_code?: number;
  /** The state of the delivery: `pending` before the first attempt and after a redelivery was requested, `retrying` after a failed attempt, `delivered` after a 2xx, `failed` when no attempt is left, `canceled` when it was given up. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
  payload?: DeliveryPayload;
}

export interface DeliveryPayload {
  /** The id of the event. */
  id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  actor: Actor;
  /** When the event happened. */
  timestamp: string;
  /** The action with a dot. */
  type: string;
  /** The guid of the delivery, the same on every attempt. */
  guid: string;
  [name: string]: unknown;
}

export interface Directory {
  /** The id of the directory. */
  id: number;
  /** The unique name of the directory. */
  name: string;
}

export interface DirectoryCreate {
  /** The unique name of the directory: 1 to 256 characters without white space, at least one of them not a digit. */
  name: string;
}

export interface DirectoryPatch {
  /** The unique name of the directory: 1 to 256 characters without white space, at least one of them not a digit. */
  name?: string;
}

export interface DoctorFinding {
  /** The name of the check, as the guide to the doctor lists them. It stays the same. */
  check: string;
  /** The severity. A `note` is not about a fault of this server, but for example about a failing receiver. */
  level: 'error' | 'warning' | 'note';
  /** What is wrong, in a sentence. */
  what: string;
  /** How to mend it, in a sentence. */
  mend: string;
  /** Whether `POST /api/doctor/fix` mends it. Fixes that block other writers are left to the command. */
  is_fixable: boolean;
}

export interface DoctorFixed {
  /** The name of the check. */
  check: string;
  /** What was done, in a sentence. */
  what: string;
}

export interface DoctorRun {
  /** The progress; `never` before the first examination. An examination that finds faults is `done`; one that could not run is `failed`. */
  state: 'never' | 'running' | 'done' | 'failed';
  /** Whether it mends what it finds. */
  is_fixing?: boolean;
  /** The machine whose node looks: its settings, its disk and its surroundings are examined. */
  host?: string;
  /** When it began. */
  started_at?: string;
  /** When it ended. Absent while it runs. */
  finished_at?: string;
  /** Why it could not look. Absent unless it failed. */
  failure?: string;
  /** Whether it found nothing but notes. Absent unless it is done. */
  is_healthy?: boolean;
  /** How many things it found; after mending, how many are left. */
  count: number;
  /** The first 100 findings. */
  findings: Array<DoctorFinding>;
  /** The first 100 fixes. */
  fixed: Array<DoctorFixed>;
}

export interface EmailSignIn {
  /** The address of the mailbox. */
  email: string;
  /** The origin of the page, which has to be one of `CONFAB_CORS_ORIGINS`. */
  origin: string;
  /** The SHA-256 of the verifier of the page, in base64url (RFC 7636). */
  challenge: string;
  /** The address of the page, for the link of the mail, which goes there. Its origin is `origin`. Without it the mail has no link. */
  return_to?: string;
}

export interface Embed {
  /** The id of the embed. */
  id: number;
  /** The description that the page declares, as plain text of at most 1024 characters. Absent when it declares none. */
  description?: string;
  /** When the embed was created. */
  created_at: string;
  /** The id of the user who created the embed. */
  created_by_id: number;
  /** The host name of `original_url`. */
  host: string;
  /** The address as it was sent. Characters that could end an HTML attribute, such as quotes and angle brackets, are percent-encoded. */
  original_url: string;
  /** Whether there is nothing to show but a link with its preview. */
  is_link: boolean;
  /** What the embed shows: the preview of a page (`link`) or a picture (`photo`). */
  type: string;
  /** The version of oEmbed in the answer of the site. Absent when the site does not offer oEmbed. */
  version?: string;
  /** The title of the page, as plain text of at most 256 characters. Absent when it has none. */
  title?: string;
  /** The author that the page names, as plain text of at most 128 characters. Absent when it names none. */
  author_name?: string;
  /** The address of the author's page. Absent when the page names none. */
  author_url?: string;
  /** The name of the site, as plain text of at most 128 characters. Absent when the page names none. */
  provider_name?: string;
  /** The address of the site. Absent when the page names none. */
  provider_url?: string;
  /** How long the page may be cached, in seconds, as the page specifies. Absent when it does not. */
  cache_age?: number;
  /** The address of a picture of the page, on the site of the page. Absent when it has none. */
  thumbnail_url?: string;
  /** The width of that picture in pixels, as the page declares it. Absent when it does not. */
  thumbnail_width?: number;
  /** The height of that picture in pixels, as the page declares it. Absent when it does not. */
  thumbnail_height?: number;
  /** The address of the picture. Absent for a link. */
  url?: string;
  /** The width of a photo in pixels. Absent for a link. */
  width?: number;
  /** The height of a photo in pixels. Absent for a link. */
  height?: number;
  /** Not used: always absent, because markup of other sites is not passed on. */
  html?: string;
}

export interface EmbedCreate {
  /** The absolute http or https address of a page or picture. */
  url: string;
}

export interface EntryCreate {
  /** The ids of the blobs to attach, at most 100, each once. */
  blobs?: Array<number>;
  /** The id of an embed to show below the text; one of the caller's. */
  embed_id?: number;
  /** The id of a meeting to show below the text; one of the caller's. */
  meeting_id?: number;
  /** The options of a poll, in order, at most 50. There is no poll when absent. */
  options?: Array<{
    /** The option in words; not blank. */
    text: string;
  }>;
  /** The text as Markdown, at most 64 KiB in UTF-8. */
  text?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
}

export interface EntryPatch {
  /** The ids of the attachments to keep; the others are removed. All are kept when absent. */
  attachments?: Array<number>;
  /** The ids of the blobs to attach in addition, at most 100, each once. */
  blobs?: Array<number>;
  /** The id of an embed to show below the text; one of the caller's. */
  embed_id?: number;
  /** The id of a meeting to show below the text; one of the caller's. */
  meeting_id?: number;
  /** All options of the poll, in order. An option that is left out is removed with its votes. */
  options?: Array<{
    /** The id of an option to keep. Without it the option is added. */
    id?: number;
    /** The option in words; not blank. */
    text: string;
  }>;
  /** The text as Markdown, at most 64 KiB in UTF-8. */
  text?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
}

export interface Erasure {
  /** The id of the erasure. */
  id: number;
  /** The id of the erased user. No user gets it again. */
  user_id: number;
  /** Whether the texts of the user are removed (`remove`) or kept without their author (`keep`). */
  content: 'remove' | 'keep';
  /** The id of the visitor whose account the erased one has become a part of, and to whom the texts, reactions and reports now belong. Absent for everyone else. */
  heir_id?: number;
  /** Whether everything is done. */
  state: 'running' | 'finished';
  /** What is being worked on. Absent once everything is done. */
  part?: string;
  /** When the erasure was requested. */
  requested_at: string;
  /** When everything was done. Absent before that. */
  finished_at?: string;
  counts: ErasureCounts;
  /** The receipt, signed: a JSON Web Signature (RFC 7515, compact, EdDSA with Ed25519) whose payload is this object without `signature` and whose header has the public key as `jwk`. Absent until everything is done. */
  signature?: string;
}

export interface ErasureCounts {
  /** Access tokens that were revoked. */
  tokens: number;
  /** Tags of the user. */
  tags: number;
  /** Memberships in apps. */
  memberships: number;
  /** Stars of the user that were removed. */
  stars: number;
  /** Subscriptions of the user that were removed. */
  subscriptions: number;
  /** Reactions of the user that were removed. */
  reactions: number;
  /** Votes in polls. */
  votes: number;
  /** Comments of the user: removed, or kept without their author. */
  comments: number;
  /** Posts of the user: removed, or kept without their author. */
  posts: number;
  /** Messages of the user: removed, or kept without their author. */
  messages: number;
  /** What texts of the user said before edits. */
  revisions: number;
  /** Texts in which the user was mentioned, and which now say "Deleted user" there. */
  mentions: number;
  /** Files and attachments that were removed. */
  files: number;
  /** Earlier versions of files that the user had put in. */
  file_versions: number;
  /** Files of several users that show an earlier content again, because the user had put in the present one. */
  file_contents: number;
  /** Uploads that nothing used. */
  uploads: number;
  /** Embeds that nothing shows any longer. */
  embeds: number;
  /** Meetings to which nothing invites any longer. */
  meetings: number;
  /** Events of the log that were rewritten, and with them the bodies of their deliveries. */
  events: number;
  /** Attempts to deliver such events whose stored answers were removed. */
  attempts: number;
  /** Notifications of the user. */
  notifications: number;
  /** Notifications of other users that were removed or rewritten. */
  notifications_of_others: number;
  /** Answers that were kept for retries of the user's requests. */
  kept_answers: number;
  /** Answers that are kept for retries of other users' requests and were rewritten. */
  kept_answers_of_others: number;
}

export interface Event {
  /** The position of the event in the log, which grows with each event. */
  position: number;
  /** The id of the event. */
  id: number;
  /** The action, such as `comment_created`. */
  action: string;
  actor: Actor;
  /** When the change was made. */
  timestamp: string;
  /** The action with a dot, as webhooks have it. */
  type: string;
  [name: string]: unknown;
}

export interface EventPage {
  /** The events in the order of the log, or the newest first when reading backwards. */
  data: Array<Event>;
  /** The position to send as `after` for the next page, or as `before` when reading backwards. It can be beyond the position of the last event on the page. */
  next: number;
  /** Whether there was more to read at this moment. */
  has_more: boolean;
}

export interface ExternalBlobCreate {
  /** The name of the service that keeps the bytes, at most 256 characters. */
  provider: string;
  /** The address at which the provider shows the file. */
  link: string;
  /** The name of the file, at most 256 characters. */
  name: string;
  /** The size in bytes; 0 when absent. */
  size?: number;
  /** The media type of the file, such as `image/png`. Guessed from the name when absent. */
  media_type?: string;
  /** The width of a picture, in pixels. */
  width?: number;
  /** The height of a picture, in pixels. */
  height?: number;
  /** The address at which the provider hands out the bytes. */
  download?: string;
  /** The address at which the provider shows the file inside another page. */
  embed?: string;
  /** Data of the provider about the file: any JSON, at most 64 KiB serialised. A string is kept as it is. */
  raw?: unknown;
}

export type Features = Array<'attachments' | 'comments' | 'embeds' | 'meetings' | 'mentions' | 'polls' | 'previews' | 'reactions' | 'receipts' | 'thumbnails' | 'typing' | 'versions'>;

export interface File {
  /** The id of the file. */
  id: number;
  /** The id of the app that the file is in. */
  app_id: number;
  /** The number of the current version. Versions count from 1. */
  version: number;
  /** The name of the file with its extension, at most 256 characters. */
  name: string;
  /** The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else. */
  kind: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** Free-form properties of the file, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the file, in the order in which they were set. */
  tags: Array<string>;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** What the provider says about the file, as it was sent or as JSON. Absent for an upload. */
  raw?: string;
  /** The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none. */
  download_url?: string;
  /** Not used: always absent. */
  application_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload. */
  embed_url?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`. */
  preview_format: string;
  /** Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`. */
  preview_url?: string;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** When the file was created. */
  created_at: string;
  /** The id of the user who created the file. */
  created_by_id: number;
  /** When the file was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the file. Absent until the first change. */
  modified_by_id?: number;
  /** How many comments on the file are not in the trash. */
  comment_count: number;
  /** Always empty: the comments on a file are listed under `/api/files/{id}/comments`. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on the file. */
  is_subscribed: boolean;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** Whether the file is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see the file, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent: Parent;
  created_by: User;
  modified_by?: User;
}

export interface FileCreate {
  /** The id of the upload that becomes the file; one of the caller's that nothing uses. */
  blob_id: number;
  /** The name of the file; that of the upload when absent. Folders and invisible characters are left out. */
  name?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** Whether a file of the same name in the app gets the upload as its new version; false when absent. */
  replace?: boolean;
}

export interface FileItem {
  /** The id of the file. */
  id: number;
  /** The id of the app that the file is in. */
  app_id: number;
  /** The number of the current version. Versions count from 1. */
  version: number;
  /** The name of the file with its extension, at most 256 characters. */
  name: string;
  /** The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else. */
  kind: string;
  /** The media type, judged by the bytes; for a file kept elsewhere, as it was declared. */
  media_type: string;
  /** The width of a picture, in pixels. Absent for anything else. */
  width?: number;
  /** The height of a picture, in pixels. Absent for anything else. */
  height?: number;
  /** The size in bytes. */
  size: number;
  /** Free-form properties of the file, as the client sent them. Absent when it has none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the file, in the order in which they were set. */
  tags: Array<string>;
  /** The name of the service that keeps the bytes. Absent for an upload. */
  provider?: string;
  /** What the provider says about the file, as it was sent or as JSON. Absent for an upload. */
  raw?: string;
  /** The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none. */
  download_url?: string;
  /** Not used: always absent. */
  application_url?: string;
  /** The address at which the provider shows the file inside another page. Absent for an upload. */
  embed_url?: string;
  /** The address at which the provider shows the file. Absent for an upload. */
  external_url?: string;
  /** How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`. */
  preview_format: string;
  /** Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`. */
  preview_url?: string;
  /** The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced. */
  thumbnail_url?: string;
  /** When the file was created. */
  created_at: string;
  /** The id of the user who created the file. */
  created_by_id: number;
  /** When the file was last changed. Absent until the first change. */
  modified_at?: string;
  /** The id of the user who last changed the file. Absent until the first change. */
  modified_by_id?: number;
  /** How many comments on the file are not in the trash. */
  comment_count: number;
  /** Always empty: the comments on a file are listed under `/api/files/{id}/comments`. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on the file. */
  is_subscribed: boolean;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
  /** Whether the file is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see the file, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent?: Parent;
  created_by?: User;
  modified_by?: User;
}

export interface FilePatch {
  /** The id of the upload that becomes the content of the file; one of the caller's that nothing uses. */
  blob_id?: number;
  /** Another name for the file. Folders and invisible characters are left out. */
  name?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** Whether the content that `blob_id` replaces is kept as an earlier version; otherwise it is lost. False when absent. */
  backup?: boolean;
}

export type FileVersions = Array<File>;

export interface GuestSignIn {
  /** The name that is shown. It may not look like that of a moderator or of another visitor, also not in letters that look alike. */
  name: string;
  /** An e-mail address, which only API keys see. No mail is sent to it. */
  email?: string;
  puzzle?: SolvedPuzzle;
}

export interface HeldItem {
  /** Why it is held: a `moderator` decided so, its app asks for `approval`, or a `rule` of the server caught it. */
  reason: 'moderator' | 'approval' | 'rule';
  /** The names of the rules that it matches. Only where the reason is `rule`. */
  rules?: Array<string>;
}

export interface Import {
  /** The id of the import. */
  id: number;
  /** What the file is an export of. */
  kind: 'wordpress' | 'disqus' | 'remark42' | 'artalk' | 'isso' | 'commento' | 'comentario' | 'cusdis' | 'waline' | 'giscus';
  /** The name of the file. */
  name: string;
  /** Whether users get the e-mail addresses of the file. */
  keeps_emails: boolean;
  /** What a reply becomes: an answer in a thread (`thread`), or a comment that begins with a line of what it replies to (`quote`). */
  replies: 'thread' | 'quote';
  /** The address of the site that paths in the file belong to. Absent when none was given. */
  site?: string;
  /** The state: the file is being read (`reading`), the dry run is done (`ready`), comments are being written (`running`), all are written (`finished`), the file cannot be imported or an error ended the import (`failed`), a user stopped it (`stopped`), it was not run within a day, so its file is gone (`expired`), it is being undone (`undoing`), or it was undone (`undone`). */
  state: 'reading' | 'ready' | 'running' | 'finished' | 'failed' | 'stopped' | 'expired' | 'undoing' | 'undone';
  /** Why it failed, in a sentence. Absent unless it has failed. */
  error?: string;
  planned?: ImportPlanned;
  made: ImportMade;
  undone?: ImportUndone;
  /** When it was created. */
  created_at: string;
  /** When it was run. Absent before that. */
  started_at?: string;
  /** When it finished, failed or was stopped. Absent before that. */
  finished_at?: string;
  /** When everything was taken back. Absent before that. */
  undone_at?: string;
}

export interface ImportCreate {
  /** What the file is an export of. */
  kind: 'wordpress' | 'disqus' | 'remark42' | 'artalk' | 'isso' | 'commento' | 'comentario' | 'cusdis' | 'waline' | 'giscus';
  /** The id of the upload with the export, which may be packed with gzip and has at most 1 GiB unpacked. `POST /api/blobs/import` takes larger files than other uploads. */
  blob_id: number;
  /** Whether users get the e-mail addresses of the file, which every reader of a comment can then see. `false` when absent. */
  keeps_emails?: boolean;
  /** What a reply becomes: an answer in a thread (`thread`), or a comment that begins with a line of what it replies to (`quote`). `thread` when absent. */
  replies?: 'thread' | 'quote';
  /** The address of the site, for an export that names pages by their path alone. Comments of such pages are left out when it is absent. */
  site?: string;
}

export interface ImportMade {
  /** Comments that were created. */
  comments: number;
  /** Comments that were restored from the trash, because undoing an import had put them there. */
  restored: number;
  /** Apps that were created. */
  apps: number;
  /** Users that were created. */
  users: number;
}

export interface ImportPlanned {
  /** Where the comments are from: the kind, for WordPress with `:` and the address of the site. */
  source: string;
  /** How many comments the file has. */
  found: number;
  /** How many of them an import brings in. */
  comments: number;
  /** How many of those an earlier import has brought in already. */
  there_before: number;
  /** How many of those are in the trash because an import was undone. Running this import restores them. */
  restorable: number;
  /** The comments that are left out, by reason; with `comments` they add up to `found`. */
  left_out: Array<{
    /** Why: `unreadable`: unreadable; `spam`: spam; `deleted`: deleted or in the trash; `pending`: not approved by a moderator; `pingback`: pingbacks (automatic link notifications, not comments); `trackback`: trackbacks (automatic link notifications, not comments); `not_a_comment`: records of plugins, such as a shop's notes; `page_missing`: their page is not in the file or has no web address; `text_empty`: without text; `text_too_long`: longer than 64 KiB; `duplicate`: a second time in the same file. */
    reason: 'unreadable' | 'spam' | 'deleted' | 'pending' | 'pingback' | 'trackback' | 'not_a_comment' | 'page_missing' | 'text_empty' | 'text_too_long' | 'duplicate';
    /** How many comments. */
    count: number;
  }>;
  /** Replies that move up in their thread, because what they reply to is left out. */
  moved_replies: number;
  /** How many pages the file has. */
  pages: number;
  /** How many of them have comments to import. */
  pages_with_comments: number;
  /** How many apps those pages need. */
  apps: number;
  /** How many of the apps are open only to their members, because their page is not public. */
  restricted_apps: number;
  /** How many users the comments need. */
  users: number;
  /** Messages about faults of the file that were repaired, and about comments that cannot be read. */
  notes: Array<string>;
}

export interface ImportUndone {
  /** Comments that were put in the trash. */
  comments: number;
  /** Apps that were put in the trash. */
  apps: number;
  /** Users who were put in the trash. */
  users: number;
}

export interface KeyRotation {
  /** How long the key before stays valid, in seconds; 86400 when absent. 0 revokes it at once. It never makes a key last longer. */
  overlap_seconds?: number;
  /** When the new key expires, in RFC 3339. When absent, it expires when the old key would have. */
  expires_at?: string;
}

export interface ListedUser {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your product. */
  way?: string;
  /** `moderator` for a user who moderates every app of their directory that they see or, without a directory, every app that they see. Absent for most users. */
  role?: 'moderator';
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** True for a user whose texts are shown at once in apps that hold those of newcomers or guests. Absent for everyone else. */
  is_trusted?: true;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
  visitor?: VisitorFacts;
}

export interface LockCreate {
  /** From when it is locked, in RFC 3339; from now on when absent. */
  locked_at?: string;
  /** How many days after it was created it is locked. Only where `locked_at` is absent. */
  after_days?: number;
}

export interface MailPatch {
  /** `all`: everything that the user has not read; `direct`: only mentions, replies and private messages; `none`: nothing. */
  mail?: 'all' | 'direct' | 'none';
}

export interface MailRefusal {
  /** What the link of the mail has in its fragment. */
  secret: string;
}

export interface MailSettings {
  /** The address that messages go to: the `email` of the user. Absent when there is none. */
  address?: string;
  /** Whether the mail server refused mail to this address three times in a row. No mail is sent until the address changes. */
  is_refused: boolean;
  /** `all`: everything that the user has not read; `direct`: only mentions, replies and private messages; `none`: nothing. */
  mail: 'all' | 'direct' | 'none';
  /** When the last message was sent. */
  sent_at?: string;
}

export interface MailboxAddition {
  /** The address of the mailbox. */
  email: string;
  /** The origin of the page, which has to be one of `CONFAB_CORS_ORIGINS`. */
  origin: string;
}

export interface MailedCode {
  /** The ticket of the answer before. */
  ticket: string;
  /** The six digits of the mail. */
  code: string;
  /** The name of a visitor who signs in for the first time. */
  name?: string;
}

export interface MailedLink {
  /** What the link of the mail has in its fragment, up to the dot. */
  secret: string;
  /** The `challenge` with which a page of this browser has asked for the mail. The fragment has it after the dot, to be compared. */
  challenge: string;
  /** The name of a visitor who signs in for the first time. */
  name?: string;
}

export interface Meeting {
  /** The id of the meeting. */
  id: number;
  /** The provider of the meeting: `jitsi`. */
  provider: string;
  /** The id of the meeting at the provider. */
  provider_id?: string;
  /** A unique id that the server gave the meeting. */
  uuid?: string;
  /** The address at which users join. Anyone who has it can join. */
  join_url?: string;
  /** When the meeting ended. Absent as long as the provider has not reported it. */
  ended_at?: string;
  /** The address of the recording. Absent when there is none. */
  recording_url?: string;
}

export interface MeetingCreate {
  /** The provider: `jitsi`, which needs no account. `zoom` and `teams` are not supported yet and are a 422. */
  provider: 'jitsi' | 'zoom' | 'teams';
}

export type MemberInput = unknown | unknown;

export interface MemberList {
  /** The items of the page, in the requested order. Absent with `count_only`. */
  data?: Array<AppMember>;
  /** The 1-based position of the first item; 0 on an empty page. Absent with `count_only`. */
  start?: number;
  /** The 1-based position of the last item; 0 on an empty page. Absent with `count_only`. */
  end?: number;
  /** How many items match on all pages. Absent with `count=false`. */
  count?: number;
}

export interface MemberPut {
  /** What the member may do in the app: nothing (`none`), read (`read`), or also create content (`write`). The default is `write`, also for a user who is a member already. */
  access?: 'none' | 'read' | 'write';
  /** What the member may do beyond `access`, while that is `write`: decide on everyone's content (`moderator`), or also change the app and its members (`manager`). A role that is absent stays as it is. */
  role?: 'moderator' | 'manager';
}

export interface Message {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by: User;
  modified_by?: User;
}

export interface MessageItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
}

export interface ModerationRules {
  /** The version of the rules, which every change raises by one; 0 where none were ever set. */
  version: number;
  /** Whether the rules hold for bots too. */
  includes_bots: boolean;
  /** The rules, at most 100, and at most 64 KiB as JSON. */
  rules: Array<Rule>;
  /** When the rules were last changed. Absent where none were ever set. */
  modified_at?: string;
  /** Statistics of each rule, in the order of the rules, and then of the hook if it did anything. The counts lag behind the responses by a moment. */
  counts: Array<RuleCount>;
}

export interface ModerationRulesReplacement {
  /** The version that the client has read. If the rules have changed since, the request is refused. */
  version: number;
  /** Whether the rules hold for bots too. False when absent. */
  includes_bots?: boolean;
  /** The rules, at most 100, and at most 64 KiB as JSON. */
  rules: Array<Rule>;
}

export interface NewApiKey {
  /** The id of the key, which `confab key revoke` takes. */
  id: number;
  /** The purpose of the key. */
  name: string;
  /** Its last four characters. */
  hint: string;
  /** The scopes of the key; `all` stands for every scope. */
  scopes: Array<string>;
  /** When it was made. */
  created_at: string;
  /** When it was last used, to the minute. Absent for a key that was never used. */
  last_used_at?: string;
  /** When it ends. Absent for a key without an end. */
  expires_at?: string;
  /** When it was revoked. Absent for a key that was not. */
  revoked_at?: string;
  /** The key itself, for the header `Authorization: Bearer`. */
  key: string;
}

export interface Notification {
  /** The id of the notification. */
  id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  /** The id of the user who caused it. Absent when the caller may no longer see what it is about. */
  actor_id?: number;
  /** The sentence, with {0}, {1} and so on in the place of `args`. */
  template: string;
  /** Who did it, then the name of the app or file, then how the text begins; what is unknown is left out. */
  args: Array<string>;
  /** The sentence with its arguments. */
  text: string;
  /** The sentence with its arguments, as HTML that is safe to show. */
  html: string;
  /** The sentence with its arguments, without markup. */
  plain: string;
  link?: Parent;
  /** The id of the user who is notified. */
  user_id: number;
  /** When the notification was created. */
  created_at: string;
  /** Whether the notification is unread. */
  is_unread: boolean;
  actor?: User;
  user: User;
}

export interface NotificationItem {
  /** The id of the notification. */
  id: number;
  /** The action of the event, such as `comment_created`. */
  action: string;
  /** The id of the user who caused it. Absent when the caller may no longer see what it is about. */
  actor_id?: number;
  /** The sentence, with {0}, {1} and so on in the place of `args`. */
  template: string;
  /** Who did it, then the name of the app or file, then how the text begins; what is unknown is left out. */
  args: Array<string>;
  /** The sentence with its arguments. */
  text: string;
  /** The sentence with its arguments, as HTML that is safe to show. */
  html: string;
  /** The sentence with its arguments, without markup. */
  plain: string;
  link?: Parent;
  /** The id of the user who is notified. */
  user_id: number;
  /** When the notification was created. */
  created_at: string;
  /** Whether the notification is unread. */
  is_unread: boolean;
  actor?: User;
  user?: User;
}

export interface Option {
  /** The id of the option. */
  id: number;
  /** The option in words, at most 512 characters. */
  text: string;
  /** How many users chose the option. */
  vote_count: number;
  /** Whether the caller chose it. */
  has_voted: boolean;
  /** The first 100 users who chose it, in the order of their votes. Empty in a list; /api/options/{id}/voters lists all of them. */
  voters: Array<User>;
}

export interface OwnReport {
  entity: Parent;
  /** The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the server. */
  reason: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other' | 'rule';
  /** What the user wrote about it. Absent when there is no text. */
  text?: string;
  /** When the user reported it. */
  created_at: string;
}

export interface Parent {
  /** The id of the parent. */
  id: number;
  /** The type of the parent: `app`, `file`, `post`, `comment`, `message` or `user`. */
  type: string;
}

export interface Post {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by: User;
  modified_by?: User;
  /** How many comments on the post are not in the trash. */
  comment_count: number;
  /** Always empty: the comments of a post are listed under /api/posts/{id}/comments. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on it. */
  is_subscribed: boolean;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
}

export interface PostItem {
  /** The id of the comment, post or message. */
  id: number;
  /** The id of the app that it is in. */
  app_id: number;
  /** What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text. */
  text?: string;
  /** The text as HTML that is safe to show. Absent when there is no text. */
  html?: string;
  /** The text without markup. Absent when there is no text. */
  plain?: string;
  /** How many attachments it has. */
  attachment_count: number;
  /** The attachments, in the order of their ids. */
  attachments: Array<Attachment>;
  /** The id of its embed. Absent when it has none. */
  embed_id?: number;
  /** The id of its meeting. Absent when it has none. */
  meeting_id?: number;
  /** How many options its poll has; 0 when there is no poll. */
  option_count: number;
  /** The options of its poll, in order. */
  options: Array<Option>;
  /** The reactions to it, one of each user who reacted. */
  reactions: Array<Reaction>;
  /** Free-form properties, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** Its tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote it as it is, with the credential of its author or last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When it was created. */
  created_at: string;
  /** The id of its author. */
  created_by_id: number;
  /** When it was last edited. Absent until the first edit. */
  modified_at?: string;
  /** The id of the user who last edited it. Absent until the first edit. */
  modified_by_id?: number;
  /** Whether it is in the trash. */
  is_trashed: boolean;
  /** True while only its author and moderators see it, until a moderator approves it. Absent otherwise. */
  is_held?: boolean;
  parent?: Parent;
  embed?: Embed;
  meeting?: Meeting;
  created_by?: User;
  modified_by?: User;
  /** How many comments on the post are not in the trash. */
  comment_count: number;
  /** Always empty: the comments of a post are listed under /api/posts/{id}/comments. */
  comments: Array<{ [name: string]: unknown }>;
  /** Whether the caller is notified of comments on it. */
  is_subscribed: boolean;
  /** From when only moderators write in it; it can lie ahead. Absent when it is not locked. */
  locked_at?: string;
}

export interface Puzzle {
  parameters: PuzzleParameters;
  /** By which the server knows its own puzzle. */
  signature: string;
}

export interface PuzzleData {
  /** Until when the puzzle can be sent, in seconds since 1970. */
  until: number;
}

export interface PuzzleParameters {
  /** The hash function. */
  algorithm: string;
  /** How often it is applied. */
  cost: number;
  /** How many bytes of the hash count. */
  keyLength: number;
  /** How the hash has to begin, in hexadecimal digits. */
  keyPrefix: string;
  /** What comes before the number. */
  nonce: string;
  /** What comes before that. */
  salt: string;
  data: PuzzleData;
}

export interface PuzzleSolution {
  /** The number that solves the puzzle. */
  counter: number;
  /** The hash, in hexadecimal digits. */
  derivedKey: string;
}

export interface Reaction {
  /** The id of the reaction. */
  id: number;
  /** The emoji, exactly one. */
  content: string;
  /** When the user reacted. */
  created_at: string;
  /** The id of the user who reacted. */
  created_by_id: number;
  /** How many users reacted with this emoji to the same comment, post or message. */
  count: number;
}

export interface ReactionCreate {
  /** Exactly one emoji. It is kept with the variation selectors that make it one. */
  content: string;
}

export interface ReactionDetail {
  /** The id of the reaction. */
  id: number;
  /** The emoji, exactly one. */
  content: string;
  /** When the user reacted. */
  created_at: string;
  /** The id of the user who reacted. */
  created_by_id: number;
  /** How many users reacted with this emoji to the same comment, post or message. */
  count: number;
  parent: Parent;
  created_by: User;
}

export interface RedeliverMany {
  /** Only deliveries of this status. */
  status?: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
  /** Only deliveries whose last attempt was answered with this status. */
  status_code?: number;
  /** Only deliveries of this action, such as `comment_created`. */
  action?: string;
  /** Only the delivery of the event with this id. */
  event_id?: number;
  /** Only deliveries of events of this time (RFC 3339) or later. */
  since?: string;
  /** Only deliveries of events before this time (RFC 3339). */
  until?: string;
  /** Only deliveries with a higher id: send the `next` of the previous answer. */
  after?: number;
  /** The most deliveries to send again; 1000 when absent. */
  limit?: number;
}

export interface Redelivered {
  /** How many deliveries wait to be sent again. */
  redelivered: number;
  /** The id to send as `after` for the next deliveries. Absent when these were all. */
  next?: number;
}

export interface RenderedText {
  /** The text as HTML that is safe to show; empty for a text without content. */
  html: string;
  /** The text without markup. */
  plain: string;
}

export interface Renewal {
  /** The secret of the last answer. */
  renewal_secret: string;
}

export interface Report {
  /** The id of the report. */
  id: number;
  /** The id of the app that the item is in. */
  app_id: number;
  /** The app that the item is in. */
  app: {
    /** The id of the app. */
    id: number;
    /** The uid of the app. */
    uid: string;
    /** The type of the app. */
    type: string;
    /** The name of the app, or else its uid. */
    display_name: string;
  };
  entity: Parent;
  /** The item as it was when the report was opened; its author may have edited it since. Absent in events, and once the item is deleted permanently. */
  snapshot?: {
    /** How the text begins, without markup: at most 500 characters. Absent when there is none. */
    text?: string;
    /** The name of the file. Absent for anything else. */
    name?: string;
    /** When the item was created. */
    created_at: string;
  };
  held?: HeldItem;
  /** The id of the author of the item. */
  author_id: number;
  /** Whether a moderator still has to decide (`open`). A resolved report opens again when another user reports the item, and when the item is held. */
  state: 'open' | 'resolved';
  /** How many users have reported the item; 0 for an item that is or was held without a report. */
  report_count: number;
  /** How many of them since the report was opened; 0 when it is resolved. */
  new_report_count: number;
  /** The reasons that were given, in the order in which they were first given. */
  reasons: Array<{
    /** The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the server. */
    reason: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other' | 'rule';
    /** How many users gave it. */
    count: number;
  }>;
  /** The texts of users, the newest first: at most 3 in a list and 100 on a single report. In an event only the text of its actor. */
  texts: Array<ReportText>;
  /** When the item was first reported or held. */
  created_at: string;
  /** When the item was last reported or held. */
  reported_at: string;
  /** The decision: one of the actions of `POST /api/reports/{id}/resolve`, or `delete` when the item was deleted permanently. Approving or trashing a held item that nobody has reported is `keep` or `trash`. Absent while the report is open. */
  action?: 'keep' | 'trash' | 'hold' | 'suspend' | 'delete';
  /** What the moderator noted. Absent when there is no note. */
  note?: string;
  /** When it was decided. Absent while the report is open. */
  resolved_at?: string;
  /** The id of the user who decided. Absent while the report is open, and when the item was deleted. */
  resolved_by_id?: number;
  author: User;
  resolved_by?: User;
}

export interface ReportCreate {
  /** Why it is reported: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`. */
  reason: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other';
  /** A text for the moderators, at most 1000 characters. */
  text?: string;
}

export interface ReportItem {
  /** The id of the report. */
  id: number;
  /** The id of the app that the item is in. */
  app_id: number;
  /** The app that the item is in. */
  app: {
    /** The id of the app. */
    id: number;
    /** The uid of the app. */
    uid: string;
    /** The type of the app. */
    type: string;
    /** The name of the app, or else its uid. */
    display_name: string;
  };
  entity: Parent;
  /** The item as it was when the report was opened; its author may have edited it since. Absent in events, and once the item is deleted permanently. */
  snapshot?: {
    /** How the text begins, without markup: at most 500 characters. Absent when there is none. */
    text?: string;
    /** The name of the file. Absent for anything else. */
    name?: string;
    /** When the item was created. */
    created_at: string;
  };
  held?: HeldItem;
  /** The id of the author of the item. */
  author_id: number;
  /** Whether a moderator still has to decide (`open`). A resolved report opens again when another user reports the item, and when the item is held. */
  state: 'open' | 'resolved';
  /** How many users have reported the item; 0 for an item that is or was held without a report. */
  report_count: number;
  /** How many of them since the report was opened; 0 when it is resolved. */
  new_report_count: number;
  /** The reasons that were given, in the order in which they were first given. */
  reasons: Array<{
    /** The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the server. */
    reason: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other' | 'rule';
    /** How many users gave it. */
    count: number;
  }>;
  /** The texts of users, the newest first: at most 3 in a list and 100 on a single report. In an event only the text of its actor. */
  texts: Array<ReportText>;
  /** When the item was first reported or held. */
  created_at: string;
  /** When the item was last reported or held. */
  reported_at: string;
  /** The decision: one of the actions of `POST /api/reports/{id}/resolve`, or `delete` when the item was deleted permanently. Approving or trashing a held item that nobody has reported is `keep` or `trash`. Absent while the report is open. */
  action?: 'keep' | 'trash' | 'hold' | 'suspend' | 'delete';
  /** What the moderator noted. Absent when there is no note. */
  note?: string;
  /** When it was decided. Absent while the report is open. */
  resolved_at?: string;
  /** The id of the user who decided. Absent while the report is open, and when the item was deleted. */
  resolved_by_id?: number;
  author?: User;
  resolved_by?: User;
}

export interface ReportResolve {
  /** The decision: the item stays, and is approved if it is held (`keep`); it is put in the trash (`trash`) or held (`hold`); or it is put in the trash and its author is suspended (`suspend`). */
  action: 'keep' | 'trash' | 'hold' | 'suspend';
  /** A note for other moderators, at most 1000 characters. */
  note?: string;
}

export interface ReportText {
  /** The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the server. */
  reason: 'spam' | 'abuse' | 'illegal' | 'off_topic' | 'other' | 'rule';
  /** What the user wrote about it. */
  text: string;
  /** When the user reported it. */
  created_at: string;
  /** The id of the user who reported it. */
  created_by_id: number;
}

export interface Revision {
  /** The id of the revision. */
  id: number;
  /** The text, as Markdown. Absent when there was none. */
  text?: string;
  /** The ids of the attachments, in their order. Attachments that an edit removed no longer exist. */
  attachment_ids: Array<number>;
  /** The options of the poll, in their order; empty when there was no poll. */
  options: Array<{
    /** The id of the option. */
    id: number;
    /** The option in words, at most 512 characters. */
    text: string;
  }>;
  /** The id of the embed. Absent when there was none. */
  embed_id?: number;
  /** The id of the meeting. Absent when there was none. */
  meeting_id?: number;
  /** Free-form properties, as the client sent them. Absent when there were none. */
  metadata?: { [name: string]: unknown };
  /** The tags, in the order in which they were set. */
  tags: Array<string>;
  /** The protocol through which a program wrote this: `mcp`, the Model Context Protocol. Absent for plain HTTP. */
  via?: 'mcp';
  /** When this was written: at the creation, or with the edit that replaced the revision before. It held until the next revision, and the newest one until `modified_at` of the item. */
  created_at: string;
  /** The id of the user who wrote this. */
  created_by_id: number;
  created_by: User;
}

export interface RotatedSecret {
  /** The generated secret, shown only in this response. Absent when the request contained one. */
  secret?: string;
  /** When the previous secret ends. Absent when there was none, or it ended at once. */
  previous_secret_until?: string;
}

export interface Rule {
  /** The unique name of the rule, not blank and not `hook`. Staff see it, authors do not. */
  name: string;
  /** The action on a text that matches: `report` shows it and files a report, `hold` hides it until a moderator approves it, `refuse` responds with 403 `text_refused`. If several rules match, the strictest action applies. */
  action: 'report' | 'hold' | 'refuse';
  /** Matches a text with one of these words or phrases. Only whole words count; what a search ignores (case, accents, vowel signs, forms of letters, punctuation, invisible characters) does not. */
  words?: Array<string>;
  /** Matches a text with a line that this regular expression (RE2) matches, ignoring case. */
  pattern?: string;
  /** Matches a text with more links than this. An embed counts as a link. */
  links_max?: number;
  /** Matches a text that was already sent within the window. Texts are equal when their words are equal. */
  equal_texts?: {
    /** `user` counts the equal texts of the author; `everyone` counts the users who sent an equal text. */
    of: 'user' | 'everyone';
    /** The number of texts from which on the rule matches. */
    count: number;
    /** The length of the window in seconds, at most a day. */
    seconds: number;
    /** Shorter texts do not count, because many users say "thank you". 40 when absent. */
    characters_min?: number;
  };
  /** Matches a text of a user who has sent many texts. Edits count as well. */
  rate?: {
    /** How many texts of a user within the window the rule lets pass. */
    count: number;
    /** The length of the window in seconds, at most a day. */
    seconds: number;
  };
  /** Limits the rule to users who were created less than this many hours ago, and to guests who are not trusted. When absent, the rule applies to every user. */
  newcomer_hours?: number;
  /** Whether the rule is limited to apps, in any directory, in which non-members may write. False when absent. */
  only_open_apps?: boolean;
}

export interface RuleCount {
  /** The name of the rule, or `hook` for the hook of the operator. */
  name: string;
  /** How many texts it reported. */
  reported: number;
  /** How many texts it held. */
  held: number;
  /** How many texts it refused. */
  refused: number;
  /** When it last matched a text. Absent until then. */
  last_at?: string;
}

export interface RuleTest {
  /** The action that would be taken on the text; `take` means that it is accepted. */
  action: 'take' | 'report' | 'hold' | 'refuse';
  /** Why no rule holds for the user: as a moderator or manager of the app, or as a bot. Absent where the rules hold. */
  exempt?: 'moderator' | 'bot';
  /** The rules that match, in their order, also where the user is exempt. */
  matches: Array<{
    /** The name of the rule. */
    name: string;
    /** What the rule does. */
    action: 'report' | 'hold' | 'refuse';
  }>;
}

export interface SecretRotation {
  /** The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes. One is generated when absent. */
  secret?: string;
  /** How long deliveries are also signed with the previous secret, in seconds; 86400 when absent. 0 ends the previous secret at once. */
  overlap_seconds?: number;
}

export interface ServerSettings {
  /** The path of the file of settings. Absent when there is none. */
  file?: string;
  /** Every setting, in the order of the reference. */
  settings: Array<ShownSetting>;
}

export interface ShownSetting {
  /** The name of the setting as the file of settings has it; `--` before it makes the flag. */
  name: string;
  /** The value in effect: empty without one, and `(hidden)` for a secret that is set. */
  value: string;
  /** Where the value stands: the setting as it is spelled there, such as `--port` or `CONFAB_PORT`; else `default`, or `not set`. */
  from: string;
}

export interface SignInConfirmed {
  /** The code for the page, with which it gets the tokens. Absent while a name is missing. */
  code?: string;
  /** Whether this is a new visitor, whose name is missing. Send it with the same code again. */
  needs_name: boolean;
  /** The origin of the page. */
  origin: string;
  /** The address of the page, where it was given. */
  return_to?: string;
}

export interface SignInTicket {
  /** What the code of the mail is sent with. */
  ticket: string;
  /** How long the mail is good, in seconds. */
  expires_in: number;
}

export interface SignInWays {
  /** The ways of signing in that the server allows, in the order of `CONFAB_SIGN_IN`. */
  ways: Array<string>;
  /** Whether guests have to solve a puzzle. */
  has_puzzle: boolean;
  /** Which visitors may have a picture: none, those who signed in by mail or by a provider (`confirmed`), or all. */
  pictures: 'none' | 'confirmed' | 'all';
  /** Which visitors may add pictures to comments: none, those who signed in by mail or by a provider (`confirmed`), or all. Nobody can while what they write waits for approval. */
  comment_pictures: 'none' | 'confirmed' | 'all';
  /** Whether visitors who have signed in may open pages of the listed origins: the first of them makes the app of a page, with `PUT /api/apps/{uid}?page=true`. */
  opens_pages: boolean;
}

export interface SignedIn {
  /** The token, for the header `Authorization: Bearer`. */
  access_token: string;
  /** How long the token is valid, in seconds. */
  expires_in: number;
  /** What gets the next token. It works once and comes with a new one. */
  renewal_secret: string;
  /** How long the secret is valid, in seconds. */
  renewal_expires_in: number;
  user: UserDetail;
}

export interface SolvedPuzzle {
  challenge: Puzzle;
  solution: PuzzleSolution;
}

export interface StarredEntity {
  /** The id of the app. */
  id: number;
  /** What is starred: always `app`. */
  type: string;
}

export interface Status {
  /** The version of the server. */
  version: string;
  /** Where the store is: in a file (`sqlite`) or on PostgreSQL. */
  engine: 'sqlite' | 'postgres';
  /** When this node started. */
  started_at: string;
  /** Whether all checks are in order. */
  is_ready: boolean;
  /** The checks of readiness. */
  checks: Array<StatusCheck>;
  /** The last 60 minutes of this node, the oldest first; the last minute is not complete. */
  minutes: Array<StatusMinute>;
}

export interface StatusCheck {
  /** The name of the check. */
  name: string;
  /** Whether the server can be ready with it. */
  is_ok: boolean;
  /** The figures of the check, such as `free_bytes`. Any release can add figures. */
  figures: { [name: string]: unknown };
}

export interface StatusMinute {
  /** When the minute began. */
  at: string;
  /** Requests that were answered. */
  requests: number;
  /** How many of them failed on the server (5xx). */
  failures: number;
  /** Comments that were created. */
  comments: number;
  /** Attempts to deliver that succeeded. */
  deliveries: number;
  /** Attempts to deliver that failed. */
  failed_deliveries: number;
  /** The median (p50) of the response times, rounded up to a step such as 0.005; 0 without requests. Operations that wait by design do not count. */
  median_seconds: number;
  /** The 95th percentile (p95), with the same rounding. */
  slow_seconds: number;
}

export interface TextToRender {
  /** The text as Markdown, at most 64 KiB in UTF-8. */
  text: string;
}

export interface TextToTest {
  /** The text as Markdown, at most 64 KiB in UTF-8. */
  text: string;
  /** The id or uid of the user who would send it. A user of long standing when absent. */
  user?: unknown;
  /** The id or uid of the app that it would be sent to. A closed app when absent. */
  app?: unknown;
}

export interface TokenCreate {
  /** How long the token is valid, in seconds; 3600 when absent. */
  expires_in?: number;
  /** The e-mail address. Two users can have the same one. */
  email?: string;
  /** The given name of the user. */
  given_name?: string;
  /** The middle name of the user. */
  middle_name?: string;
  /** The family name of the user. */
  family_name?: string;
  /** The whole name of the user. */
  name?: string;
  /** The nickname of the user. */
  nickname?: string;
  /** The phone number of the user. */
  phone_number?: string;
  /** A note about the user, at most 64 KiB in UTF-8. */
  comment?: string;
  /** The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters. */
  picture?: unknown;
  /** The id or name of the directory that the user belongs to. A name that no directory has creates one. `visitors` is for visitors only. */
  directory?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** Whether the user is a program rather than a person; false when absent on create. */
  is_bot?: boolean;
}

export interface User {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your product. */
  way?: string;
  /** `moderator` for a user who moderates every app of their directory that they see or, without a directory, every app that they see. Absent for most users. */
  role?: 'moderator';
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** True for a user whose texts are shown at once in apps that hold those of newcomers or guests. Absent for everyone else. */
  is_trusted?: true;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
}

export interface UserCreate {
  /** The unique name of the user: 1 to 256 characters without white space, at least one of them not a digit. */
  uid: string;
  /** The e-mail address. Two users can have the same one. */
  email?: string;
  /** The given name of the user. */
  given_name?: string;
  /** The middle name of the user. */
  middle_name?: string;
  /** The family name of the user. */
  family_name?: string;
  /** The whole name of the user. */
  name?: string;
  /** The nickname of the user. */
  nickname?: string;
  /** The phone number of the user. */
  phone_number?: string;
  /** A note about the user, at most 64 KiB in UTF-8. */
  comment?: string;
  /** The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters. */
  picture?: unknown;
  /** The id or name of the directory that the user belongs to. A name that no directory has creates one. `visitors` is for visitors only. */
  directory?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** Whether the user is a program rather than a person; false when absent on create. */
  is_bot?: boolean;
  /** Whether texts of the user are shown at once in apps with the approval `newcomers` or `guests`. False when absent on create. */
  is_trusted?: boolean;
  /** Whether the user is suspended. A suspended user cannot do anything and is left out of lists. False when absent on create. */
  is_suspended?: boolean;
  /** `moderator` lets the user moderate every app of their directory that they see or, without a directory, every app that they see. */
  role?: 'moderator';
}

export interface UserDetail {
  /** The id of the user. */
  id: number;
  /** The unique name that the host product gave the user. */
  uid: string;
  /** The name to show: `name`, else the given and family names, else the nickname, else the part of the e-mail address before the @, else the uid. */
  display_name: string;
  /** The e-mail address. Absent when it is not known. */
  email?: string;
  /** The given name, at most 64 characters. Absent when it is not known. */
  given_name?: string;
  /** The middle name, at most 64 characters. Absent when it is not known. */
  middle_name?: string;
  /** The whole name, at most 256 characters. Absent when it is not known. */
  name?: string;
  /** The family name, at most 64 characters. Absent when it is not known. */
  family_name?: string;
  /** The nickname, at most 32 characters. Absent when there is none. */
  nickname?: string;
  /** The phone number, at most 32 characters. Absent when it is not known. */
  phone_number?: string;
  /** A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none. */
  comment?: string;
  /** The id of the directory that the user belongs to. Absent when the user belongs to none. */
  directory_id?: number;
  /** The id of the blob that is the user's picture. Absent when there is no picture, or it is an address on the web. */
  picture_id?: number;
  /** The address of the user's picture; needs no credential and stays valid until the user gets another picture. Absent for a user without a picture. */
  avatar_url?: string;
  /** Free-form properties of the user, as the client sent them. Absent when there are none. */
  metadata?: { [name: string]: unknown };
  /** The tags of the user, in the order in which they were set. */
  tags?: Array<string>;
  /** How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your product. */
  way?: string;
  /** `moderator` for a user who moderates every app of their directory that they see or, without a directory, every app that they see. Absent for most users. */
  role?: 'moderator';
  /** Whether the user has a live connection to the server (`active`) or not (`away`). */
  presence: 'active' | 'away';
  /** When the user was created. */
  created_at?: string;
  /** When the user was last changed. Absent until the first change. */
  modified_at?: string;
  /** Whether the user is a program rather than a person. */
  is_bot: boolean;
  /** True for a user whose texts are shown at once in apps that hold those of newcomers or guests. Absent for everyone else. */
  is_trusted?: true;
  /** Whether the user is suspended and so cannot do anything. */
  is_suspended?: boolean;
  /** Whether the user is in the trash and so cannot do anything. */
  is_trashed?: boolean;
  directory?: Directory;
  picture?: Blob;
  /** The ways in which the visitor can sign in again: `email` and names of providers; empty for a guest. Only where a visitor gets themselves, with `GET /api/user`. */
  ways?: Array<string>;
  visitor?: VisitorFacts;
}

export interface UserModeration {
  /** Whether what they write is shown at once where newcomers or guests wait for approval. */
  is_trusted: boolean;
  /** Whether they can do nothing. */
  is_suspended: boolean;
  /** Until when the address from which the visitor last signed in is banned. Absent where it is not, or not known. A caller who is no API key gets the end of the ban that the request asks for, also where a longer one stays, and no other, because bans would show who shares an address. */
  banned_until?: string;
}

export interface UserModerationPatch {
  /** Whether what they write needs no approval of newcomers. */
  is_trusted?: boolean;
  /** Whether they can do nothing from now on. */
  is_suspended?: boolean;
  /** For how many seconds from now to ban the address from which the visitor last signed in; 0 ends its ban. A longer ban stays. */
  ban_seconds?: number;
}

export interface UserPatch {
  /** The unique name of the user: 1 to 256 characters without white space, at least one of them not a digit. */
  uid?: string;
  /** The e-mail address. Two users can have the same one. */
  email?: string;
  /** The given name of the user. */
  given_name?: string;
  /** The middle name of the user. */
  middle_name?: string;
  /** The family name of the user. */
  family_name?: string;
  /** The whole name of the user. */
  name?: string;
  /** The nickname of the user. */
  nickname?: string;
  /** The phone number of the user. */
  phone_number?: string;
  /** A note about the user, at most 64 KiB in UTF-8. */
  comment?: string;
  /** The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a `data:` address in base64; or an http or https address of at most 2048 characters. */
  picture?: unknown;
  /** The id or name of the directory that the user belongs to. A name that no directory has creates one. `visitors` is for visitors only. */
  directory?: string;
  /** Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep. */
  metadata?: { [name: string]: unknown };
  /** The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once. */
  tags?: Array<string>;
  /** Whether the user is a program rather than a person; false when absent on create. */
  is_bot?: boolean;
  /** Whether texts of the user are shown at once in apps with the approval `newcomers` or `guests`. False when absent on create. */
  is_trusted?: boolean;
  /** Whether the user is suspended. A suspended user cannot do anything and is left out of lists. False when absent on create. */
  is_suspended?: boolean;
  /** `moderator` lets the user moderate every app of their directory that they see or, without a directory, every app that they see. */
  role?: 'moderator';
}

export interface VisitorFacts {
  /** How many items of the visitor were approved, in apps that ask for the approval of newcomers or guests. */
  approved_count: number;
  /** The network from which the visitor last signed in or stayed signed in, as CIDR: an IPv4 address, or the /64 of an IPv6 address. Absent where that was 30 days ago, or the address may stand for everybody. */
  address?: string;
  /** When that was. Absent with `address`. */
  signed_in_at?: string;
}

export interface VisitorPatch {
  /** The name that is shown. It may not look like that of a moderator or of another visitor, also not in letters that look alike. */
  name?: string;
  /** A PNG, JPEG, GIF or WebP of at most 512 KiB as a `data:` address in base64; null takes the picture away. Others see a small copy. Ids of blobs and addresses on the web are refused. */
  picture?: string;
}

export interface Webhook {
  /** The id of the webhook. */
  id: number;
  /** The address that receives deliveries. */
  payload_url: string;
  /** The groups of events and the single actions that are delivered, in the order in which they were set. */
  triggers: Array<string>;
  /** Whether deliveries are sent. */
  is_enabled: boolean;
  /** Whether each delivery waits until the previous one has succeeded or was given up. */
  ordered: boolean;
  breaker: Breaker;
}

export interface WebhookCreate {
  /** The absolute http or https address that receives deliveries, at most 2048 characters. Internal addresses are refused unless the operator allows them. */
  payload_url: string;
  /** The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes. Deliveries are not signed when absent. */
  secret?: string;
  /** Groups of events (comments, posts, messages, files, reactions, polls, notifications, conversations, apps, members) or names of single actions, such as `comment_created`. Repeated ones count once. */
  triggers: Array<string>;
  /** Whether deliveries are sent. True when absent on create. */
  enabled?: boolean;
  /** Another name of `enabled`. When both are present, `enabled` wins. */
  is_enabled?: boolean;
  /** Whether each delivery waits until the previous one has succeeded or was given up. False when absent on create. */
  ordered?: boolean;
}

export interface WebhookDetail {
  /** The id of the webhook. */
  id: number;
  /** The address that receives deliveries. */
  payload_url: string;
  /** The groups of events and the single actions that are delivered, in the order in which they were set. */
  triggers: Array<string>;
  /** Whether deliveries are sent. */
  is_enabled: boolean;
  /** Whether each delivery waits until the previous one has succeeded or was given up. */
  ordered: boolean;
  breaker: Breaker;
  /** Until when the secret from before the last rotation is also valid. Absent if there is none. */
  previous_secret_until?: string;
}

export interface WebhookEvent {
  /** The name of the event, such as `comment_created`. */
  action: string;
  /** The action with a dot, as it stands in the body. */
  type: string;
  /** What webhooks name as trigger; absent for what is in the log alone. */
  group?: string;
  /** When the event happens, in one sentence. */
  description: string;
  /** The JSON Schema (2020-12) of the body of a delivery. */
  schema: { [name: string]: unknown };
}

export interface WebhookEvents {
  /** The events, by group. */
  data: Array<WebhookEvent>;
}

export interface WebhookPatch {
  /** The absolute http or https address that receives deliveries, at most 2048 characters. Internal addresses are refused unless the operator allows them. */
  payload_url?: string;
  /** The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes. Null ends the signing of deliveries. */
  secret?: string;
  /** Groups of events (comments, posts, messages, files, reactions, polls, notifications, conversations, apps, members) or names of single actions, such as `comment_created`. Repeated ones count once. */
  triggers?: Array<string>;
  /** Whether deliveries are sent. True when absent on create. */
  is_enabled?: boolean;
  /** Another name of `is_enabled`. When both are present, `is_enabled` wins. */
  enabled?: boolean;
  /** Whether each delivery waits until the previous one has succeeded or was given up. False when absent on create. */
  ordered?: boolean;
}
