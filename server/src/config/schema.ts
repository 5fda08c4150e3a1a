import { fileVariableOf, flagOf, type Settings } from './sources.ts';
import type { JsonSchema, Setting } from './values.ts';

/** The JSON Schema (draft 7, which editors of YAML know) of the configuration file. */
export function configSchema(settings: Settings): JsonSchema {
  const inFile = Object.values(settings).filter(({ isOutsideFile }) => isOutsideFile !== true);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The settings of Confab',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(inFile.flatMap(propertiesOf)),
  };
}

function propertiesOf(one: Setting<unknown>): [string, JsonSchema][] {
  const { variable, sentence, kind } = one;
  const key = flagOf(variable);
  const fileVariable = fileVariableOf(one);
  const isNumber = kind.schema.type === 'integer';
  const standard = one.default === undefined ? {} : { default: isNumber ? Number(one.default) : one.default };
  const plain: [string, JsonSchema] = [key, { description: sentence, ...kind.schema, ...standard }];
  if (fileVariable === undefined) return [plain];
  return [
    plain,
    [flagOf(fileVariable), { description: `The file with the value of ${key}.`, type: 'string' }],
  ];
}
