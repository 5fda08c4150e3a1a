import type { ProblemBody } from 'confab-contract/fields.ts';
import type { operations } from 'confab-contract/index.ts';
import type { Static, TSchema } from 'typebox';

/**
 * The types of responses, found by the method and the path of a request in the operations of the contract. A path that
 * is concatenated from whole strings is not resolved: its response is `any`.
 */

type Operations = (typeof operations)[keyof typeof operations];

/** The parts of a path between its slashes. A parameter of an operation is any string. */
type Parts<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? [Part<Head>, ...Parts<Tail>]
  : [Part<Path>];
type Part<Text extends string> = Text extends `{${string}}` ? string : Text;

/** The operations at a method and the parts of a path. */
type At<Method, Asked, Known = Operations> = Known extends {
  readonly method: Method;
  readonly path: infer Path extends string;
}
  ? Asked extends Parts<Path>
    ? Known
    : never
  : never;

/** With every optional field: a test that reads an absent one notices by its value. */
type Whole<T> = T extends readonly (infer Item)[]
  ? Whole<Item>[] & { 0: Whole<Item>; 1: Whole<Item> }
  : T extends object
    ? { [Name in keyof T]-?: Whole<T[Name]> }
    : T;

/** The success bodies of an operation; none where each is empty. */
type Success<Known> = Known extends { readonly success: infer Answers }
  ? {
      [Status in keyof Answers]: Answers[Status] extends TSchema ? Static<Answers[Status]> : never;
    }[keyof Answers]
  : never;

type Fields<Body> = [Body] extends [never]
  ? Whole<ProblemBody>
  : Body extends string
    ? Body
    : Whole<Body> & Omit<Whole<ProblemBody>, keyof Body>;

/** The path is literally one of the contract, or it matches one. */
type Found<Method, Path extends string> = Path extends Operations['path']
  ? Extract<Operations, { readonly method: Method; readonly path: Path }>
  : At<Method, Parts<Path>>;
type Known<Found> = [Found] extends [never] ? any : Fields<Success<Found>>;

/**
 * The response to a request: the fields of a success and those of a problem, because the test checks which of them
 * came.
 */
export type BodyAt<Method extends string, Path extends string> = string extends Path
  ? any
  : Known<Found<Method, Path extends `${infer Before}?${string}` ? Before : Path>>;
