import type { EmbedCreate } from '../../contract/embeds.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound, Problem } from '../../kernel/problem.ts';
import { inertAddress } from '../../kernel/web-address.ts';
import { type OnRefused, urlRefusal } from '../../net/refusals.ts';
import type { EgressRules } from '../../net/rules.ts';
import { checkTarget } from '../../net/target.ts';
import { actorOf } from '../users/user-json.ts';
import type { EmbedFetch } from './embed-fetch.ts';
import { type EmbedRow, embedById, embedsByIds, insertEmbed, latestFetch, ownEmbed } from './embeds.store.ts';

/** For how long what was fetched is used again, for everybody: pages seldom change what they say about themselves. */
const reuseMs = 24 * 3_600_000;

function renderEmbed(embed: EmbedRow): Json {
  return json(
    `{"id":${embed.id},"created_at":"${timestamp(embed.createdAt)}","created_by_id":${embed.createdById},` +
      // Rows of 0.1.0 have the address as it was typed.
      `"original_url":${jsonString(inertAddress(embed.originalUrl))},${embed.content.slice(1)}`,
  );
}

/** The embeds with these ids, rendered, by id. One statement for any number of them, none for none. */
export async function renderedEmbeds(read: Read, ids: readonly number[]): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(embedsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderEmbed(row)]));
}

/** Whether the caller may put the embed into something: their own, or any with an API key. */
export async function mayUseEmbed(read: Read | Tx, principal: Principal, id: number): Promise<boolean> {
  const embed = await read.get(embedById, { id });
  return embed !== undefined && isOwn(principal, embed);
}

function isOwn(principal: Principal, embed: EmbedRow): boolean {
  return principal.kind === 'key' || embed.createdById === principal.user.id;
}

/** The same words for every reason, because a reason would tell what is behind an address inside. */
function nothingThere(): Problem {
  return new Problem('embed_failed', 'Nothing that could be shown was found at this address.');
}

type Fetched = { readonly content: string; readonly fetchedAt: number };

/** What the embeds feature does; see the operations of the same names. */
export type Embeds = ReturnType<typeof createEmbeds>;

/** The embeds feature: what pages on the web say about themselves, for comments that link to them. */
export function createEmbeds({
  db,
  clock,
  rules,
  onRefused,
  fetchEmbed,
}: {
  db: Db;
  clock: Clock;
  rules: EgressRules;
  onRefused: OnRefused;
  fetchEmbed: EmbedFetch;
}) {
  /** The address as it is fetched; undefined when it is one that nobody may be sent to. Throws `validation_failed`. */
  function readAddress(sent: string): { original: string; url: URL | undefined } {
    const typed = sent.trim();
    const original = inertAddress(typed);
    const address = typed.replace(/#.*$/s, '');
    const target = checkTarget(address, rules);
    if (target.ok) return { original, url: target.url };
    const refusal = urlRefusal(address, target.code);
    if (refusal !== undefined) {
      onRefused(refusal);
      return { original, url: undefined };
    }
    const message = 'must be an absolute http or https address without user name, space or control character';
    throw invalidField('/url', target.code, message);
  }

  // By address, from the look into the store until what was fetched is in it, so that nobody fetches in between.
  const underWay = new Map<string, Promise<Fetched>>();

  async function contentOf(url: URL, userId: number): Promise<Fetched> {
    const known = await db.read.get(latestFetch, { url: url.href, since: clock.now() - reuseMs });
    if (known !== undefined) return known;
    const content = await fetchEmbed(url, userId);
    if (content === undefined) throw nothingThere();
    return { content: JSON.stringify(content), fetchedAt: clock.now() };
  }

  async function keep(
    principal: Principal,
    { url, originalUrl }: { url: string; originalUrl: string },
    { content, fetchedAt }: Fetched,
  ): Promise<Json> {
    const userId = principal.user.id;
    return await db.write(async (tx) => {
      const at = clock.now();
      const own = await tx.get(ownEmbed, { url, originalUrl, userId, since: at - reuseMs });
      if (own !== undefined) return renderEmbed(own);
      const row = { url, originalUrl, content, createdAt: at, createdById: userId };
      const id = await tx.insert(insertEmbed, { ...row, fetchedAt });
      const embed = renderEmbed({ ...row, id });
      await append(tx, {
        action: 'embed_created',
        actor: actorOf(principal.user),
        appId: null,
        userId,
        entity: { id, json: embed },
        at,
      });
      return embed;
    });
  }

  return {
    async createEmbed(principal: Principal, input: Input<EmbedCreate>): Promise<Json> {
      const { original, url } = input.read({ url: readAddress }).valid().url;
      if (url === undefined) throw nothingThere();
      const shared = underWay.get(url.href);
      const fetching = shared ?? contentOf(url, principal.user.id);
      if (shared === undefined) underWay.set(url.href, fetching);
      try {
        return await keep(principal, { url: url.href, originalUrl: original }, await fetching);
      } finally {
        if (shared === undefined) underWay.delete(url.href);
      }
    },

    /** The embeds of others are seen where they are used, by those who see that. */
    async getEmbed(principal: Principal, id: number): Promise<Json> {
      const embed = await db.read.get(embedById, { id });
      if (embed === undefined || !isOwn(principal, embed)) throw notFound('embed');
      return renderEmbed(embed);
    },
  };
}
