import assert from 'node:assert/strict';
import type { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { secondFormOperations } from 'confab-contract/second-form/operations.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import type { Answer, TestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { expectedStatus, type Policy } from './policy.ts';
import type { Place } from './world.ts';

/** The scopes of API keys. */
export const scopes = ['read', 'apps', 'users', 'webhooks', 'moderate'] as const;
export type Scope = (typeof scopes)[number];

/** What needs a key without limits. */
export const whole: readonly string[] = [
  'createKey',
  'rotateKey',
  'revokeKey',
  'createBackup',
  'verifyBackup',
  'downloadBackup',
  'runDoctor',
  'fixWithDoctor',
  'updateSite',
];

type Id = keyof typeof operations | keyof typeof secondFormOperations;

/** What a key may do with each scope besides reading, written apart from the contract, so that an error there shows. */
export const intended: { readonly [S in Exclude<Scope, 'read'>]: readonly Id[] } = {
  apps: [
    ...(['createApp', 'updateApp', 'upsertApp', 'initApp', 'deleteApp', 'trashApp', 'restoreApp'] as const),
    ...(['createAppInSecondForm', 'updateAppInSecondForm', 'upsertAppInSecondForm'] as const),
    ...(['putMembers', 'addMemberInSecondForm'] as const),
    ...(['addMember', 'addMembers', 'removeMember', 'removeMembers'] as const),
    ...([
      'createAppComment',
      'createFileComment',
      'createPostComment',
      'createPost',
      'createMessage',
      'createMessageToAgent',
    ] as const),
    ...([
      'createBlob',
      'createExternalBlob',
      'createFile',
      'createEmbed',
      'createEmbedInSecondForm',
      'createNotification',
      'embedAddress',
      'createMeeting',
      'voteOption',
    ] as const),
    ...(['resolveComment', 'reopenComment'] as const),
    ...(['reportComment', 'reportPost', 'reportMessage', 'reportFile'] as const),
    ...(['createImportBlob', 'createImport', 'runImport', 'stopImport', 'undoImport'] as const),
  ],
  users: [
    ...([
      'createUser',
      'updateUser',
      'moderateUser',
      'upsertUser',
      'trashUser',
      'restoreUser',
      'initApp',
      'eraseUser',
    ] as const),
    ...(['upsertAgent', 'updateAgent', 'deleteAgent'] as const),
    ...(['issueToken', 'revokeTokens', 'createDirectory', 'updateDirectory', 'deleteDirectory'] as const),
    ...(['deleteNotification', 'markNotification', 'unmarkNotification'] as const),
    ...(['createImportBlob', 'createImport', 'runImport', 'stopImport', 'undoImport'] as const),
  ],
  webhooks: [
    ...(['registerWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'] as const),
    ...(['pingWebhook', 'redeliver', 'redeliverMany'] as const),
  ],
  moderate: [
    'eraseUser',
    'undoImport',
    ...([
      'updateComment',
      'trashComment',
      'restoreComment',
      'deleteComment',
      'holdComment',
      'approveComment',
    ] as const),
    ...(['updatePost', 'trashPost', 'restorePost', 'deletePost', 'holdPost', 'approvePost'] as const),
    ...([
      'updateMessage',
      'trashMessage',
      'restoreMessage',
      'deleteMessage',
      'holdMessage',
      'approveMessage',
    ] as const),
    ...(['updateFile', 'trashFile', 'restoreFile', 'deleteFile', 'holdFile', 'approveFile'] as const),
    ...(['lockApp', 'unlockApp', 'lockPost', 'unlockPost', 'lockFile', 'unlockFile'] as const),
    ...(['deleteFileVersion', 'restoreFileVersion', 'deleteReaction', 'resolveReport'] as const),
    ...(['replaceModerationRules', 'testModerationRules', 'createBan', 'deleteBan'] as const),
  ],
};

/** The GET that makes something as well. */
export const makingGet = 'embedAddress';

/** The scopes that a key needs for an operation, all of them. */
export function scopesFor({ id, method }: Pick<Operation, 'id' | 'method'>): readonly (Scope | 'all')[] {
  if (whole.includes(id)) return ['all'];
  if (method === 'GET' && id !== makingGet) return ['read'];
  return scopes.filter((scope) => scope !== 'read' && (intended[scope] as readonly string[]).includes(id));
}

/**
 * The scopes that are tried on the engine of this run, as `cellsOfEngine` of `cells.ts` says it of callers: all on SQLite,
 * and on PostgreSQL the first that lacks something for the operation and the first that does not.
 */
export function scopesOfEngine(operation: Pick<Operation, 'id' | 'method'>): readonly Scope[] {
  if (engine === 'sqlite') return scopes;
  const needed = scopesFor(operation);
  const fits = (scope: Scope) => needed.every((one) => one === scope);
  return [scopes.find((scope) => !fits(scope)), scopes.find(fits)].filter((scope) => scope !== undefined);
}

/** Creates a key of each scope. */
export async function makeScopedKeys(server: TestServer): Promise<{ readonly [S in Scope]: string }> {
  const make = async (scope: Scope) => [scope, await server.running.keys.create(scope, { scopes: [scope] })];
  return Object.fromEntries(await Promise.all(scopes.map(make)));
}

/**
 * Fails unless a key with one scope gets what a key with every scope gets, or 403 if the operation needs another scope.
 */
export function assertScoped(
  answer: Answer,
  operation: Pick<Operation, 'id' | 'method'>,
  { scope, policy, place }: { scope: Scope; policy: Policy; place: Place },
): void {
  const isMissing = policy.isForUsers !== true && scopesFor(operation).some((one) => one !== scope);
  const ref = policy.takesUidOnly === true ? 'uid' : 'id';
  if (isMissing) assertProblem(answer, 403, 'scope_missing');
  else
    assert.equal(
      answer.status,
      expectedStatus(policy, { kind: 'key' }, place, ref),
      `${scope}: ${answer.text}`,
    );
}
