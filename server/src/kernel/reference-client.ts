/**
 * Whether a request comes from the reference client, by its header `X-Weavy-Source`. It cannot render an item without
 * its author and tells the types of apps apart by guid.
 */
export function isReferenceClient(source: string | string[] | undefined): boolean {
  return typeof source === 'string' && source.startsWith('@weavy/uikit');
}

/** The order in which the reference client gets two responses. */
export type AnswerOrder = {
  /** Call when sending the features of an app type to a user. */
  featuresSent(userId: number): void;
  /** Resolves once a user who also requests the features has received them, at the latest after the patience. */
  afterFeatures(userId: number): Promise<void>;
};

/** The same order for requests that may run again: each waits until it is known that it does not (`Db.confirmed`). */
export type ConfirmedOrder = { readonly [K in keyof AnswerOrder]: (userId: number) => Promise<void> };
