import { list } from './wrong-lists.ts';
import {
  accessOf,
  appOf,
  areTags,
  authorOf,
  type Call,
  type Caller,
  type Fields,
  fieldsOf,
  foldedTags,
  needAccess,
  needRules,
  Refusal,
  type Reply,
  type State,
  shownUser,
  timestamp,
} from './wrong-state.ts';
import { announce } from './wrong-webhooks.ts';

type Json = any;
type Handler = (state: State, call: Call) => Reply | Promise<Reply>;

const commentFields: Fields = {
  text: 'string',
  metadata: 'object',
  tags: 'strings',
  blobs: 'integers',
  options: 'objects',
  embed_id: 'integer',
  meeting_id: 'integer',
};

function needCommentRules(state: State, body: Json): void {
  const most = state.has('textShort') ? 60_000 : 65_536;
  const options: Json[] = body.options ?? [];
  const known = (id: number) => state.blobs.some((blob) => blob.id === id);
  needRules(state, [
    ['/text', (body.text ?? '').length <= most],
    ['/tags', areTags(body.tags)],
    ['/blobs', (body.blobs ?? []).every(known) || state.has('anyBlob')],
    ['/meeting_id', body.meeting_id == null],
    ['/embed_id', body.embed_id == null],
    ['/options', options.length <= 50 || state.has('optionsUnbounded')],
    ['/options', options.every(({ text }) => typeof text === 'string' && text.length <= 512)],
  ]);
}

function change(state: State, comment: Json, body: Json): void {
  for (const field of ['text', 'metadata'] as const)
    if (body[field] !== undefined) comment[field] = body[field];
  if (body.tags !== undefined) comment.tags = foldedTags(state, body.tags ?? []);
  if (body.options !== undefined && !state.has('optionsLost'))
    comment.options = (body.options ?? []).map(({ text }: Json) => ({
      id: state.nextId(),
      text,
      vote_count: 0,
    }));
  if (body.blobs !== undefined && !state.has('blobsIgnored'))
    comment.attachments = (body.blobs ?? []).map((id: number) => ({
      id: state.nextId(),
      name: `blob ${id}`,
    }));
}

/** A comment in the flat form of a list. */
function flatComment(state: State, comment: Json): Json {
  const { app, author, text = '' } = comment;
  const html = `<p>${text.replaceAll('**', '')}</p>`;
  return {
    id: comment.id,
    app_id: state.has('appIdIsText') ? String(app.id) : app.id,
    text,
    html: state.has('htmlIsText') ? '' : html,
    plain: text.replaceAll('**', ''),
    ...(state.has('attachmentsAbsent') ? {} : { attachments: comment.attachments }),
    attachment_count: comment.attachments.length,
    options: comment.options,
    option_count: state.has('optionsNotCounted') ? 0 : comment.options.length,
    reactions: [],
    ...(comment.metadata == null ? {} : { metadata: comment.metadata }),
    tags: comment.tags,
    created_at: timestamp(state, comment.createdAt),
    created_by_id: author.id,
    ...(comment.modifiedAt === undefined || state.has('editUnmarked')
      ? {}
      : { modified_at: timestamp(state, comment.modifiedAt), modified_by_id: author.id }),
    is_trashed: comment.isTrashed,
  };
}

/** A comment in the form that the caller asked for. */
function inForm(state: State, call: Call, shown: Json, comment: Json): Json {
  const isSecond = call.isSecondForm || state.has('secondFormForAll');
  if (!isSecond || (state.has('secondFormOfOneAlone') && shown.created_by === undefined)) return shown;
  const counted = (data: Json[]) => ({ count: data.length, data });
  const name = state.has('secondFormNameless') ? {} : { name: comment.author.uid };
  return {
    ...shown,
    ...(state.has('secondFormDropsFields') ? { plain: undefined } : {}),
    app: { id: comment.app.id },
    attachments: counted(shown.attachments),
    options: counted(shown.options),
    reactions: counted(shown.reactions),
    created_by: { ...shownUser(state, comment.author), ...name, is_agent: comment.author.isBot },
    ...(shown.modified_at === undefined ? {} : { updated_at: shown.modified_at }),
  };
}

function shownComment(state: State, call: Call, comment: Json): Json {
  const shown = {
    ...flatComment(state, comment),
    ...(state.has('parentMissing') ? {} : { parent: comment.parent }),
    created_by: shownUser(state, comment.author),
    ...(comment.modifiedAt === undefined ? {} : { modified_by: shownUser(state, comment.author) }),
  };
  return inForm(state, call, shown, comment);
}

function listComments(state: State, call: Call, comments: readonly Json[]): Reply {
  return list(state, comments, call, {
    text: ({ text = '' }) => text,
    show: (comment) =>
      inForm(
        state,
        call,
        {
          ...flatComment(state, comment),
          ...(state.has('itemHasParent') ? { parent: comment.parent } : {}),
          ...(state.has('itemHasMore') ? { color: 'red' } : {}),
        },
        comment,
      ),
  });
}

