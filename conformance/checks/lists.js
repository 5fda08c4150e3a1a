/** The six lists: their envelope, pages, orders and filters. */

import { decides, row, says } from '../quotes.js';
import { deliveriesOf, listen, makeApp, makeComment, makeWebhook, person } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: listChecks } = declaring('lists');

export { listChecks };

/** @typedef {import('../trial.js').Trial} Trial */
/** @typedef {import('../operations.js').OperationId} OperationId */
/** @typedef {import('../session.js').Call} Call */

/** More things than a page has by default, and more than the longest page. */
const manyApps = 26;
const manyComments = 101;

/**
 * @typedef {object} List
 * @property {OperationId} id
 * @property {import('../shapes.js').ShapeName} shape
 * @property {(t: Trial) => Promise<Listed>} fill makes what is listed, once in a run
 * @property {boolean} [isLong] whether there is more than a page
 * @property {boolean} [isNewestFirst] by default
 * @property {string} [order] a field other than the id, by which the order is the same
 */

/**
 * @typedef {object} Listed
 * @property {Call['path']} [path]
 * @property {Record<string, string | number>} query what restricts the list to the things that were made
 * @property {number[]} ids of the things in the order in which they were made
 * @property {string} word what `q` finds one of them by
 */

/** A hundred and one comments with a tag, and a webhook that was told of the first of them. @param {Trial} t */
async function comments(t) {
  return await t.session.once('listed comments', async () => {
    const tag = t.name('tag');
    const { id: app } = await makeApp(t);
    /** @type {number[]} */
    const ids = [];
    for (let number = 1; number <= manyComments; number += 1)
      ids.push((await makeComment(t, app, { text: `Comment number${number}`, tags: [tag] })).id);
    return { app, tag, ids, word: 'number101' };
  });
}

/** @type {readonly List[]} */
const lists = [
  {
    id: 'listApps',
    shape: 'App',
    isLong: true,
    order: 'created_at',
    fill: async (t) => {
      const tag = t.name('tag');
      /** @type {number[]} */
      const ids = [];
      for (let number = 1; number <= manyApps; number += 1)
        ids.push((await makeApp(t, { tags: [tag], description: `An app number${number}` })).id);
      return { query: { tag }, ids, word: `number${manyApps}` };
    },
  },
  {
    id: 'listMembers',
    shape: 'Member',
    fill: async (t) => {
      const people = [await person(t, 'first'), await person(t, 'second')];
      const { id: app } = await makeApp(t);
      for (const { uid } of people) await t.prepare('addMember', { path: { app, user: uid } });
      const ids = people.map(({ id }) => id).sort((a, b) => a - b);
      return { path: { app }, query: {}, ids, word: people.find(({ id }) => id === ids.at(-1))?.uid ?? '' };
    },
  },
  {
    id: 'listComments',
    shape: 'Comment',
    isLong: true,
    order: 'created_at',
    fill: async (t) => {
      const { tag, ids, word } = await comments(t);
      return { query: { tag }, ids, word };
    },
  },
  {
    id: 'listAppComments',
    shape: 'Comment',
    isLong: true,
    order: 'created_at',
    fill: async (t) => {
      const { app, ids, word } = await comments(t);
      return { path: { app }, query: {}, ids, word };
    },
  },
  {
    id: 'listWebhooks',
    shape: 'Webhook',
    isLong: true,
    fill: async (t) => {
      const shared = t.name('hooks');
      /** @type {number[]} */
      const ids = [];
      for (let number = 1; number <= manyApps; number += 1)
        ids.push((await makeWebhook(t, { payload_url: `https://example.com/${shared}/number${number}` })).id);
      return { query: { q: shared }, ids, word: `number${manyApps}` };
    },
  },
  {
    id: 'listDeliveries',
    shape: 'Delivery',
    isNewestFirst: true,
    fill: async (t) => {
      const hook = await listen(t);
      const { id: app } = await makeApp(t);
      for (let number = 1; number <= 3; number += 1) await makeComment(t, app);
      const found = await t.wait('three recorded deliveries', async () => {
        const all = await deliveriesOf(t, hook.id);
        return all.length >= 3 && all.every(({ status_code: code }) => code === 200) ? all : undefined;
      });
      const newest = found.toSorted((a, b) => a.id - b.id);
      const path = { id: hook.id };
      return { path, query: {}, ids: newest.map(({ id }) => id), word: newest.at(-1).guid };
    },
  },
];

