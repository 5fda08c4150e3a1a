import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { actionNames, factsOf } from 'confab-contract/actions.ts';
import { operationList } from 'confab-contract/index.ts';
import { deliveredActions } from 'confab-contract/webhook-events.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { payloadFault } from 'confab-testing/payload-check.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { openApi } from '../../../src/http/openapi/openapi.ts';
import { ofUpkeep, type Row, toldEvents, type World } from './told-events.ts';
import { makeWorld } from './told-world.ts';

let world: World;
const server = useServer();
const receiver = useReceiver();
const watch = useStoreWatch(server);
before(async () => {
  world = await makeWorld(server, receiver);
});
// What visitors sign in with has a test of its own, server/test/access/signing-in.test.ts.
const mutating = operationList.filter(
  ({ id, method, tag }) => method !== 'GET' && tag !== 'Signing in' && !ofUpkeep.some((each) => each === id),
);

/** The events since another one, except those of the server itself, which come at any time. */
function toldSince(id: number): { action: string; payload: string }[] {
  return watch.rows(
    `select action, payload from events where id > ${id} and action <> 'notification_created'
       and not (action = 'import_updated' and (payload like '%"state":"failed"%' or payload like '%"state":"undone"%'))
       order by id`,
  ) as { action: string; payload: string }[];
}

// Every change through the API appends one event, which matches the catalogue.
describe('every operation that changes something', () => {
  test('has a row', () => {
    assert.deepEqual(Object.keys(toldEvents).sort(), mutating.map(({ id }) => id).sort());
  });

  for (const operation of mutating)
    test(`${operation.id} appends its event`, async () => {
      const row: Row | undefined = toldEvents[operation.id as keyof typeof toldEvents];
      assert.ok(row !== undefined, 'add a row for it to server/test/features/webhooks/told-events.ts');
      const { at = {}, query = '', body, as, headers = {} } = await row.request(world);
      const path = operation.path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => String(at[name]));
      const last = Number(watch.rows('select max(id) as id from events')[0]?.id);
      const sending = { headers, ...(as === undefined ? {} : { as }) };
      const { status, text } = await server.call(operation.method, path + query, body, sending);
      assert.ok(status in operation.success, text);
      const told = toldSince(last);
      const expected = typeof row.tells === 'string' ? [] : row.tells;
      assert.deepEqual(
        told.map(({ action }) => action),
        expected,
      );
      const kind = as === undefined ? 'api_key' : 'person';
      for (const { payload } of told) assert.equal(JSON.parse(`{${payload}}`).actor.kind, kind);
      for (const { payload } of told)
        assert.deepEqual(payloadFault(Buffer.from(`{"id":1,${payload},"guid":"none"}`)), []);
    });

  test('appends exactly one event, except those that change several objects or none', (t) => {
    const rows = Object.entries(toldEvents) as [string, Row][];
    const named = (wanted: (row: Row) => boolean) => rows.filter(([, row]) => wanted(row)).map(([id]) => id);
    assert.deepEqual(
      named(({ tells }) => typeof tells !== 'string' && tells.length > 1),
      [
        ...['initApp', 'addMembers', 'holdComment', 'approveComment', 'holdFile', 'approveFile'],
        ...['holdPost', 'approvePost', 'holdMessage', 'approveMessage', 'createConversation', 'trashUser'],
      ],
      'an operation appends one event for each thing that it changes: append one, or add it here',
    );
    assert.deepEqual(
      named(({ tells }) => typeof tells === 'string'),
      [
        ...[
          'createBlob',
          'createImportBlob',
          'typeMessage',
          'typePost',
          'typeFileComment',
          'typePostComment',
          'typeComment',
          'typeConversation',
        ],
        ...['negotiateConnection', 'sendToConnection', 'endConnection'],
        ...['createKey', 'rotateKey', 'revokeKey', 'testModerationRules', 'renderText'],
      ],
    );
    const one = named(({ tells }) => typeof tells !== 'string' && tells.length === 1);
    t.diagnostic(`${one.length} of ${rows.length} operations are told of by exactly one event`);
  });
});

type Described = {
  action: string;
  type: string;
  group?: string;
  description: string;
  schema: object;
};

