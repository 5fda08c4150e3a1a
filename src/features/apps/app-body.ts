import type { AppPatch, AppType } from '../../contract/apps.ts';
import type { Clearable } from '../../contract/operation.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { isContextual, readAppType } from './app-types.ts';

/** Fields of an app from a request body; an absent one stays unchanged and null clears one. */
export type AppFields = {
  uid?: string;
  access?: string;
  directory?: string | null;
  name?: string | null;
  description?: string | null;
  metadata?: string | null;
  tags?: string[];
  approval?: string | null;
  approvalCount?: number | null;
  visitors?: string | null;
};

/** The app that a body describes, for operations that may create it. */
export type RequestedApp = {
  readonly type: AppType;
  readonly fields: AppFields;
  /** Whether an absent app is created as a page. */
  readonly isPage?: boolean;
};

/** The readers of the fields of an update request. */
export const changeReaders = { tags: normaliseTags } as const;

/** The readers of the fields of a create request. */
export const appReaders = { type: readAppType, ...changeReaders } as const;

/** The app that a body describes, once its fields are read. */
export function requestedApp({ type, ...sent }: Clearable<AppPatch> & { type: AppType }): RequestedApp {
  return { type, fields: fieldsOf(sent) };
}

/** The fields that a body changes, once they are read. */
export function fieldsOf(sent: Clearable<AppPatch>): AppFields {
  return {
    ...(sent.uid === undefined || sent.uid === null ? {} : { uid: sent.uid }),
    ...(sent.access === undefined ? {} : { access: sent.access ?? 'none' }),
    ...(sent.directory === undefined ? {} : { directory: sent.directory }),
    ...(sent.name === undefined ? {} : { name: sent.name }),
    ...(sent.description === undefined ? {} : { description: sent.description }),
    ...(sent.metadata === undefined
      ? {}
      : { metadata: sent.metadata === null ? null : JSON.stringify(sent.metadata) }),
    ...(sent.tags === undefined ? {} : { tags: sent.tags ?? [] }),
    ...(sent.approval === undefined ? {} : { approval: sent.approval }),
    ...(sent.approval_count === undefined ? {} : { approvalCount: sent.approval_count }),
    ...(sent.visitors === undefined ? {} : { visitors: sent.visitors }),
  };
}

/**
 * Whether the body of a PUT can create a page: its type is contextual, and no other field has a value, except for the
 * uid of the path.
 */
export function requestsPage(
  uid: string,
  { type, ...others }: Clearable<AppPatch> & { type: AppType },
): boolean {
  const isBare = Object.entries(others).every(
    ([name, value]) => value === null || (name === 'uid' && value === uid),
  );
  return isBare && isContextual(type);
}
