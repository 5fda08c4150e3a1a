import type { Clearable } from 'confab-contract/operation.ts';
import { invalidField, notFound, type Problem } from 'confab-contract/problem.ts';
import type { AgentPut } from 'confab-contract/second-form/agents.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { readList } from '../../db/list.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope, type ListQuery, type PageAnswer } from '../../kernel/page.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { keyIdOf, type SecretBox } from '../../kernel/secret-box.ts';
import type { EgressRules } from '../../net/rules.ts';
import { checkTarget } from '../../net/target.ts';
import { renderUserFor } from '../users/user-json.ts';
import { recordUser, type UserWrite } from '../users/user-record.ts';
import { findUsers, type UserParts, userDetail } from '../users/users.ts';
import { sealFor } from '../webhooks/secrets/secrets.ts';
import {
  type AgentRow,
  agentList,
  agentsByIds,
  agentsWithSecrets,
  putAgent,
  removeAgent,
} from './agents.store.ts';

/**
 * An agent is a user who is a program. It answers by itself, with an access token of its own, or the server has a
 * provider answer for it: an address that speaks the protocol of OpenAI for chat completions.
 */

export type { AgentRow } from './agents.store.ts';

/** The parts of the server that agents need. `agents` is undefined where agents of a provider are off. */
export type AgentParts = UserParts & {
  readonly agents: { readonly rules: EgressRules } | undefined;
  readonly box: SecretBox;
};

/** Where the answers of an agent come from, as a request changes it: an absent field stays, null clears it. */
export type AgentChange = Pick<
  Clearable<AgentPut>,
  'base_url' | 'model' | 'instructions' | 'max_tokens' | 'secret'
>;

/** What the secret of an agent is sealed for. */
export function secretOwner(userId: number): string {
  return `agent ${userId}`;
}

/** Splits the body of an agent into what is stored of the agent and the rest, which is of its user. */
export function splitBody<B extends AgentChange>(body: B) {
  const { base_url, model, instructions, max_tokens, secret, ...profile } = body;
  return { change: { base_url, model, instructions, max_tokens, secret } as AgentChange, profile };
}

/** The readers of the fields of an agent; they throw `validation_failed`. */
export function agentReaders({ agents }: AgentParts) {
  return {
    base_url(input: string): string {
      if (agents === undefined)
        throw invalidField('/base_url', 'off', 'needs the setting CONFAB_AGENTS=yes of this server');
      const address = input.replace(/\/+$/, '');
      const verdict = checkTarget(address, agents.rules);
      if (!verdict.ok) throw invalidField('/base_url', verdict.code, verdict.message);
      if (verdict.url.search !== '')
        throw invalidField('/base_url', 'invalid', 'must have no query, because a path is added to it');
      return address;
    },
  } as const;
}

/** Where the answers of a user come from; undefined for one who is no agent. */
export async function findAgent(read: Read, userId: number): Promise<AgentRow | undefined> {
  const [row] = await read.all(agentsByIds, { ids: [userId] });
  return row;
}

/** The agent of a user; throws `not_found`. */
export async function getAgentRow(read: Read, user: User): Promise<AgentRow> {
  const row = await findAgent(read, user.id);
  if (row === undefined) throw notFound('agent');
  return row;
}

/** Whether both addresses are on one host, so that the key of one belongs to the other. */
function isSameHost(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && URL.parse(a)?.origin === URL.parse(b)?.origin;
}

/**
 * Writes where the answers of a user come from, with an event about the user if that is a change, and returns it. Throws
 * `validation_failed`.
 */
