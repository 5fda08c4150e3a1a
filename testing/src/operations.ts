/**
 * The operations that the interface specifies, each with every status it may answer: the yardstick for the contract
 * and for what a test run has observed. It is written down apart from contract/src/, so that a mistake there shows.
 */

/** One operation of the specification. */
export type SpecifiedOperation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly success: readonly number[];
  readonly errors: readonly number[];
  /** Which credentials it is used with. */
  readonly auth: readonly ('token' | 'key')[];
};

const either = ['token', 'key'] as const;
const token = ['token'] as const;
const key = ['key'] as const;

export const specifiedOperations: readonly SpecifiedOperation[] = [
  {
    id: 'createApp',
    method: 'POST',
    path: '/api/apps',
    success: [201],
    errors: [400, 401, 403, 422],
    auth: either,
  },
  { id: 'getApp', method: 'GET', path: '/api/apps/{app}', success: [200], errors: [401, 404], auth: either },
  {
    id: 'updateApp',
    method: 'PATCH',
    path: '/api/apps/{app}',
    success: [200],
    errors: [400, 401, 403, 404, 422],
    auth: either,
  },
  {
    id: 'upsertApp',
    method: 'PUT',
    path: '/api/apps/{uid}',
    success: [200, 201],
    errors: [400, 401, 403, 422],
    auth: either,
  },
  { id: 'listApps', method: 'GET', path: '/api/apps', success: [200], errors: [401], auth: either },
  {
    id: 'addMember',
    method: 'PUT',
    path: '/api/apps/{app}/members/{user}',
    success: [204],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'addMembers',
    method: 'POST',
    path: '/api/apps/{app}/members',
    success: [204],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'listMembers',
    method: 'GET',
    path: '/api/apps/{app}/members',
    success: [200],
    errors: [401, 404],
    auth: either,
  },
  {
    id: 'removeMember',
    method: 'DELETE',
    path: '/api/apps/{app}/members/{user}',
    success: [204],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'removeMembers',
    method: 'DELETE',
    path: '/api/apps/{app}/members',
    success: [204],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'subscribeApp',
    method: 'POST',
    path: '/api/apps/{app}/subscribe',
    success: [200],
    errors: [401, 404],
    auth: token,
  },
  {
    id: 'unsubscribeApp',
    method: 'POST',
    path: '/api/apps/{app}/unsubscribe',
    success: [200],
    errors: [401, 404],
    auth: token,
  },
  {
    id: 'trashApp',
    method: 'POST',
    path: '/api/apps/{app}/trash',
    success: [200],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'restoreApp',
    method: 'POST',
    path: '/api/apps/{app}/restore',
    success: [200],
    errors: [400, 401, 403, 404],
    auth: either,
  },
  {
    id: 'createAppComment',
    method: 'POST',
    path: '/api/apps/{app}/comments',
    success: [201],
    errors: [400, 401, 403, 404, 422],
    auth: either,
  },
  {
    id: 'createFileComment',
    method: 'POST',
    path: '/api/files/{id}/comments',
    success: [201],
    errors: [400, 401, 403, 404, 422],
    auth: either,
  },
  {
    id: 'createPostComment',
    method: 'POST',
    path: '/api/posts/{id}/comments',
    success: [201],
    errors: [400, 401, 403, 404, 422],
    auth: either,
  },
  {
    id: 'getComment',
    method: 'GET',
    path: '/api/comments/{id}',
    success: [200],
    errors: [401, 404],
    auth: either,
  },
  {
    id: 'updateComment',
    method: 'PATCH',
    path: '/api/comments/{id}',
    success: [200],
    errors: [400, 401, 403, 404, 422],
    auth: either,
  },
  { id: 'listComments', method: 'GET', path: '/api/comments', success: [200], errors: [401], auth: either },
  {
    id: 'listAppComments',
    method: 'GET',
    path: '/api/apps/{app}/comments',
    success: [200],
    errors: [401, 404],
    auth: either,
  },
  {
    id: 'registerWebhook',
    method: 'POST',
    path: '/api/webhooks',
    success: [201],
    errors: [400, 401, 403, 422],
    auth: key,
  },
  {
    id: 'getWebhook',
    method: 'GET',
    path: '/api/webhooks/{id}',
    success: [200],
    errors: [401, 404],
    auth: key,
  },
  {
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    success: [200],
    errors: [400, 401, 403, 404, 422],
    auth: key,
  },
  { id: 'listWebhooks', method: 'GET', path: '/api/webhooks', success: [200], errors: [401], auth: key },
  {
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    success: [200],
    errors: [401, 404],
    auth: key,
  },
  {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    success: [204],
    errors: [400, 401, 403, 404],
    auth: key,
  },
];

/** Every pair `<operationId> <status>`. */
export const specifiedPairs: readonly string[] = specifiedOperations.flatMap(({ id, success, errors }) =>
  [...success, ...errors].map((status) => `${id} ${status}`),
);