for (const list of lists) {
  const { id, shape, isLong = false, isNewestFirst = false, order } = list;
  const filled = async (/** @type {Trial} */ t) => await t.session.once(`listed ${id}`, () => list.fill(t));
  /** One page of what was made. @param {Trial} t @param {Call['query']} [query] */
  const page = async (t, query) => {
    const { path, query: own, ids, word } = await filled(t);
    // Two words restrict a list that has no tags.
    const q = own.q !== undefined && query?.q !== undefined ? { q: `${own.q} ${query.q}` } : {};
    const answer = await t.call(id, {
      ...(path === undefined ? {} : { path }),
      query: { ...own, ...query, ...q },
    });
    const wanted = isNewestFirst ? ids.toReversed() : ids;
    return { answer, wanted, word };
  };
  const idsOf = (/** @type {any[]} */ items) => items.map((item) => item.id);

  check(`${id}.envelope`, says('envelope'), async (t) => {
    const { answer, wanted } = await page(t, { top: 100 });
    t.items(answer);
    t.equal(answer.body.count, wanted.length, '`count` of all items');
  });

  check(`${id}.items`, row(id), async (t) => {
    const items = t.items((await page(t, { top: 100 })).answer);
    t.holds(items.length > 0, 'the list is empty');
    for (const item of items) t.shape(item, shape);
  });

  check(`${id}.top`, says('top'), async (t) => {
    const { answer, wanted } = await page(t, { top: 1 });
    t.equal(t.items(answer).length, 1, 'the number of items with top=1');
    t.equal(answer.body.count, wanted.length, '`count` of all items');
  });

  check(`${id}.skip`, says('skip'), async (t) => {
    const { answer, wanted } = await page(t, { top: 1, skip: 1 });
    const [first, ...more] = idsOf(t.items(answer));
    t.equal(more, [], 'what follows the one item');
    t.holds(wanted.includes(first), `item ${first} is none of those that were made`);
    const before = idsOf(t.items((await page(t, { top: 1 })).answer));
    t.holds(!before.includes(first), 'skip=1 shows the item that skip=0 shows');
  });

  check(`${id}.pages`, says('skip'), async (t) => {
    const { ids } = await filled(t);
    const size = Math.max(1, Math.min(ids.length - 1, 40));
    /** @type {number[]} */
    const found = [];
    for (let skip = 0; skip < ids.length; skip += size)
      found.push(...idsOf(t.items((await page(t, { top: size, skip })).answer)));
    const sorted = (/** @type {number[]} */ some) => some.toSorted((a, b) => a - b);
    t.equal(sorted(found), sorted(ids), 'what the pages show, taken together,');
  });

  check(`${id}.countOnly`, says('countOnly'), async (t) => {
    const { answer, wanted } = await page(t, { count_only: true });
    t.status(answer, 200);
    t.equal(answer.body, { count: wanted.length }, 'the answer');
  });

  for (const [name, field] of Object.entries({
    id: 'id',
    ...(order === undefined ? {} : { field: order }),
  })) {
    check(`${id}.order.${name}`, says('orderBy'), async (t) => {
      const { answer } = await page(t, { order_by: field, top: 100 });
      const { ids } = await filled(t);
      t.equal(idsOf(t.items(answer)), ids.slice(0, 100), `the items in the order of ${field}`);
    });
    check(`${id}.order.${name}.desc`, says('orderBy'), async (t) => {
      // URLSearchParams writes the space as a plus.
      const { answer } = await page(t, { order_by: `${field} desc`, top: 100 });
      const { ids } = await filled(t);
      t.equal(
        idsOf(t.items(answer)),
        ids.toReversed().slice(0, 100),
        `the items in the order of ${field}+desc`,
      );
    });
  }

  check(`${id}.q`, says('q'), async (t) => {
    const { word, ids } = await filled(t);
    const { answer } = await page(t, { q: word });
    t.equal(idsOf(t.items(answer)), ids.slice(-1), `the items with q=${word}`);
  });

  check(`${id}.q.none`, says('q'), async (t) => {
    const { answer } = await page(t, { q: 'nosuchword' });
    t.equal(t.items(answer), [], 'the items with a word that none has');
    t.equal(answer.body.count, 0, '`count`');
  });

  check(`${id}.longest`, says('limitTop'), async (t) => {
    const { answer } = await page(t, { top: 1000 });
    if (answer.status !== 200) return t.status(answer, 200);
    t.holds(t.items(answer).length <= 100, `top=1000 gives ${answer.body.data.length} items`);
  });

  check(`${id}.positions`, decides('envelope'), async (t) => {
    const { answer } = await page(t, { top: 1, skip: 1 });
    t.items(answer);
    t.equal([answer.body.start, answer.body.end], [2, 2], 'start and end of the second item');
  });

  check(`${id}.beyond`, decides('envelope'), async (t) => {
    const { answer } = await page(t, { skip: 1000 });
    t.equal(t.items(answer), [], 'the items behind the last');
    t.equal([answer.body.start, answer.body.end], [0, 0], 'start and end of an empty page');
  });

  check(`${id}.lenient`, decides('lenient'), async (t) => {
    const { ids } = await filled(t);
    t.equal(
      t.items((await page(t, { top: 1000 })).answer).length,
      Math.min(100, ids.length),
      'the items with top=1000',
    );
    t.equal(t.items((await page(t, { top: 0 })).answer).length, 1, 'the items with top=0');
    const { answer, wanted } = await page(t, { skip: -5, top: 'many', order_by: 'nonsense' });
    t.equal(idsOf(t.items(answer)), wanted.slice(0, 25), 'the items with unreadable parameters');
  });

  check(`${id}.default`, decides('defaultOrder'), async (t) => {
    const { answer, wanted } = await page(t, { top: 100 });
    t.equal(idsOf(t.items(answer)), wanted.slice(0, 100), 'the items in the order by default');
  });

  check(`${id}.names`, decides('parameterNames'), async (t) => {
    const { ids } = await filled(t);
    const { answer } = await page(t, { orderBy: 'ID desc', Top: 1 });
    t.equal(idsOf(t.items(answer)), ids.slice(-1), 'the items with orderBy and Top');
  });

  check(`${id}.count`, decides('countFalse'), async (t) => {
    const { answer } = await page(t, { count: false, top: 1 });
    t.status(answer, 200);
    t.equal(Object.keys(answer.body ?? {}).sort(), ['data', 'end', 'start'], 'the fields of the answer');
  });

  if (isLong)
    check(`${id}.top.default`, says('limitTopDefault'), async (t) => {
      t.equal(t.items((await page(t, {})).answer).length, 25, 'the number of items without top');
    });
  if (id.endsWith('Comments'))
    check(`${id}.top.most`, says('top'), async (t) => {
      t.equal(t.items((await page(t, { top: 100 })).answer).length, 100, 'the number of items with top=100');
    });
}