export async function writeAgent(
  write: UserWrite,
  user: User,
  { change, box }: { readonly change: AgentChange; readonly box: SecretBox },
): Promise<AgentRow> {
  const { tx } = write;
  const before = await findAgent(tx, user.id);
  const next = <T>(sent: T | undefined, known: T | undefined): T | null =>
    sent === undefined ? (known ?? null) : sent;
  const baseUrl = next(change.base_url, before?.baseUrl);
  const row = {
    id: user.id,
    baseUrl,
    model: next(change.model, before?.model),
    instructions: next(change.instructions, before?.instructions),
    maxTokens: next(change.max_tokens, before?.maxTokens),
    secret: await secretOf(tx, user, { change, box, kept: keptSecret(before, baseUrl) }),
  };
  if (baseUrl !== null && row.model === null)
    throw invalidField('/model', 'required', 'is needed beside base_url');
  if (baseUrl === null && row.secret !== null) throw needsAddress();
  if (JSON.stringify(row) === JSON.stringify(before)) return row;
  await tx.run(putAgent, row);
  await recordUser(write, 'user_updated', user);
  return row;
}

/** The stored secret that stays without another one in the request: it is not sent to another host. */
function keptSecret(before: AgentRow | undefined, baseUrl: string | null): string | null {
  return before !== undefined && isSameHost(before.baseUrl, baseUrl) ? before.secret : null;
}

function needsAddress(): Problem {
  return invalidField('/secret', 'required', 'needs a base_url, to which it belongs');
}

async function secretOf(
  tx: Tx,
  { id }: User,
  {
    change: { secret },
    box,
    kept,
  }: { readonly change: AgentChange; readonly box: SecretBox; readonly kept: string | null },
): Promise<string | null> {
  if (secret === undefined) return kept;
  return secret === null ? null : await sealFor(tx, box, { owner: secretOwner(id), secret });
}

/** The rest of the JSON of an agent, beside that of its user, which says in the second form that it is one. */
function rest({ baseUrl, model, instructions, maxTokens, secret }: AgentRow, { form }: Shown): string {
  const text = (name: string, value: string | null) =>
    value === null ? '' : `,"${name}":${jsonString(value)}`;
  return (
    `${form === undefined ? ',"is_agent":true' : ''}${text('base_url', baseUrl)}${text('model', model)}` +
    `${text('instructions', instructions)}${maxTokens === null ? '' : `,"max_tokens":${maxTokens}`}` +
    `,"has_secret":${secret !== null}}`
  );
}

type Shown = Pick<Principal, 'form'>;
type Reader = Parameters<typeof userDetail>[0];

/** An agent in full. */
export async function agentDetail(
  reader: Reader,
  { user, row, parts }: { readonly user: User; readonly row: AgentRow; readonly parts: UserParts },
): Promise<Json> {
  return json((await userDetail(reader, user, parts)).slice(0, -1) + rest(row, reader.caller));
}

/** An agent in a list. */
function renderAgent(caller: Principal, user: User, row: AgentRow): Json {
  return json(renderUserFor(caller, user).slice(0, -1) + rest(row, caller));
}

/** A page of the agents of the server. */
export async function agentPage({
  read,
  caller,
  list,
}: {
  readonly read: Read;
  readonly caller: Principal;
  readonly list: ListQuery;
}): Promise<PageAnswer> {
  // Agents are found by their users, so a search here matches none, as tags and the trash do.
  if (list.trashed === true || list.tag !== undefined || list.q !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, agentList, { list, settings: {}, parameters: {} });
  const users = await findUsers(
    read,
    rows.map(({ id }) => id),
  );
  const items = rows.flatMap((row) => {
    const user = users.get(row.id);
    return user === undefined ? [] : [renderAgent(caller, user, row)];
  });
  return envelope(list, { items, count, next });
}

/** Forgets where the answers of a user come from. Throws `not_found` for a user who is no agent. */
export async function forgetAgent(tx: Tx, user: User): Promise<void> {
  await getAgentRow(tx, user);
  await tx.run(removeAgent, { id: user.id });
}

/** Seals the keys of all agents with the first key of a box, unless they are; returns how many it sealed. */
export async function sealAgents(db: Db, box: SecretBox): Promise<number> {
  return await db.write(async (tx) => {
    let sealed = 0;
    for (const row of await tx.all(agentsWithSecrets, {})) {
      if (row.secret === null || keyIdOf(row.secret) === box.keyIds[0]) continue;
      const owner = secretOwner(row.id);
      await tx.run(putAgent, { ...row, secret: box.seal(box.open(row.secret, owner), owner) });
      sealed += 1;
    }
    return sealed;
  });
}
