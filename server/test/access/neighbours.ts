import assert from 'node:assert/strict';
import { makeApp, makeBlob } from 'confab-testing/fixtures.ts';
import type { TestServer } from 'confab-testing/server.ts';
import type { Policy } from './policy.ts';
import type { Caller, Place } from './world.ts';

/** What the rows below are tried on in one place; all of it was made by the author. */
export type Things = {
  comment: number;
  post: number;
  /** The app of the post. */
  posts: number;
  file: number;
  message: number;
  /** The app of the message. */
  chat: number;
  option: number;
  reaction: number;
  /** The report of a comment that the author made. */
  report: number;
};

/** The intent of one operation beyond the specified ones. */
export type Neighbour = Policy & {
  /** What stands as `{id}` or `{app}` in the path. */
  readonly thing: keyof Things;
  readonly body?: unknown;
  /** Whether a success removes the target. */
  readonly isEnd?: true;
  /** Whether it changes something only the first time that a caller does it. */
  readonly isOnce?: true;
};

const common = { hidden: 404, inTrash: 'gone' } as const;
const read = { ...common, need: 'read', success: 200 } as const;
const write = { ...common, need: 'write', refused: 403 } as const;
const author = { ...common, need: 'author', refused: 403, isEnd: true, alwaysChanges: true } as const;
const change = { ...common, need: 'author', refused: 403, success: 200 } as const;
const words = { ...change, need: 'words' } as const;
const own = { ...common, need: 'own', refused: 403, success: 200 } as const;
const self = { ...read, isForUsers: true } as const;
const moderate = { ...common, need: 'moderate', refused: 403, success: 200 } as const;
const hold = { ...moderate, isEnd: true, alwaysChanges: true } as const;
// What lists everything that the caller can see is asked without naming anything.
const everywhere = { need: 'credential', success: 200 } as const;
const react = { ...write, success: 204, isForUsers: true, body: { content: '👍' } } as const;
const report = {
  ...common,
  need: 'read',
  refused: 403,
  success: 200,
  isForOthers: true,
  alwaysChanges: true,
  isOnce: true,
  body: { reason: 'spam' },
} as const;
const takeBack = { ...write, success: 200, isForUsers: true } as const;

/** The table. */
export const neighbours: { readonly [operation: string]: Neighbour } = {
  getOption: { ...read, thing: 'option' },
  voteOption: { ...write, success: 200, thing: 'option', alwaysChanges: true },
  listVoters: { ...read, thing: 'option' },
  addCommentReaction: { ...react, thing: 'comment' },
  removeCommentReaction: { ...takeBack, thing: 'comment' },
  listCommentReactions: { ...read, thing: 'comment' },
  addPostReaction: { ...react, thing: 'post' },
  removePostReaction: { ...takeBack, thing: 'post' },
  listPostReactions: { ...read, thing: 'post' },
  addMessageReaction: { ...react, thing: 'message' },
  removeMessageReaction: { ...takeBack, thing: 'message' },
  listMessageReactions: { ...read, thing: 'message' },
  listCommentRevisions: { ...own, thing: 'comment' },
  listPostRevisions: { ...own, thing: 'post' },
  listMessageRevisions: { ...own, thing: 'message' },
  getReaction: { ...read, thing: 'reaction' },
  deleteReaction: { ...author, success: 200, thing: 'reaction' },
  listFileComments: { ...read, thing: 'file' },
  listPostComments: { ...read, thing: 'post' },
  trashComment: { ...change, thing: 'comment', isEnd: true },
  restoreComment: { ...change, thing: 'comment' },
  listCommentAttachments: { ...read, thing: 'comment' },
  listReplies: { ...read, thing: 'comment' },
  listPostAttachments: { ...read, thing: 'post' },
  holdComment: { ...hold, thing: 'comment' },
  approveComment: { ...moderate, thing: 'comment' },
  resolveComment: { ...write, success: 200, thing: 'comment' },
  reopenComment: { ...write, success: 200, thing: 'comment' },
  deleteComment: { ...author, success: 204, thing: 'comment' },
  deletePost: { ...author, success: 204, thing: 'post' },
  createPost: { ...write, success: 201, thing: 'posts', body: { text: 'words' }, alwaysChanges: true },
  listAppPosts: { ...read, thing: 'posts' },
  listCounts: { ...everywhere, thing: 'comment', isForEveryone: true },
  listPosts: { ...everywhere, thing: 'post' },
  getPost: { ...read, thing: 'post' },
  updatePost: { ...words, thing: 'post', body: { text: 'other words' } },
  trashPost: { ...change, thing: 'post', isEnd: true },
  restorePost: { ...change, thing: 'post' },
  holdPost: { ...hold, thing: 'post' },
  approvePost: { ...moderate, thing: 'post' },
  lockPost: { ...hold, thing: 'post' },
  unlockPost: { ...moderate, thing: 'post' },
  subscribePost: { ...self, thing: 'post' },
  unsubscribePost: { ...self, thing: 'post' },
  createMessage: { ...write, success: 201, thing: 'chat', body: { text: 'words' }, alwaysChanges: true },
  listAppMessages: { ...read, thing: 'chat' },
  listMessages: { ...everywhere, thing: 'message' },
  getMessage: { ...read, thing: 'message' },
  updateMessage: { ...words, thing: 'message', body: { text: 'other words' } },
  trashMessage: { ...change, thing: 'message', isEnd: true },
  restoreMessage: { ...change, thing: 'message' },
  holdMessage: { ...hold, thing: 'message' },
  approveMessage: { ...moderate, thing: 'message' },
  listMessageAttachments: { ...read, thing: 'message' },
  deleteMessage: { ...author, success: 204, thing: 'message' },
  reportComment: { ...report, thing: 'comment' },
  reportPost: { ...report, thing: 'post' },
  reportMessage: { ...report, thing: 'message' },
  reportFile: { ...report, thing: 'file' },
  listReports: { ...everywhere, thing: 'report' },
  getReport: { ...common, need: 'moderate', refused: 404, success: 200, thing: 'report' },
  resolveReport: {
    ...common,
    need: 'moderate',
    refused: 404,
    success: 200,
    thing: 'report',
    body: { action: 'keep' },
  },
};

