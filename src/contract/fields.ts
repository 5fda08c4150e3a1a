import Type, { type Static, type TSchema } from 'typebox';

/** Limits of values, each in one place with its unit. A value beyond one is answered 422, the whole body 413. */
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
  uploadBytesMax: 50 * 1024 * 1024,
  topMax: 100,
  topDefault: 25,
} as const;

/** An integer id, 1 to 2^53 - 1. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** RFC 3339 in UTC with three fractional digits. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2026-11-21T07:42:00.000Z'],
});

/** A uid: 1 to 256 characters without white space, at least one of them not a digit. */
export const Uid = Type.String({ format: 'uid', examples: ['product-42'] });

/** Free-form properties: at most 64 KiB serialised and 32 levels deep. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  format: 'metadata',
  description: 'Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.',
});

/** Tags as a client sends them; stored trimmed, each once. */
export const Tags = Type.Array(Type.String(), {
  description: 'At most 100 tags of at most 64 characters. Trimmed; repeated ones count once.',
});

/** Text as Markdown, at most 64 KiB in UTF-8. */
export const Text = Type.String({ format: 'text', description: 'Markdown, at most 64 KiB in UTF-8.' });

/** The access levels an app or a member can have. */
export const accessLevels = ['none', 'read', 'write'] as const;
export const Access = Type.Unsafe<(typeof accessLevels)[number]>({ type: 'string', enum: [...accessLevels] });

/** What a caller may do with an object. */
export const Permissions = Type.Array(
  Type.Unsafe<'list' | 'read' | 'create' | 'update' | 'delete' | 'admin'>({
    type: 'string',
    enum: ['list', 'read', 'create', 'update', 'delete', 'admin'],
  }),
);

/** The envelope of a list of `item`; with `count_only` only `count` is there. */
export function listOf<T extends TSchema>(item: T, id: string) {
  return Type.Object(
    {
      data: Type.Optional(Type.Array(item)),
      start: Type.Optional(Type.Integer({ minimum: 0 })),
      end: Type.Optional(Type.Integer({ minimum: 0 })),
      count: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { $id: id, description: 'One page. `start` and `end` are 1-based positions, both 0 on an empty page.' },
  );
}

/** A query parameter that is true, false or null; null means both. */
export const TrueFalseNull = Type.Unsafe<boolean | null>({ type: 'string', enum: ['true', 'false', 'null'] });

/** The query of a get: whether a trashed object is shown. */
export const TrashedQuery = Type.Object({
  trashed: Type.Optional(
    Type.Unsafe<boolean | null>({
      ...TrueFalseNull,
      description: 'true answers the object even if it is in the trash.',
    }),
  ),
});

/** The body of every error, RFC 9457. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'Where this server explains the code.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'The path of the request.' }),
    code: Type.String({ description: 'Stable and machine-readable.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.Optional(Type.String({ description: 'RFC 6901 pointer into the body.' })),
          parameter: Type.Optional(Type.String({ description: 'Name of a query parameter or header.' })),
          code: Type.String(),
          message: Type.String(),
        }),
      ),
    ),
    request_id: Type.String(),
  },
  { $id: 'Problem' },
);
export type ProblemBody = Static<typeof ProblemBody>;