for (const id of /** @type {const} */ (['listApps', 'listComments', 'listAppComments'])) {
  const tagged = async (/** @type {Trial} */ t) => {
    const tags = [t.name('tag'), t.name('tag')];
    const app = await makeApp(t, { tags: [tags[0], 'other'] });
    await makeApp(t, { tags: [tags[1]] });
    const comment = await makeComment(t, app.id, { tags: [tags[0], 'other'] });
    await makeComment(t, app.id, { tags: [tags[1]] });
    const wanted = id === 'listApps' ? app.id : comment.id;
    return { tag: tags[0] ?? '', wanted, ...(id === 'listAppComments' ? { path: { app: app.id } } : {}) };
  };
  check(`${id}.tag`, says('tag'), async (t) => {
    const { tag, wanted, ...rest } = await tagged(t);
    const listed = t.items(await t.call(id, { ...rest, query: { tag } }));
    t.equal(
      listed.map((item) => item.id),
      [wanted],
      'the items with the tag',
    );
  });
  check(`${id}.tag.part`, decides('tagExact'), async (t) => {
    const { tag, wanted: _, ...rest } = await tagged(t);
    t.equal(
      t.items(await t.call(id, { ...rest, query: { tag: tag.slice(0, -1) } })),
      [],
      'the items with a part of it',
    );
  });
}

check('names', decides('names'), async (t) => {
  const tag = t.name('tag');
  for (const name of ['Zebra', 'banana', 'Apple', 'Éclair', 'apricot'])
    await makeApp(t, { name, tags: [tag] });
  const listed = t.items(await t.call('listApps', { query: { tag, order_by: 'name' } }));
  t.equal(
    listed.map(({ name }) => name),
    ['Apple', 'apricot', 'banana', 'Éclair', 'Zebra'],
    'the order of names',
  );
});

check('words', decides('qWords'), async (t) => {
  const { id: app } = await makeApp(t);
  const { id } = await makeComment(t, app, { text: 'The GRÖSSE of elephants' });
  await makeComment(t, app, { text: 'An elephant alone' });
  for (const q of ['größe eleph', 'ELEPHANTS', 'groe'.replace('oe', 'ö')]) {
    const listed = t.items(await t.call('listAppComments', { path: { app }, query: { q } }));
    t.equal(
      listed.map((item) => item.id),
      [id],
      `the comments with q=${q}`,
    );
  }
});
