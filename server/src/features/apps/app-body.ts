import type { AppPatch, AppType } from 'confab-contract/apps.ts';
import type { Clearable } from 'confab-contract/operation.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { isContextual, readAppType } from './app-types.ts';

/** The stored columns of a picture. */
export type Picture = { readonly pictureId: number | null; readonly pictureUrl: string | null };

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
  resolving?: string | null;
  reopening?: string | null;
  picture?: Picture;
};

/** The app that a body describes, for operations that may create it. */
export type RequestedApp = {
  readonly type: AppType;
  readonly fields: AppFields;
  /** The title of the web page, for the name of an app that is created. */
  readonly pageTitle?: string | undefined;
  /** Whether an absent app is created as a page. */
  readonly isPage?: boolean;
};

/** The readers of the fields of an update request. */
export const changeReaders = { tags: normaliseTags } as const;

/** The readers of the fields of a create request. */
export const appReaders = { type: readAppType, ...changeReaders } as const;

/** The app that a body describes, once its fields are read. */
export function requestedApp({ type, ...input }: Clearable<AppPatch> & { type: AppType }): RequestedApp {
  return { type, fields: fieldsOf(input) };
}

/** The fields that a body changes, once they are read. */
export function fieldsOf(input: Clearable<AppPatch>): AppFields {
  return {
    ...(input.uid === undefined || input.uid === null ? {} : { uid: input.uid }),
    ...(input.access === undefined ? {} : { access: input.access ?? 'none' }),
    ...(input.directory === undefined ? {} : { directory: input.directory }),
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.metadata === undefined
      ? {}
      : { metadata: input.metadata === null ? null : JSON.stringify(input.metadata) }),
    ...(input.tags === undefined ? {} : { tags: input.tags ?? [] }),
    ...(input.approval === undefined ? {} : { approval: input.approval }),
    ...(input.approval_count === undefined ? {} : { approvalCount: input.approval_count }),
    ...(input.visitors === undefined ? {} : { visitors: input.visitors }),
    ...(input.resolving === undefined ? {} : { resolving: input.resolving }),
    ...(input.reopening === undefined ? {} : { reopening: input.reopening }),
  };
}

// What elements of newer clients can be given besides the uid.
const elementFields: ReadonlySet<string> = new Set(['name', 'directory']);

/**
 * Whether the body of a PUT can create a page: its type is contextual, and no other field has a value, except for the
 * title of the page, the uid of the path and, from newer clients, what their elements can be given.
 */
export function requestsPage(
  { uid, isNewer }: { readonly uid: string; readonly isNewer: boolean },
  { type, ...others }: Clearable<AppPatch> & { type: AppType },
): boolean {
  const isBare = Object.entries(others).every(
    ([name, value]) =>
      value === null ||
      name === 'page_title' ||
      (isNewer && elementFields.has(name)) ||
      (name === 'uid' && value === uid),
  );
  return isBare && isContextual(type);
}
