const madeUid = /^[a-z_]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the server generated the uid of an app (`generateUid`); searches leave such uids out. */
export function isGeneratedUid(uid: string): boolean {
  return madeUid.test(uid);
}
