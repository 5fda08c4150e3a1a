import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';

/**
 * Operations that are not drawn: one that does not end by itself, which a run tests at its end, and those that need a
 * place of backups or time.
 */
const undrawn = [
  ...[
    'streamEvents',
    'watchApp',
    'createBackup',
    'verifyBackup',
    'downloadBackup',
    'runDoctor',
    'fixWithDoctor',
  ],
];
/** Whether an operation may be sent, also where another method of a drawn path is tried. */
export const isDrawn = ({ id }: Operation): boolean => !undrawn.includes(id);
/** The operations that a run draws. */
const drawnOperations = operationList.filter(isDrawn);

/**
 * The operations that are sent and never succeed: visitors sign in by a solved puzzle or a code from a mailbox, and a ban
 * needs an address of the network, which no value is. Their refusals are compared.
 */
const refusedOperations: ReadonlySet<string> = new Set([
  ...['makePuzzle', 'signInAsGuest', 'signInByEmail', 'confirmCode', 'confirmLink', 'refuseMail'],
  ...['exchangeCode', 'renewSignIn', 'signOut', 'updateVisitor', 'addMailbox', 'confirmMailbox'],
  ...['createBan', 'deleteBan'],
]);

/** How often an operation is drawn; 4 by default. Operations that remove much are rare. */
const weights: { readonly [id: string]: number } = {
  createAppComment: 40,
  createPost: 24,
  createMessage: 30,
  createFile: 30,
  createConversation: 12,
  createPostComment: 20,
  createFileComment: 20,
  listComments: 8,
  listUsers: 8,
  listApps: 8,
  createBlob: 40,
  createApp: 8,
  upsertApp: 5,
  upsertUser: 6,
  createUser: 2,
  issueToken: 5,
  revokeTokens: 1,
  createKey: 6,
  deleteApp: 1,
  openConnection: 1,
  sendToConnection: 1,
  endConnection: 1,
  trashApp: 2,
  restoreApp: 5,
  trashUser: 1,
  restoreUser: 6,
  updateUser: 4,
  removeMember: 2,
  removeMembers: 1,
  deleteDirectory: 1,
  deleteWebhook: 1,
  pingWebhook: 6,
  registerWebhook: 4,
  updateFile: 12,
  listDeliveries: 14,
  addMember: 12,
  listNotifications: 8,
  listEvents: 8,
};
/** Every operation that is drawn, as many times as its weight. */
export const weighted: readonly Operation[] = drawnOperations.flatMap((operation) =>
  Array<Operation>(weights[operation.id] ?? 4).fill(operation),
);

/** Operations that remove much or cannot succeed here: drawn only as often as their weight. */
const rare =
  /^(?:deleteApp|trashApp|trashUser|revokeTokens|deleteDirectory|deleteFile|deleteWebhook|removeMember|updateUser|(?:open|sendTo|end)Connection)$/;
/** The operations that a run makes succeed occasionally. */
export const needed: readonly Operation[] = drawnOperations.filter(
  ({ id }) => !rare.test(id) && !refusedOperations.has(id),
);
