/**
 * Whether a request comes from the reference client, by its header `X-Weavy-Source`. It cannot render an item without
 * its author and tells the types of apps apart by guid.
 */
export function isReferenceClient(source: string | string[] | undefined): boolean {
  return typeof source === 'string' && source.startsWith('@weavy/uikit');
}

/** In which order the reference client gets two answers. */
export type AnswerOrder = {
  /** Call when a user gets the features of a kind of app. */
  featuresSent(userId: number): void;
  /** Resolves when a user who also requests the features has got them, and at the latest after the patience. */
  afterFeatures(userId: number): Promise<void>;
};
