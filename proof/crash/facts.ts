import type { Body } from 'confab-testing/harness/client.ts';
import type { Facts, Kind } from 'confab-testing/harness/model.ts';

/** The properties of these names. */
const named = (body: Body, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, body[name]]));

const entry = (body: Body): Facts => ({
  ...named(body, 'app_id parent text attachment_count option_count metadata tags is_trashed'),
  options: each(body['options'], 'text'),
  votes: each(body['options'], 'vote_count'),
  reactions: each(body['reactions'], 'content'),
  attachments: each(body['attachments'], 'name'),
});

/** The tracked fields of each kind. */
export const factsOf: { readonly [K in Kind]: (body: Body) => Facts } = {
  app(body) {
    const members = body['members'] as { data: Body[]; count: number } | undefined;
    return {
      ...named(body, 'uid type access name description metadata tags is_trashed'),
      members: Object.fromEntries((members?.data ?? []).map(({ uid, access }) => [uid, access])),
      member_count: members?.count,
    };
  },
  comment: entry,
  post: entry,
  file: (body) => named(body, 'app_id name size version metadata tags is_trashed'),
  blob: (body) => named(body, 'name size'),
  webhook: (body) => ({
    ...named(body, 'payload_url is_enabled'),
    triggers: [...(body['triggers'] as string[])].sort(),
  }),
};

function each(items: unknown, name: string): unknown[] {
  return ((items ?? []) as Body[]).map((item) => item[name]);
}

/** The path at which an object of each kind is read. */
export const pathOf: { readonly [K in Kind]: (id: number) => string } = {
  app: (id) => `/api/apps/${id}?trashed=true`,
  comment: (id) => `/api/comments/${id}?trashed=true`,
  post: (id) => `/api/posts/${id}?trashed=true`,
  file: (id) => `/api/files/${id}?trashed=true`,
  blob: (id) => `/api/blobs/${id}`,
  webhook: (id) => `/api/webhooks/${id}`,
};
