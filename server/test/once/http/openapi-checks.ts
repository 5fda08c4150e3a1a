import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What the OpenAPI documents of both forms are checked for. */

/** The paths of properties without a description in a part of the document. */
export function undescribed(part: any, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const isSchema = part.type === 'object' && typeof part.properties === 'object';
  const here = Object.entries<any>(isSchema ? part.properties : {})
    .filter(([, property]) => typeof property.description !== 'string' || property.description.trim() === '')
    .map(([name]) => `${path}.${name}`);
  // An example is a value, so its properties have no descriptions.
  const inner = Object.entries(part).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...here, ...inner.flatMap(([key, value]) => undescribed(value, `${path}/${key}`))];
}

/** Whether a text is not a sentence: it begins or ends in the middle, or has fewer than three words. */
export function isFragment(text: string): boolean {
  return !/^[A-Z`].*\.$/s.test(text) || text.split(' ').length < 3;
}

/** The descriptions of all parts of a document. */
export function descriptionsIn(part: any): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = typeof part.description === 'string' ? [part.description] : [];
  const inner = Object.entries(part).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...own, ...inner.flatMap(([, value]) => descriptionsIn(value))];
}

/** The target of a reference in a document, or the part itself. */
export function followedIn(document: any, part: any): any {
  if (part?.$ref === undefined) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((inner: any, key: string) => inner[key], document);
}

/** Fails unless each body and each response has an example that its schema allows; returns how many there are. */
export function assertExamples(document: any): number {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema(document, 'document');
  let examples = 0;
  for (const [path, { parameters: _, ...methods }] of Object.entries<any>(document.paths))
    for (const [method, described] of Object.entries<any>(methods)) {
      const at = `#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`;
      const places = [
        [`${at}/requestBody`, described.requestBody],
        ...Object.keys(described.responses).map((status) => [
          described.responses[status].$ref ?? `${at}/responses/${status}`,
          followedIn(document, described.responses[status]),
        ]),
      ] as const;
      for (const [place, part] of places) {
        const media = part?.content?.['application/json'];
        if (media === undefined) continue;
        const { example = followedIn(document, Object.values(media.examples ?? {})[0])?.value } = media;
        assert.notEqual(example, undefined, `${method} ${path} ${place} has no example`);
        const validate = ajv.getSchema(`document${place}/content/application~1json/schema`);
        assert.ok(validate !== undefined, place);
        assert.ok(validate(example), `${method} ${path} ${place}: ${ajv.errorsText(validate.errors)}`);
        examples += 1;
      }
    }
  return examples;
}
