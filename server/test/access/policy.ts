/**
 * Who may do what, as intended: one row for each operation, and a judge that knows nothing but these rows. It is
 * written apart from `server/src/access/`, so that an error there shows.
 */

/** What a caller can be in an app, from least to most. */
export const levels = ['none', 'read', 'write', 'moderate', 'manage'] as const;
export type Level = (typeof levels)[number];
/** The access of an app for those who are no members. */
export type Access = 'none' | 'read' | 'write';

/** The intent of one operation. */
export type Policy = {
  /**
   * The least level in the app; `author` is write on one's own content or moderate; `words` is write on one's own content
   * or an API key; `own` is read of one's own content or moderate; `credential` needs no app; `key` needs an API key.
   */
  readonly need: Exclude<Level, 'none'> | 'author' | 'words' | 'own' | 'credential' | 'key';
  readonly success: number;
  /** The answer to who may not see the app, and to who sees it but may not do this. */
  readonly hidden?: 404 | 403;
  readonly refused?: 404 | 403 | 401;
  /** Whether an app in the trash counts as there. */
  readonly inTrash?: 'gone' | 'there';
  /** Acts on what an API key has put in the trash, so that its author is refused. */
  readonly isModerated?: true;
  /** Acts on what others wrote, so that the author is refused. */
  readonly isForOthers?: true;
  /** Acts on the caller, so that an API key cannot do it. */
  readonly isForUsers?: true;
  /** The path contains a uid and never an id. */
  readonly takesUidOnly?: true;
  /** Anyone without a credential may ask too, and learns nothing about what they may not see. */
  readonly isForEveryone?: true;
  /** Each success changes something, also when it is repeated. */
  readonly alwaysChanges?: true;
};

const read = { need: 'read', success: 200, hidden: 404, inTrash: 'gone' } as const;
const write = {
  need: 'write',
  success: 201,
  hidden: 404,
  refused: 403,
  inTrash: 'gone',
  alwaysChanges: true,
} as const;
const manage = { need: 'manage', hidden: 404, refused: 403, inTrash: 'gone' } as const;
const self = { ...read, isForUsers: true } as const;
const keyRead = { need: 'key', success: 200, refused: 401 } as const;
const keyWrite = { need: 'key', refused: 403, alwaysChanges: true } as const;

/** The table. */
export const policies: { readonly [operation: string]: Policy } = {
  createApp: { need: 'credential', success: 201, alwaysChanges: true },
  getApp: read,
  updateApp: { ...manage, success: 200, alwaysChanges: true },
  upsertApp: {
    need: 'manage',
    success: 200,
    hidden: 403,
    refused: 403,
    inTrash: 'there',
    takesUidOnly: true,
    alwaysChanges: true,
  },
  listApps: { need: 'credential', success: 200 },
  addMember: { ...manage, success: 204 },
  addMembers: { ...manage, success: 204 },
  listMembers: read,
  removeMember: { ...manage, success: 204 },
  removeMembers: { ...manage, success: 204 },
  subscribeApp: self,
  unsubscribeApp: self,
  trashApp: { ...manage, success: 200, inTrash: 'there' },
  restoreApp: { ...manage, success: 200, inTrash: 'there' },
  createAppComment: write,
  createFileComment: write,
  createPostComment: write,
  getComment: read,
  updateComment: {
    need: 'words',
    success: 200,
    hidden: 404,
    refused: 403,
    inTrash: 'gone',
    alwaysChanges: true,
  },
  listComments: { need: 'credential', success: 200 },
  listAppComments: read,
  registerWebhook: { ...keyWrite, success: 201 },
  getWebhook: keyRead,
  updateWebhook: { ...keyWrite, success: 200 },
  listWebhooks: keyRead,
  listDeliveries: keyRead,
  deleteWebhook: { ...keyWrite, success: 204 },
};

/** What of a caller decides. `membership` is undefined for one who is no member. */
export type Standing = {
  readonly kind: 'nobody' | 'token' | 'key';
  /** Sends no credential at all. */
  readonly isVisitor?: true;
  readonly membership?: Access;
  readonly isCreator?: boolean;
  readonly isAuthor?: boolean;
  /** Has the role of a moderator as a member. */
  readonly isModerator?: boolean;
  /** Moderates the apps of the directory, or, without one, of the server. */
  readonly isModeratorOfAll?: boolean;
  readonly directory?: string;
};

/** What of an app decides. */
export type AppState = {
  readonly access: Access;
  readonly isTrashed: boolean;
  readonly directory?: string;
  /** Made as a page, so that its creator is a member like any other. */
  readonly isPage?: true;
};

/** What a caller is in an app. */
export function levelIn(caller: Standing, app: AppState): Level {
  const level = ownLevelIn(caller, app);
  if (caller.isModeratorOfAll !== true || level === 'none' || level === 'manage') return level;
  return caller.directory === undefined || caller.directory === app.directory ? 'moderate' : level;
}

function ownLevelIn(caller: Standing, app: AppState): Level {
  if (caller.kind === 'key') return 'manage';
  if (caller.membership === 'write' && caller.isCreator === true && app.isPage !== true) return 'manage';
  if (caller.membership === 'write' && caller.isModerator === true) return 'moderate';
  if (caller.membership !== undefined) return caller.membership;
  const isLetIn = app.directory === undefined || app.directory === caller.directory;
  return isLetIn ? app.access : 'none';
}

function reaches(level: Level, need: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(need);
}

/** The one status that this caller gets. */
export function expectedStatus(policy: Policy, caller: Standing, app: AppState, ref: 'id' | 'uid'): number {
  if (caller.kind === 'nobody')
    return policy.isForEveryone === true && caller.isVisitor === true ? policy.success : 401;
  if (policy.need === 'key') return caller.kind === 'key' ? policy.success : (policy.refused ?? 0);
  if (policy.isForUsers === true && caller.kind === 'key') return 401;
  if (policy.need === 'credential') return policy.success;
  if (policy.takesUidOnly === true && ref === 'id') return 422;
  const level = levelIn(caller, app);
  if (app.isTrashed && policy.inTrash === 'gone') return 404;
  if (level === 'none') return policy.hidden ?? 0;
  const isAllowed = reachesContent(policy, caller, level);
  const isAuthorBarred =
    policy.isForOthers === true || (policy.isModerated === true && caller.kind === 'token');
  const isBarred = isAuthorBarred && caller.isAuthor === true;
  return isAllowed && !isBarred ? policy.success : (policy.refused ?? 0);
}

function reachesContent({ need }: Policy, caller: Standing, level: Level): boolean {
  if (need === 'key' || need === 'credential') return false;
  if (need === 'own') return caller.isAuthor === true || reaches(level, 'moderate');
  if (need !== 'author' && need !== 'words') return reaches(level, need);
  if (caller.isAuthor === true && reaches(level, 'write')) return true;
  return need === 'author' ? reaches(level, 'moderate') : caller.kind === 'key';
}