function create(state: State, call: Call, app: Json, parent: Json): Reply {
  const body = fieldsOf(state, call, commentFields);
  if (!state.has('readerWrites')) needAccess(state, app, call, 'write');
  if (state.has('emptyCommentRefused') && Object.keys(body).length === 0) throw new Refusal(422);
  needCommentRules(state, body);
  const comment: Json = {
    id: state.nextId(),
    app,
    parent,
    author: state.has('authorIsSystem') ? state.system : authorOf(state, call.caller),
    tags: [],
    options: [],
    attachments: [],
    createdAt: Date.now(),
    isTrashed: false,
  };
  change(state, comment, body);
  state.comments.push(comment);
  const shown = shownComment(state, call, comment);
  announce(state, 'comment_created', { comment: { ...flatComment(state, comment), parent } });
  return { status: state.has('commentIs200') ? 200 : 201, body: shown };
}

function commentOf(state: State, call: Call, { isTrashedShown = false } = {}): Json {
  const comment = state.comments.find(({ id }) => String(id) === call.params.id);
  if (comment === undefined) throw new Refusal(404);
  if (!state.has('commentOfNoneIsShown')) needAccess(state, comment.app, call, 'read');
  if (comment.app.isTrashed) throw new Refusal(404);
  if (comment.isTrashed && !isTrashedShown && !state.has('trashedCommentShown')) throw new Refusal(404);
  return comment;
}

function isAuthor(comment: Json, caller: Caller): boolean {
  return caller.kind !== 'user' || caller.user.id === comment.author.id;
}

/** The operations of comments, and of the things beside them that the checks need. */
export const commentHandlers: Readonly<Record<string, Handler>> = {
  createAppComment(state, call) {
    const app = appOf(state, call);
    // Values of the wrong type come before the type of the app.
    fieldsOf(state, call, commentFields);
    if (app.type !== 'comments' && !state.has('anyAppTakesComments')) throw new Refusal(422);
    return create(state, call, app, { id: app.id, type: 'app' });
  },

  createFileComment(state, call) {
    const file = state.files.find(({ id }) => String(id) === call.params.id);
    if (file === undefined || state.has('fileCommentsMissing')) throw new Refusal(404);
    return create(state, call, file.app, { id: file.id, type: 'file' });
  },

  createPostComment(state, call) {
    const post = state.posts.find(({ id }) => String(id) === call.params.id);
    if (post === undefined) throw new Refusal(404);
    return create(state, call, post.app, { id: post.id, type: 'post' });
  },

  getComment(state, call) {
    const comment = commentOf(state, call, { isTrashedShown: call.query.get('trashed') === 'true' });
    return { status: 200, body: shownComment(state, call, comment) };
  },

  updateComment(state, call) {
    const body = fieldsOf(state, call, commentFields);
    const comment = commentOf(state, call);
    if (!isAuthor(comment, call.caller) && !state.has('othersAreEdited')) throw new Refusal(403);
    if (call.caller.kind === 'user' && state.has('ownIsNotEdited')) throw new Refusal(403);
    needCommentRules(state, body);
    if (state.has('editNotKept'))
      return { status: 200, body: { ...shownComment(state, call, comment), ...body } };
    change(state, comment, state.has('editDropsTags') ? { tags: [], ...body } : body);
    comment.modifiedAt = Date.now();
    if (!state.has('deliversCreationsAlone'))
      announce(state, 'comment_updated', {
        comment: { ...flatComment(state, comment), parent: comment.parent },
      });
    return { status: 200, body: shownComment(state, call, comment) };
  },

  listComments(state, call) {
    const seen = state.comments.filter(
      ({ app }) =>
        !app.isTrashed &&
        (accessOf(state, app, call.caller) !== 'none' || state.has('commentOfNoneIsListed')),
    );
    return listComments(state, call, seen);
  },

  listAppComments(state, call) {
    const app = appOf(state, call);
    const all = state.has('commentsOfAllApps');
    return listComments(
      state,
      call,
      all ? state.comments : state.comments.filter((comment) => comment.app === app),
    );
  },

  trashComment(state, call) {
    const comment = commentOf(state, call);
    comment.isTrashed = true;
    return { status: 200, body: shownComment(state, call, comment) };
  },

  createPost(state, call) {
    if (state.has('noPostsAreMade')) throw new Refusal(404);
    const post = { id: state.nextId(), app: appOf(state, call) };
    state.posts.push(post);
    return { status: 201, body: { id: post.id } };
  },

  createFile(state, call) {
    if (state.has('noPostsAreMade')) throw new Refusal(404);
    const file = { id: state.nextId(), app: appOf(state, call) };
    state.files.push(file);
    return { status: 201, body: { id: file.id } };
  },

  createBlob(state) {
    const blob = { id: state.nextId() };
    state.blobs.push(blob);
    return { status: 201, body: blob };
  },
};
