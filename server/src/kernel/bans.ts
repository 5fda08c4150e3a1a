/** Which addresses of visitors are banned, as far as a node knows. */
export type Bans = {
  /**
   * Throws `address_banned` for a client at a banned address; undefined where that is known at once. An address that may
   * stand for everybody (undefined) is never banned.
   */
  assertFree(address: string | undefined): Promise<void> | undefined;
};
