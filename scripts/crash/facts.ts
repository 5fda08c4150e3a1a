import type { Body } from '../harness/client.ts';
import type { Facts, Kind } from '../harness/model.ts';

const entry = (body: Body): Facts => ({
  app_id: body.app_id,
  parent: body.parent,
  text: body.text,
  options: names(body.options, 'text'),
  votes: names(body.options, 'vote_count'),
  reactions: names(body.reactions, 'content'),
  attachments: names(body.attachments, 'name'),
  attachment_count: body.attachment_count,
  option_count: body.option_count,
  metadata: body.metadata,
  tags: body.tags,
  is_trashed: body.is_trashed,
});

/** What of the representation of each kind is followed. */
export const factsOf: { readonly [K in Kind]: (body: Body) => Facts } = {
  app: (body) => ({
    uid: body.uid,
    type: body.type,
    access: body.access,
    name: body.name,
    description: body.description,
    metadata: body.metadata,
    tags: body.tags,
    is_trashed: body.is_trashed,
    members: Object.fromEntries(
      ((body.members as { data: Body[] } | undefined)?.data ?? []).map((member) => [
        member.uid,
        member.access,
      ]),
    ),
    member_count: (body.members as { count: number } | undefined)?.count,
  }),
  comment: entry,
  post: entry,
  file: (body) => ({
    app_id: body.app_id,
    name: body.name,
    size: body.size,
    version: body.version,
    metadata: body.metadata,
    tags: body.tags,
    is_trashed: body.is_trashed,
  }),
  blob: (body) => ({ name: body.name, size: body.size }),
  webhook: (body) => ({
    payload_url: body.payload_url,
    triggers: [...(body.triggers as string[])].sort(),
    is_enabled: body.is_enabled,
  }),
};

function names(items: unknown, name: string): unknown[] {
  return ((items ?? []) as Body[]).map((item) => item[name]);
}

/** Where an object of each kind is read. */
export const pathOf: { readonly [K in Kind]: (id: number) => string } = {
  app: (id) => `/api/apps/${id}?trashed=true`,
  comment: (id) => `/api/comments/${id}?trashed=true`,
  post: (id) => `/api/posts/${id}?trashed=true`,
  file: (id) => `/api/files/${id}?trashed=true`,
  blob: (id) => `/api/blobs/${id}`,
  webhook: (id) => `/api/webhooks/${id}`,
};
