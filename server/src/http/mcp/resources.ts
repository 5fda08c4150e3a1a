import type { Arguments, ToolResult } from './call.ts';
import { oneLine } from './show.ts';

/** Apps and their threads as resources of the Model Context Protocol. */

/** Calls a tool by its name. */
type Ask = (tool: string, values: Arguments) => Promise<ToolResult>;

const mimeType = 'text/markdown';

/** The patterns of the addresses of resources (RFC 6570). */
export const templates = [
  {
    uriTemplate: 'confab://apps/{uid}',
    name: 'app',
    description: 'An app by its uid or id.',
    mimeType,
  },
  {
    uriTemplate: 'confab://apps/{uid}/comments',
    name: 'comments',
    description: 'The first threads of an app, each with its first answers.',
    mimeType,
  },
] as const;

/** The most apps that are listed as resources; the tool `listApps` finds the others. */
const appsMax = 50;

/** Lists the first apps that the caller sees. A caller who may list none gets an empty list. */
export async function listResources(ask: Ask): Promise<{ uri: string; name: string; mimeType: string }[]> {
  const { value } = await ask('listApps', { top: appsMax });
  const { data = [] } = (value ?? {}) as { data?: { id: number; uid?: string; name?: string }[] };
  return data.map(({ id, uid, name }) => ({
    uri: `confab://apps/${encodeURIComponent(uid ?? id)}`,
    name: oneLine(name ?? '') || oneLine(uid ?? '') || String(id),
    mimeType,
  }));
}

/** The text of a resource; undefined where its address means nothing, or nothing that the caller may read. */
export async function readResource(ask: Ask, uri: string): Promise<string | undefined> {
  const match = /^confab:\/\/apps\/([^/?#]+)(\/comments)?$/.exec(uri);
  const app = match === null ? undefined : decoded(match[1] ?? '');
  if (match === null || app === undefined) return undefined;
  const { text, isRefused } =
    match[2] === undefined
      ? await ask('getApp', { app })
      : await ask('listAppComments', { app, thread: 'roots' });
  return isRefused ? undefined : text;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
