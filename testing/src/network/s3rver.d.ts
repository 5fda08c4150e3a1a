/** The parts of the S3 server that the tests use; the package has no types. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  /** Stores objects in a folder and checks the signature of every request that has one. */
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
    /** Reads the objects from their folder. */
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