const nothing: Things = {
  comment: 0,
  post: 0,
  posts: 0,
  file: 0,
  message: 0,
  chat: 0,
  option: 0,
  reaction: 0,
  report: 0,
};

const asAuthor = { headers: { 'x-confab-user': 'w-author' } };

/** Creates the targets of the rows of one place, and one again when a row has removed it. */
export class Supply {
  readonly #server: TestServer;
  readonly #author: Caller;
  readonly #chats = new Map<Place, number>();
  readonly #things = new Map<Place, Things>();

  constructor(server: TestServer, callers: readonly Caller[]) {
    const found = callers.find(({ isAuthor }) => isAuthor);
    assert.ok(found !== undefined);
    this.#server = server;
    this.#author = found;
  }

  /** What is there in a place. */
  of(place: Place): Things {
    const things = this.#things.get(place);
    assert.ok(things !== undefined);
    return things;
  }

  /** Makes everything in a place, whose app may be in the trash. */
  async fill(place: Place): Promise<void> {
    const apps = [...place.apps, await this.#makeChat(place)];
    if (place.isTrashed) await this.#call('POST', ...apps.map((app) => `/api/apps/${app}/restore`));
    this.#things.set(place, { ...nothing, file: place.file });
    for (const thing of ['comment', 'post', 'message', 'reaction', 'report'] as const)
      await this.make(place, thing);
    if (place.isTrashed) await this.#call('POST', ...apps.map((app) => `/api/apps/${app}/trash`));
  }

  /** Creates a thing in a place whose app is not in the trash, with what hangs on it. */
  async make(place: Place, thing: keyof Things): Promise<void> {
    const things = this.of(place);
    const comments = `/api/apps/${place.app.id}/comments`;
    if (thing === 'comment') {
      const options = [{ text: 'yes' }];
      const blobs = [await makeBlob(this.#server, asAuthor)];
      const comment = await this.#create(comments, { text: 'words', options, blobs });
      Object.assign(things, { comment: comment.id, option: comment.options[0].id });
    } else if (thing === 'post') {
      const app = place.apps.find((uid) => uid.endsWith('posts'));
      const post = await this.#create(`/api/apps/${app}/posts`, { text: 'words' });
      Object.assign(things, { post: post.id, posts: post.app_id });
    } else if (thing === 'message') {
      const chat = this.#chats.get(place) ?? 0;
      const message = await this.#create(`/api/apps/${chat}/messages`, { text: 'words' });
      Object.assign(things, { message: message.id, chat });
    } else {
      // On a comment of its own, because the rows react to the other one and report it.
      const { id } = await this.#create(comments, {});
      if (thing === 'reaction') things.reaction = await this.#react(place, id);
      else if (thing === 'report') things.report = await this.#report(place, id);
      else throw new Error(`nothing makes the ${thing} of a place again`);
    }
  }

  /** Only a user reacts, and only with access, which the author has lost. */
  async #react(place: Place, comment: number): Promise<number> {
    const member = `/api/apps/${place.app.id}/members/w-author`;
    const path = `/api/comments/${comment}/reactions`;
    await this.#server.call('PUT', member, { access: 'write' });
    const sending = { as: null, headers: this.#author.headers };
    const { status } = await this.#server.call('POST', path, { content: '😎' }, sending);
    assert.equal(status, 204);
    await this.#call('DELETE', member);
    return (await this.#server.call('GET', path)).body.data[0].id;
  }

  async #report(place: Place, comment: number): Promise<number> {
    const { status } = await this.#server.call('POST', `/api/comments/${comment}/reports`, {
      reason: 'spam',
    });
    assert.equal(status, 200);
    const query = `app=${place.app.id}&order_by=id+desc&top=1`;
    return (await this.#server.call('GET', `/api/reports?${query}`)).body.data[0].id;
  }

  async #makeChat(place: Place): Promise<number> {
    const fields = { type: 'chat', access: place.access };
    const { id } = await makeApp(this.#server, fields, { headers: { 'x-confab-user': 'w-creator' } });
    const members = [
      ...['none', 'read', 'write'].map((access) => ({ uid: `w-${access}`, access })),
      { uid: 'w-moderator', access: 'write', role: 'moderator' },
    ];
    await this.#server.call('POST', `/api/apps/${id}/members`, members);
    this.#chats.set(place, id);
    return id;
  }

  async #create(path: string, fields: object) {
    const answer = await this.#server.call('POST', path, fields, asAuthor);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  async #call(method: string, ...paths: string[]): Promise<void> {
    for (const path of paths) assert.ok((await this.#server.call(method, path)).status < 300, path);
  }
}
