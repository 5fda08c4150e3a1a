import type { AppType } from 'confab-contract/apps.ts';
import { conversationOperations } from 'confab-contract/conversations.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { levelOf } from '../../access/standing.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { searchExpression } from '../../db/dialect.ts';
import { readList } from '../../db/list.ts';
import { envelope, type PageAnswer } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { chatTypes, findAppType, typesByContext } from '../apps/app-types.ts';
import { readerOf, renderConversations, type ViewParts } from './conversation-view.ts';
import { conversationList } from './conversations.store.ts';

/** The conversations that the caller is a member of. */
export const listConversations = handler(
  conversationOperations.listConversations,
  async (call, parts: ViewParts) => await conversationPage(call, parts),
);

type ConversationPage = Pick<
  Call<typeof conversationOperations.listConversations>,
  'read' | 'caller' | 'list' | 'query' | 'raw'
>;

/** A page of the conversations that the caller is a member of. */
export async function conversationPage(call: ConversationPage, parts: ViewParts): Promise<PageAnswer> {
  const { read, caller, list, query } = call;
  const questions = questionsOf(list.q);
  const member = query.member === undefined ? undefined : parseRef(query.member);
  const { rows, count, next } = await readList(read, conversationList, {
    list,
    settings: {
      trashed: list.trashed,
      unread: query.unread ?? null,
      hasTag: list.tag !== undefined,
      hasMember: query.member !== undefined,
      terms: questions.length,
    },
    parameters: {
      userId: caller.user.id,
      types: typesOf(query),
      tag: list.tag ?? '',
      memberId: member !== undefined && 'id' in member ? member.id : 0,
      memberUid: member !== undefined && 'uid' in member ? member.uid : '',
      ...Object.fromEntries(questions.map((question, index) => [`question${index}`, question])),
    },
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  const conversations = rows.map((row) => ({ ...row, level: levelOf(caller, row) }));
  const items = await renderConversations(readerOf(call, parts), conversations, list.expand);
  return envelope(list, { items, count, next });
}

/**
 * One search expression for each term of `q`, because each term may match another name. A query without any term
 * becomes one expression that matches nothing.
 */
function questionsOf(q: string | undefined): string[][] {
  const terms = parseQuestion(q);
  if (terms === undefined) return [];
  return terms.length === 0 ? [searchExpression([])] : terms.map((term) => searchExpression([term]));
}

/** The types that a list is limited to; a type that is unknown or not a conversation matches nothing. */
function typesOf(query: { type?: string[]; contextual?: boolean | null }): string[] {
  const { contextual } = query;
  const byContext: readonly string[] =
    contextual === undefined || contextual === null ? chatTypes : typesByContext(contextual);
  const byName = query.type?.map((text) => findAppType(text) ?? 'unknown');
  return chatTypes.filter((type) => byContext.includes(type) && (byName?.includes(type as AppType) ?? true));
}
