/**
 * Whether a request comes from the reference client, by its header `X-Weavy-Source`. It cannot render an item without
 * its author and tells the types of apps apart by guid.
 */
export function isReferenceClient(source: string | string[] | undefined): boolean {
  return typeof source === 'string' && source.startsWith('@weavy/uikit');
}
