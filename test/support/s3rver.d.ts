/** What the tests use of the S3 server, which brings no types of its own. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  /** Keeps objects in a folder and checks the signature of every request that has one. */
  class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    readonly httpServer: Server;
    readonly store: S3rver.ObjectStore;
    run(): Promise<{ readonly port: number }>;
  }
  namespace S3rver {
    /** What reads the objects from their folder. */
    type ObjectStore = {
      getObject(
        bucket: string,
        key: string,
        range?: { readonly start?: number; readonly end?: number | string },
      ): Promise<unknown>;
    };
  }
  export = S3rver;
}
