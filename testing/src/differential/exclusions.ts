/**
 * What the comparison of responses leaves out, with the reasons. Everything else must be equal: names that a server
 * generates (ids, secrets, keys) must correspond throughout, and times are equal because both servers share a clock.
 */

/** Headers whose values are left out. */
export const excludedHeaders: { readonly [name: string]: string } = {
  date: 'Node takes it from the machine',
  'x-request-id': 'drawn by each process',
  location: 'the id of what was created, which the body has as well',
  etag: 'a hash of the body, in which ids and addresses differ; server/test/http/entity-tags.test.ts compares tags',
  'content-length': 'the bodies are compared; ids of other lengths make another length',
};

/** Properties of bodies whose values are left out. */
export const excludedProperties: { readonly [name: string]: string } = {
  request_id: 'drawn by each process',
  hint: 'the end of a key, which is drawn',
  signature: 'of a receipt: made with a key of each store',
  duration: 'how long a receiver took, measured',
  rev: 'of an app in the second form: a time with the id of its last message added; of a file it is the `version`',
  'content-length': 'of what a webhook was sent: the body is compared',
};

/** Operations whose bodies are left out. */
export const excludedBodies: { readonly [operation: string]: string } = {
  getSettings: 'the folder and the database of a server',
  listBackups: 'whether the engine has backups',
  getStatus: 'the engine and the checks of a server',
  exportUser: 'an archive: ids are in every line, and in the sum of each header',
};

/** Orders of lists that are not requested, by operation or for all of them. */
export const excludedOrders: { readonly [order: string]: string } = {
  duration: 'what a receiver took is measured',
  'listApps uid': 'the uids of conversations are drawn',
  'listApps display_name': 'one without a name is shown by its uid',
};

/** Lists that are not searched for words that could be prefixes of random hexadecimal digits. */
export const excludedQuestions: { readonly [operation: string]: string } = {
  listApps: 'the uids of conversations are drawn',
  listConversations: 'the uids of conversations are drawn',
  listDeliveries: 'guids are drawn',
};

/** Parts of texts that are left out, as regular expressions. */
export const excludedTexts: { readonly [pattern: string]: string } = {
  '(?<=^<)[^>]+(?=>; rel="next"$)': 'the next page: ids and drawn names are in its address and its cursor',
  'signature=[\\w-]{43}': 'made with a secret of each store; that it is good is tried by loading the address',
  '(?:sha256=[0-9a-f]{64}|v1,[A-Za-z0-9+/]{43}=)': 'signatures of bodies that have drawn ids in them',
};