// The catalogue has every event there can be, and its schemas are those by which deliveries are judged.
describe('the catalogue of events', () => {
  async function catalogue(query = ''): Promise<Described[]> {
    return (await server.read(`/api/webhooks/events?${query}`)).data;
  }

  test('has each action of the log with its group', async () => {
    const listed = await catalogue();
    const shown = listed.map(({ action, group }) => [action, group ?? null]);
    const known = actionNames.map((action) => [action, factsOf(action).group ?? null]);
    assert.deepEqual(shown.toSorted(), known.toSorted());
    for (const { action, type, description } of listed) {
      assert.equal(type, action.replace('_', '.'));
      assert.match(description, /^[A-Z].+\.$/);
    }
  });

  test('shows the part of a group or an action', async () => {
    const reactions = await catalogue('group=reactions');
    assert.deepEqual(
      reactions.map(({ action }) => action),
      ['reaction_added', 'reaction_removed'],
    );
    assert.equal((await catalogue('action=comment_created')).length, 1);
    assert.deepEqual(await catalogue('group=nothing'), []);
  });

  test('has self-contained schemas that validate the events of the log', async () => {
    const listed = new Map((await catalogue()).map((event) => [event.action, event.schema]));
    const ajv = new Ajv2020({ strict: false });
    const judges = new Map([...listed].map(([action, schema]) => [action, ajv.compile(schema)]));
    const told = watch.rows('select action, payload from events');
    assert.ok(told.length > 100);
    for (const { action, payload } of told) {
      const judge = judges.get(String(action));
      assert.ok(judge !== undefined);
      assert.ok(judge(JSON.parse(`{"id":1,${payload},"guid":"none"}`)), ajv.errorsText(judge.errors));
      assert.ok(!judge(JSON.parse(`{"id":1,${payload}}`)), 'it takes what has no guid');
    }
    const seen = new Set(told.map(({ action }) => String(action)));
    const unseen = [...listed.keys()].filter((action) => !seen.has(action));
    // These need a receiver that fails, or something that was done before, and are tried where that is.
    const appendedElsewhere = [
      'member_updated',
      'notifications_removed',
      'notifications_restored',
      'option_unvoted',
      'rules_matched',
      'user_followed',
      'user_unfollowed',
      'webhook_paused',
      'webhook_resumed',
    ];
    assert.deepEqual(
      unseen.sort(),
      appendedElsewhere,
      'name each action in the row of the operation that appends it, in told-events.ts, or list it here and test it elsewhere',
    );
  });
});

// The OpenAPI document describes the requests to receivers, action by action, with a valid example.
test('the OpenAPI document describes the requests to receivers', () => {
  const document = openApi(operationList, { version: '1.2.3', url: '/' }) as any;
  const { schema, examples } = document.webhooks.delivery.post.requestBody.content['application/json'];
  assert.deepEqual(Object.keys(schema.discriminator.mapping), [...deliveredActions]);
  assert.deepEqual(
    schema.oneOf.map((each: { $ref: string }) => each.$ref),
    Object.values(schema.discriminator.mapping),
  );
  assert.equal(
    deliveredActions.length,
    actionNames.filter((action) => factsOf(action).group !== undefined).length + 1,
  );
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema(document, 'document');
  for (const action of deliveredActions) {
    const named = (each: any) => each.value.action === action || each.description?.includes(`\`${action}\``);
    const [example, another] = Object.values<any>(examples).filter(named);
    assert.ok(example !== undefined && another === undefined, `${action} has one example`);
    const at = `document${schema.discriminator.mapping[action]}`;
    const validate = ajv.getSchema(at);
    assert.ok(validate !== undefined, at);
    const value = { ...example.value, action, type: action.replace('_', '.') };
    assert.ok(validate(value), `${action}: ${ajv.errorsText(validate.errors)}`);
    if (action in examples) assert.deepEqual(example.value, value);
    assert.ok(!validate({ ...value, action: 'other' }), action);
  }
  for (const [action, { summary }] of Object.entries<any>(examples))
    assert.equal(summary, factsOf(action as (typeof deliveredActions)[number]).sentence);
  const all = ajv.getSchema('document#/webhooks/delivery/post/requestBody/content/application~1json/schema');
  assert.ok(all?.(examples.comment_created.value), 'it is one delivery, and no other');
});
