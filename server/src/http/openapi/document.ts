import type { Schema } from './schemas.ts';

/** Part of the OpenAPI document: plain data, ready for JSON. */
export type Part = { readonly [name: string]: unknown };

/** The OpenAPI 3.1 document of some operations. */
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly components: { readonly schemas: { readonly [name: string]: Schema } } & Part;
} & Part;
