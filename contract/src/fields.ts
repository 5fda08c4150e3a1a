import Type, { type Static, type TSchema } from 'typebox';

/** Limits of values, with their units. A value beyond its limit is a 422, a whole body a 413. */
export const limits = {
  nameCharactersMax: 256,
  descriptionCharactersMax: 4096,
  textBytesMax: 64 * 1024,
  payloadUrlCharactersMax: 2048,
  secretCharactersMax: 256,
  optionsMax: 50,
  optionCharactersMax: 512,
  blobsMax: 100,
  membersMax: 1000,
  metadataBytesMax: 64 * 1024,
  metadataDepthMax: 32,
  bodyBytesMax: 1024 * 1024,
  bodyDepthMax: 64,
  // Two objects of metadata have room for 20,000 names. Parsing and walking an object of 100,000 takes 200 ms.
  bodyNamesMax: 20_000,
  // Counted by commas and opening brackets. Two objects of metadata have room for 90,000. Parsing and walking an array of
  // 350,000 empty objects takes 60 ms.
  bodyValuesMax: 100_000,
  uploadBytesMax: 50 * 1024 * 1024,
  importBytesMax: 512 * 1024 * 1024,
  topMax: 100,
  topDefault: 25,
  repliesMax: 25,
  repliesDefault: 3,
  repliesInPageMax: 625,
} as const;

/** Where `described` stores the description of a named schema for one place. */
export const meaningHere = Symbol('meaning here');

/** The same schema with a description for one place. A named schema keeps its own description as well. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return '$id' in schema ? { ...schema, [meaningHere]: description } : { ...schema, description };
}

/** A text of any length, with its description. */
export const string = (description: string) => Type.String({ description });

/** True or false, with its description. */
export const boolean = (description: string) => Type.Boolean({ description });

/**
 * What wrote, if it was not a request of plain HTTP: a program by the Model Context Protocol, or the provider of an
 * agent.
 */
export const via = (description: string) =>
  Type.Unsafe<'mcp' | 'agent'>({ type: 'string', enum: ['mcp', 'agent'], description });

/** A whole number from 0 up, with its description. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** An integer id, 1 to 2^53 - 1. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** RFC 3339 in UTC with three fractional digits. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2026-11-21T07:42:00.000Z'],
});

/**
 * A uid of a kind of object: 1 to 256 characters without white space, at least one of them not a digit. It is not a
 * reserved word, which would be a path.
 */
export function uidOf(kind: 'app' | 'user' | 'directory', example: string) {
  return Type.String({
    format: `${kind}-uid`,
    description: `The unique name of the ${kind}: 1 to 256 characters without white space, at least one of them not a digit.`,
    examples: [example],
  });
}

/** A reference to a user in a body: an id, as a number or in digits, or a uid. */
export const UserRef = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'The id or uid of a user.',
});

/** Free-form properties: at most 64 KiB serialised and 32 levels deep. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  format: 'metadata',
  description: 'Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.',
});

/** Tags in a request; they are stored trimmed, each once. */
export const Tags = Type.Array(Type.String(), {
  description:
    'The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and repeated tags count once.',
});

/** Text as Markdown, at most 64 KiB in UTF-8. */
export const Text = Type.String({
  format: 'text',
  description: 'The text as Markdown, at most 64 KiB in UTF-8.',
});

/** The access levels an app or a member can have. */
export const accessLevels = ['none', 'read', 'write'] as const;
export const Access = Type.Unsafe<(typeof accessLevels)[number]>({ type: 'string', enum: [...accessLevels] });

/** The rights of a member in an app beyond writing. */
export const MemberRole = Type.Unsafe<'moderator' | 'manager'>({
  type: 'string',
  enum: ['moderator', 'manager'],
});

/** The permissions of a caller on an object. */
export const Permissions = Type.Array(
  Type.Unsafe<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>({
    type: 'string',
    enum: ['list', 'read', 'create', 'update', 'delete', 'admin'],
  }),
);

/** The envelope of a list of `item`; with `count_only` it has only `count`. */
export function listOf<T extends TSchema>(item: T, id: string) {
  return Type.Object(
    {
      data: Type.Optional(
        Type.Array(item, {
          description: 'The items of the page, in the requested order. Absent with `count_only`.',
        }),
      ),
      start: Type.Optional(
        count('The 1-based position of the first item; 0 on an empty page. Absent with `count_only`.'),
      ),
      end: Type.Optional(
        count('The 1-based position of the last item; 0 on an empty page. Absent with `count_only`.'),
      ),
      count: Type.Optional(count('How many items match on all pages. Absent with `count=false`.')),
    },
    { $id: id, description: 'One page of a list.' },
  );
}

/** A query parameter that is true, false or null; null means both. */
export const TrueFalseNull = Type.Unsafe<boolean | null>({ type: 'string', enum: ['true', 'false', 'null'] });

/** The query of a get request. Only `true` shows items in the trash: null, for both, is for lists. */
export const TrashedQuery = Type.Object({
  trashed: Type.Optional(
    boolean('`true` returns the object even if it is in the trash. The default is false.'),
  ),
});

/** The body of every error, RFC 9457. */
export const ProblemBody = Type.Object(
  {
    type: string('The address of the page on which this server explains the code.'),
    title: string('What went wrong, in the same words for every problem with this code.'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status of the response.' }),
    detail: string('What went wrong with this request, in one sentence.'),
    instance: string('The path of the request, without its query.'),
    code: string('The kind of problem, for programs. A code does not change between releases.'),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.Optional(
            string(
              'The field of the body, as an RFC 6901 pointer of at most 128 characters. Absent when `parameter` is there.',
            ),
          ),
          parameter: Type.Optional(
            string('The name of the query parameter or header. Absent when `pointer` is there.'),
          ),
          code: string('The rule that the value breaks, such as `required` or `too_long`; stable.'),
          message: string('The rule in words, to follow the name of the field.'),
        }),
        {
          description:
            'Every field, parameter or header at fault, or the first 20 of them. Absent when the fault is elsewhere.',
        },
      ),
    ),
    more_errors: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'How many faults there are in addition to the 20 in `errors`. Absent when `errors` has all.',
      }),
    ),
    request_id: string('The id of the request in the log of the server, as in the header `X-Request-Id`.'),
  },
  { $id: 'Problem', description: 'The reason why a request was refused (RFC 9457).' },
);
export type ProblemBody = Static<typeof ProblemBody>;
