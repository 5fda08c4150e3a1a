import type { AppType } from 'confab-contract/apps.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { type AppCreateInSecondForm, secondFormAppOperations } from 'confab-contract/second-form/apps.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { AppView } from '../../access/access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { type AppFields, changeReaders, fieldsOf } from '../../features/apps/app-body.ts';
import { changeApp, makeApp } from '../../features/apps/app-changes.ts';
import { findAppType, isContextual, readAppType } from '../../features/apps/app-types.ts';
import { appPage } from '../../features/apps/list.ts';
import { prepareUpsert, type UpsertParts, upsertAsRequested } from '../../features/apps/upsert.ts';
import { openAsVisitor } from '../../features/apps/visitor-pages.ts';
import { openAgentChat } from '../../features/conversations/agent-chat.ts';
import type { ViewParts } from '../../features/conversations/conversation-view.ts';
import { findOthers, readMembers, startConversation } from '../../features/conversations/create.ts';
import { conversationPage } from '../../features/conversations/list.ts';
import { joinMembers } from '../../features/members/member-changes.ts';
import type { Input } from '../../kernel/input.ts';
import { type ListQuery, refusal } from '../../kernel/page.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { pictureOf, readPictureId } from './app-picture.ts';
import { appView } from './app-view.ts';

/** How many apps a request can name. */
const namedMax = 50;

/** The order of the conversations for an order of apps; any other has the same name in both. */
const conversationOrders: { readonly [order: string]: string } = {
  rev: 'last_message_id',
  display_name: 'name',
  modified_at: 'last_message_id',
  uid: 'id',
  type: 'id',
};
const appOrders: { readonly [order: string]: string } = { rev: 'modified_at', pinned_at: 'id' };

function orderedBy(list: ListQuery, orders: { readonly [order: string]: string }): ListQuery {
  const { field, descending } = list.order;
  return { ...list, order: { field: orders[field] ?? field, descending } };
}

/** The apps that the caller sees, or their conversations. */
export const listAppsInSecondForm = handler(
  secondFormAppOperations.listAppsInSecondForm,
  async (call, parts: ViewParts) => {
    const { caller, list, query } = call;
    const uids = query.uid?.filter((uid) => uid !== 'false');
    if (uids !== undefined && uids.length > namedMax)
      throw refusal('uid', `must name at most ${namedMax} apps`);
    const ofOne = (['unread', 'member'] as const).find((name) => query[name] !== undefined);
    if (ofOne !== undefined && caller.kind === 'key')
      throw refusal(ofOne, 'is for the conversations of a user');
    const asked = query.type?.map(findAppType) ?? [];
    const areOwn = asked.length > 0 && asked.every((type) => type !== undefined && !isContextual(type));
    const areConversations = ofOne !== undefined || query.uid?.includes('false') === true || areOwn;
    if (!areConversations || caller.kind === 'key' || (uids !== undefined && uids.length > 0))
      return await appPage(
        { ...call, list: orderedBy(list, appOrders) },
        uids?.length === 0 ? undefined : uids,
      );
    return await conversationPage({ ...call, list: orderedBy(list, conversationOrders) }, parts);
  },
);

/** One app. */
export const getAppInSecondForm = handler(
  secondFormAppOperations.getAppInSecondForm,
  async (call, parts: ViewParts) => await appView(call, call.on, parts),
);

/** An app to create. */
type Draft = {
  readonly type: AppType;
  readonly uid: string | undefined;
  readonly refs: readonly Ref[];
  readonly fields: AppFields;
};

/** Creates an app, or starts a conversation. */
export const createAppInSecondForm = handler(
  secondFormAppOperations.createAppInSecondForm,
  (input: Input<AppCreateInSecondForm>): Input<Draft> =>
    input
      .read({
        type: (text: string) => (findAppType(text) === 'agent_chat' ? 'agent_chat' : readAppType(text)),
        members: readMembers,
        ...changeReaders,
      })
      .map(({ type, members: refs = [], ...rest }) => ({
        type,
        uid: rest.uid,
        refs,
        fields: fieldsOf(rest),
      })),
  async (call, parts: ViewParts & { readonly people: PeopleSetting }) => {
    const { app, isNew = true } = await create({ ...call, people: parts.people }, call.body);
    return { status: isNew ? 201 : 200, body: await appView(call, app, parts) };
  },
);

type Creating = Pick<Call<typeof secondFormAppOperations.createAppInSecondForm>, 'tx' | 'caller' | 'at'> & {
  readonly people: PeopleSetting;
};

async function create(
  creating: Creating,
  { type, uid, refs, fields }: Draft,
): Promise<{ readonly app: AppView; readonly isNew?: boolean }> {
  const isOfUser = creating.caller.kind === 'token';
  const name = visibleText(fields.name ?? null) ?? undefined;
  if (type === 'agent_chat') {
    const [agent] = refs;
    if (!isOfUser) throw invalidField('/type', 'unknown', 'is for users only');
    if (agent === undefined || refs.length > 1)
      throw invalidField('/members', 'count', 'must name one agent');
    return await openAgentChat(creating, { agent, uid, name, pointer: '/members/0' });
  }
  if (uid === undefined && isOfUser && (type === 'chat_room' || type === 'private_chat')) {
    const app = await startConversation(creating, { refs, type, name });
    return { app };
  }
  if (uid === undefined) throw invalidField('/uid', 'required', 'is required for this type of app');
  const others = await findOthers(creating, refs);
  const app = await makeApp(creating, { uid, type, fields });
  await joinMembers({ ...creating, on: app }, others);
  return { app };
}

/** Opens an app, as a page where a user names nothing but what an element of the client can have. */
export const upsertAppInSecondForm = handler(
  secondFormAppOperations.upsertAppInSecondForm,
  prepareUpsert,
  async (call, parts: UpsertParts & ViewParts) => {
    const { caller, params } = call;
    if (caller.kind === 'visitor') {
      const { pageTitle } = call.body.valid();
      return await openAsVisitor(call, parts, { uid: params.app, pageTitle });
    }
    const { isNew, app } = await upsertAsRequested(call, parts);
    return { status: isNew ? 201 : 200, body: await appView(call, app, parts) };
  },
);

/** Changes the fields of an app that the body has, and its picture. */
export const updateAppInSecondForm = handler(
  secondFormAppOperations.updateAppInSecondForm,
  (input) =>
    input
      .read({ ...changeReaders, picture: readPictureId })
      .map(({ picture, ...fields }) => ({ picture, fields: fieldsOf(fields) })),
  async (call, parts: ViewParts) => {
    const { tx, caller, on: app } = call;
    const { picture: id, fields } = call.body;
    const given =
      id === undefined ? {} : { picture: await pictureOf({ read: tx, caller, ...parts }, app, id) };
    return await appView(call, await changeApp(call, app, { ...fields, ...given }), parts);
  },
);
