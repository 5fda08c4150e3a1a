import { sql } from 'kysely';
import { optionColumns } from '../../access/option/option.sql.ts';
import { anyOf, numbersOf, textsOf } from '../../db/dialect.ts';
import { command, insertSelected, query } from '../../db/statement.ts';

/** The options of some entries, in display order, with whether the user chose each. */
export const optionsOf = query<{ entryIds: readonly number[]; userId: number }>()((q, value) =>
  q
    .selectFrom('options')
    .select(optionColumns(value('userId')))
    .where(anyOf(sql.ref('entry_id'), value('entryIds')))
    .orderBy('entry_id')
    .orderBy('position'),
);

/** The ids and texts of the options of one entry, in their order. */
export const optionTexts = query<{ entryId: number }>()((q, value) =>
  q.selectFrom('options').select(['id', 'text']).where('entry_id', '=', value('entryId')).orderBy('position'),
);

/** The voters of some options, the first `top` of each in the order of their votes. */
export const firstVoters = query<{ optionIds: readonly number[]; top: number }>()((q, value) =>
  q
    .selectFrom(
      q
        .selectFrom('votes')
        .select([
          'option_id as optionId',
          'user_id as userId',
          sql<number>`row_number() over (partition by option_id order by created_at, user_id)`.as('place'),
        ])
        .where(anyOf(sql.ref('option_id'), value('optionIds')))
        .as('placed'),
    )
    .select(['optionId', 'userId'])
    .where('place', '<=', value('top'))
    .orderBy('optionId')
    .orderBy('place'),
);

/** Adds options to an entry; the two lists correspond by index. */
export const insertOptions = command<{
  entryId: number;
  texts: readonly string[];
  positions: readonly number[];
}>()((q, value) =>
  insertSelected(q, 'options', {
    from: q
      .selectFrom([textsOf(value('texts'), 'given'), numbersOf(value('positions'), 'place')])
      .where(sql<boolean>`given.key = place.key`)
      .orderBy(sql`given.key`),
    values: {
      entry_id: value('entryId'),
      position: sql<number>`place.value`,
      text: sql<string>`given.value`,
    },
  }),
);

/** Updates the texts and positions of options that stay; the three lists correspond by index. */
export const updateOptions = command<{
  entryId: number;
  ids: readonly number[];
  texts: readonly string[];
  positions: readonly number[];
}>()((q, value) => {
  const chosen = (list: ReturnType<typeof textsOf | typeof numbersOf>) =>
    q
      .selectFrom([numbersOf(value('ids'), 'chosen'), list])
      .select(sql`given.value`.as('value'))
      .where(sql<boolean>`given.key = chosen.key and chosen.value = options.id`);
  return q
    .updateTable('options')
    .set({
      text: sql<string>`(${chosen(textsOf(value('texts'), 'given'))})`,
      position: sql<number>`(${chosen(numbersOf(value('positions'), 'given'))})`,
    })
    .where('entry_id', '=', value('entryId'))
    .where(anyOf(sql.ref('id'), value('ids')));
});

/** Removes the options of an entry that are not among `keep`; the schema removes the votes for them. */
export const deleteOtherOptions = command<{ entryId: number; keep: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('options')
    .where('entry_id', '=', value('entryId'))
    .where((where) => where.not(anyOf(sql.ref('id'), value('keep')))),
);
