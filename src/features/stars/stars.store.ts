import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { isFound, isTagged } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';
import { mayRead } from '../access/access.sql.ts';

type Star = { userId: number; appId: number };

/** Stars an app for a person; twice is once. */
export const insertStar = command<Star>()((q, value) =>
  q
    .insertInto('stars')
    .values({ user_id: value('userId'), app_id: value('appId') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Takes a star away. */
export const deleteStar = command<Star>()((q, value) =>
  q.deleteFrom('stars').where('user_id', '=', value('userId')).where('app_id', '=', value('appId')),
);

/** What decides the text of a statement for a list of stars. */
export type StarListShape = {
  readonly descending: boolean;
  readonly hasQuestion: boolean;
  readonly hasTag: boolean;
};

/** The parameters of every list of stars; those a shape does not use are ignored. */
export type StarListParameters = {
  userId: number;
  directoryId: number;
  question: string;
  tag: string;
  top: number;
  skip: number;
};

function filtered(q: Builder, value: Bind<StarListParameters>, shape: StarListShape) {
  const person = {
    userId: sql<number>`${value('userId')}`,
    directoryId: sql<number>`${value('directoryId')}`,
  };
  return q
    .selectFrom('stars')
    .where('stars.user_id', '=', value('userId'))
    .where(mayRead(sql.ref('stars.app_id'), person))
    .$if(shape.hasTag, (part) =>
      part.where(
        isTagged(sql.ref('stars.app_id'), 'app', { tag: value('tag'), isAlone: !shape.hasQuestion }),
      ),
    )
    .$if(shape.hasQuestion, (part) => part.where(isFound(sql.ref('stars.app_id'), 'app', value('question'))));
}

/** A page of the apps that a person has starred and may read. */
export const listStars = shaped((key: string) => {
  const shape = JSON.parse(key) as StarListShape;
  return query<StarListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select('stars.app_id as id')
      .orderBy('stars.app_id', shape.descending ? 'desc' : 'asc')
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** How many there are. A person's stars are few, so they are counted. */
export const countStars = shaped((key: string) => {
  const shape = JSON.parse(key) as StarListShape;
  return query<StarListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});
