/** A JSON Schema, with the keywords that affect a type. */
export type Schema = {
  readonly $id?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly description?: string;
  readonly additionalProperties?: unknown;
};

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** The interfaces of named schemas, created on first use. */
export class Types {
  readonly #byName = new Map<string, string>();

  /** A schema as TypeScript; one with a name becomes an interface. */
  of(schema: Schema): string {
    const { $id } = schema;
    if ($id === undefined) return this.#shapeOf(schema);
    if (!this.#byName.has($id)) {
      // Added first, because it may refer to itself.
      this.#byName.set($id, '');
      this.#byName.set($id, this.#shapeOf(schema));
    }
    return $id;
  }

  /** The names of the schemas so far, sorted. */
  names(): string[] {
    return [...this.#byName.keys()].sort();
  }

  /** The declarations of everything that has a name. */
  declarations(): string[] {
    return this.names().map((name) => {
      const shape = this.#byName.get(name) ?? '';
      return shape.startsWith('{') ? `export interface ${name} ${shape}` : `export type ${name} = ${shape};`;
    });
  }

  #shapeOf(schema: Schema): string {
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    if (schema.anyOf !== undefined) return schema.anyOf.map((one) => this.of(one)).join(' | ');
    switch (schema.type) {
      case 'object':
        return this.#objectOf(schema);
      case 'array':
        return `Array<${schema.items === undefined ? 'unknown' : this.of(schema.items)}>`;
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      default:
        return 'unknown';
    }
  }

  #objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
    const lines = Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description === undefined || property.$id !== undefined
        ? []
        : [`/** ${property.description} */`]),
      `${name}${required.includes(name) ? '' : '?'}: ${this.of(property)};`,
    ]);
    if (lines.length === 0) return '{ [name: string]: unknown }';
    if (additionalProperties === true) lines.push('[name: string]: unknown;');
    return `{\n${lines.map((line) => line.replaceAll(/^/gm, '  ')).join('\n')}\n}`;
  }
}
