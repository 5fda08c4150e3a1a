/** Webhooks: registered, changed, listed, deleted. */

import { decides, row, says } from '../quotes.js';
import { unknownFields } from '../shapes.js';
import { makeWebhook, webhookBody } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: webhookChecks } = declaring('webhooks');

export { webhookChecks };

check('register', row('registerWebhook'), async (t) => {
  const body = webhookBody(t, { triggers: ['comments', 'notifications'] });
  const webhook = await t.expect('registerWebhook', 201, { body });
  t.shape(webhook, 'Webhook');
  t.equal(webhook.payload_url, body.payload_url, 'payload_url');
  t.equal(webhook.triggers, ['comments', 'notifications'], 'triggers');
});

for (const enabled of [true, false])
  check(`register.${enabled ? 'enabled' : 'disabled'}`, says('webhookState'), async (t) => {
    t.equal((await makeWebhook(t, { enabled })).is_enabled, enabled, `is_enabled after enabled: ${enabled}`);
  });

check('register.default', decides('webhookEnabled'), async (t) => {
  t.equal(
    (await makeWebhook(t, { enabled: undefined })).is_enabled,
    true,
    'is_enabled of a webhook that says nothing',
  );
});

check('register.otherName', decides('webhookEnabled'), async (t) => {
  const webhook = await makeWebhook(t, { enabled: undefined, is_enabled: false });
  t.equal(webhook.is_enabled, false, 'is_enabled after is_enabled: false');
});

for (const trigger of ['notifications', 'comments'])
  check(`register.${trigger}`, says('triggers'), async (t) => {
    const body = webhookBody(t, { triggers: [trigger] });
    t.equal((await t.expect('registerWebhook', 201, { body })).triggers, [trigger], 'triggers');
  });

check('register.action', decides('webhookTriggers'), async (t) => {
  await t.expect('registerWebhook', 201, { body: webhookBody(t, { triggers: ['comment_created'] }) });
});

check('secret', says('webhookSecret'), async (t) => {
  const secret = 'a-secret-that-nobody-sees';
  const { id } = await makeWebhook(t, { secret });
  const call = { path: { id } };
  const changed = { ...call, body: webhookBody(t, { secret: `${secret}-2` }) };
  for (const answer of [
    await t.call('getWebhook', call),
    await t.call('updateWebhook', changed),
    await t.call('listWebhooks', { query: { order_by: 'id desc' } }),
  ]) {
    t.status(answer, 200);
    t.holds(!answer.text.includes(secret), 'the answer contains the secret');
    t.holds(!answer.text.includes('"secret"'), 'the answer has a field `secret`');
  }
});

check('get', row('getWebhook'), async (t) => {
  const made = await makeWebhook(t);
  const webhook = await t.expect('getWebhook', 200, { path: { id: made.id } });
  t.shape(webhook, 'Webhook');
  t.equal([webhook.id, webhook.payload_url], [made.id, made.payload_url], 'id and payload_url');
});

check('get.exact', decides('webhookFields'), async (t) => {
  const webhook = await makeWebhook(t);
  const strange = unknownFields(webhook, 'Webhook').filter(
    (field) => !['ordered', 'breaker'].includes(field),
  );
  t.equal(strange, [], 'the fields that a Webhook does not have');
});

check('update', row('updateWebhook'), async (t) => {
  const { id } = await makeWebhook(t);
  const body = {
    payload_url: `https://example.com/${t.name('other')}`,
    triggers: ['notifications'],
    is_enabled: false,
  };
  const webhook = await t.expect('updateWebhook', 200, { path: { id }, body });
  t.shape(webhook, 'Webhook');
  t.equal(
    [webhook.payload_url, webhook.triggers],
    [body.payload_url, body.triggers],
    'payload_url and triggers',
  );
  const kept = await t.expect('getWebhook', 200, { path: { id } });
  t.equal(kept.payload_url, body.payload_url, 'payload_url afterwards');
});

for (const enabled of [true, false])
  check(`update.${enabled ? 'enabled' : 'disabled'}`, says('webhookNames'), async (t) => {
    const { id, payload_url, triggers } = await makeWebhook(t, { enabled: !enabled });
    const body = { payload_url, triggers, is_enabled: enabled };
    t.equal((await t.expect('updateWebhook', 200, { path: { id }, body })).is_enabled, enabled, 'is_enabled');
    t.equal(
      (await t.expect('getWebhook', 200, { path: { id } })).is_enabled,
      enabled,
      'is_enabled afterwards',
    );
  });

check('update.part', decides('webhookPatch'), async (t) => {
  const made = await makeWebhook(t);
  const webhook = await t.expect('updateWebhook', 200, {
    path: { id: made.id },
    body: { is_enabled: false },
  });
  t.equal(
    [webhook.payload_url, webhook.triggers],
    [made.payload_url, made.triggers],
    'payload_url and triggers',
  );
});

check('list', row('listWebhooks'), async (t) => {
  const made = await makeWebhook(t);
  const listed = t.items(await t.call('listWebhooks', { query: { order_by: 'id desc', top: 100 } }));
  const item = listed.find(({ id }) => id === made.id);
  t.shape(item, 'Webhook');
  t.equal(item.payload_url, made.payload_url, 'payload_url of the item');
});

check('delete', row('deleteWebhook'), async (t) => {
  const { id } = await makeWebhook(t);
  const answer = await t.call('deleteWebhook', { path: { id } });
  t.status(answer, 204);
  t.equal(answer.text, '', 'the body');
});

check('delete.get', says('status404'), async (t) => {
  const { id } = await makeWebhook(t);
  await t.prepare('deleteWebhook', { path: { id } });
  t.status(await t.call('getWebhook', { path: { id } }), 404);
  t.status(await t.call('listDeliveries', { path: { id } }), 404);
});

check('delete.list', row('deleteWebhook'), async (t) => {
  const { id } = await makeWebhook(t);
  await t.prepare('deleteWebhook', { path: { id } });
  const listed = t.items(await t.call('listWebhooks', { query: { order_by: 'id desc', top: 100 } }));
  t.holds(!listed.some((webhook) => webhook.id === id), 'the deleted webhook is in the list');
});
