/** Settings that can contradict each other, as parsed by `config/config.ts`. */
type Together = {
  readonly demo: string;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly backupTo: string | undefined;
  readonly backupLog: 'yes' | 'no';
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
  readonly secretsKey: unknown;
  readonly secretsKeyFile: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string | undefined;
  readonly s3AccessKeyId: string | undefined;
  readonly s3SecretAccessKey: string | undefined;
  readonly s3PublicEndpoint: string | undefined;
  readonly jwtIssuer: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly jwtJwksUrl: string | undefined;
  readonly jwtSecret: string | undefined;
  readonly jwtPublicKey: unknown;
  readonly jwtDirectoryClaim: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly signIn: readonly string[];
  readonly signInProviders: readonly { readonly name: string }[] | undefined;
  readonly moderationHookUrl: string | undefined;
  readonly moderationHookSecret: string | undefined;
};

/**
 * Throws an Error that names settings that are valid alone and invalid together. `settingNames` contains the names of the
 * variables that have a value.
 */
export function refuseTogether(config: Together, settingNames: readonly string[]): void {
  refuseReachableDemo(config);
  refuseTwoKeyPlaces(config);
  refuseHalfBucket(config, settingNames);
  refuseLoneReplica(config);
  refuseHalfProvider(config);
  refuseHalfMail(config);
  refuseHalfHook(config);
  refuseSignInWithoutMail(config);
  refuseUnknownWay(config);
  refuseBackupOfPostgres(config);
  refuseLogWithoutPlace(config);
}

/** Whether only this machine can reach a server that listens on the host. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Refuses a demo that other machines can reach. */
function refuseReachableDemo({ demo, host }: Together): void {
  if (demo === 'here' && !isLoopback(host))
    throw new Error(
      `the demo hands out access tokens, and others can reach ${host}: listen on 127.0.0.1, or say --demo everyone`,
    );
}

/** Refuses keys in two places, because one would be ignored. */
function refuseTwoKeyPlaces({ secretsKey, secretsKeyFile }: Together): void {
  if (secretsKey !== undefined && secretsKeyFile !== undefined)
    throw new Error('CONFAB_SECRETS_KEY and CONFAB_SECRETS_KEY_FILE are both set; set one of them');
}

/** Refuses a replica without a database. */
function refuseLoneReplica({ databaseUrl: url, databaseReplicaUrl: replicaUrl }: Together): void {
  if (replicaUrl !== undefined && url === undefined)
    throw new Error('CONFAB_DATABASE_REPLICA_URL is set and CONFAB_DATABASE_URL is not');
}

/** Refuses backups by the server of a store that has tools of its own for them. */
function refuseBackupOfPostgres({ backupTo, databaseUrl: url }: Together): void {
  if (backupTo !== undefined && url !== undefined)
    throw new Error(
      'CONFAB_BACKUP_TO is for a store on SQLite: back PostgreSQL up with its own tools, as docs/backups.md says',
    );
}

/** Refuses a log that would be shipped nowhere. */
function refuseLogWithoutPlace({ backupTo, backupLog }: Together): void {
  if (backupLog === 'yes' && backupTo === undefined)
    throw new Error('CONFAB_BACKUP_LOG is yes and CONFAB_BACKUP_TO is not set');
}

/** Refuses an incomplete configuration of a bucket. Without one for uploads, its access can be that of backups. */
function refuseHalfBucket(config: Together, settingNames: readonly string[]): void {
  const { s3Bucket, s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey, s3PublicEndpoint } = config;
  const first = settingNames.find((variable) => variable.startsWith('CONFAB_S3_'));
  if (s3Bucket === undefined && first !== undefined && config.backupTo?.startsWith('s3://') !== true)
    throw new Error(`${first} is set and CONFAB_S3_BUCKET is not`);
  if (s3AccessKeyId === undefined && s3SecretAccessKey !== undefined)
    throw new Error('CONFAB_S3_SECRET_ACCESS_KEY is set and CONFAB_S3_ACCESS_KEY_ID is not');
  if (s3AccessKeyId !== undefined && s3SecretAccessKey === undefined)
    throw new Error('CONFAB_S3_ACCESS_KEY_ID is set and CONFAB_S3_SECRET_ACCESS_KEY is not');
  if (s3Bucket !== undefined && s3Endpoint === undefined && s3Region === undefined)
    throw new Error('CONFAB_S3_BUCKET needs CONFAB_S3_REGION, or CONFAB_S3_ENDPOINT for a store of your own');
  if (s3PublicEndpoint === undefined || config.publicUrl === undefined) return;
  if (new URL(s3PublicEndpoint).origin === new URL(config.publicUrl).origin)
    throw new Error(
      'CONFAB_S3_PUBLIC_ENDPOINT must be another origin than CONFAB_PUBLIC_URL: what people upload is shown there',
    );
}

/** Refuses a mail server without a sender. */
function refuseHalfMail({ smtpUrl, mailFrom }: Together): void {
  if (smtpUrl !== undefined && mailFrom === undefined)
    throw new Error('CONFAB_SMTP_URL is set and CONFAB_MAIL_FROM is not');
}

/** Refuses a way of signing in that is neither Confab's own nor a provider. */
function refuseUnknownWay({ signIn, signInProviders = [] }: Together): void {
  const known = new Set(['guest', 'email', ...signInProviders.map(({ name }) => name)]);
  const unknown = signIn.find((way) => !known.has(way));
  if (unknown !== undefined)
    throw new Error(`CONFAB_SIGN_IN has "${unknown}", which CONFAB_SIGN_IN_PROVIDERS does not describe`);
}

/** Refuses codes by mail without a mail server. */
function refuseSignInWithoutMail({ signIn, smtpUrl }: Together): void {
  if (signIn.includes('email') && smtpUrl === undefined)
    throw new Error('CONFAB_SIGN_IN has email and CONFAB_SMTP_URL is not set');
}

/** Refuses a hook without a secret, because it could not tell who asks, and a secret without a hook. */
function refuseHalfHook({ moderationHookUrl: url, moderationHookSecret: secret }: Together): void {
  if (url !== undefined && secret === undefined)
    throw new Error('CONFAB_MODERATION_HOOK_URL is set and CONFAB_MODERATION_HOOK_SECRET is not');
  if (url === undefined && secret !== undefined)
    throw new Error('CONFAB_MODERATION_HOOK_SECRET is set and CONFAB_MODERATION_HOOK_URL is not');
}

/** Refuses an incomplete or ambiguous configuration of an identity provider. */
function refuseHalfProvider(config: Together): void {
  const keys = Object.entries({
    CONFAB_JWT_JWKS_URL: config.jwtJwksUrl,
    CONFAB_JWT_SECRET: config.jwtSecret,
    CONFAB_JWT_PUBLIC_KEY: config.jwtPublicKey,
  });
  const [first, second] = keys.filter(([, value]) => value !== undefined).map(([variable]) => variable);
  if (second !== undefined) throw new Error(`${first} and ${second} are both set; set one of them`);
  const claims = {
    CONFAB_JWT_ISSUER: config.jwtIssuer,
    CONFAB_JWT_AUDIENCE: config.jwtAudience,
    CONFAB_JWT_DIRECTORY_CLAIM: config.jwtDirectoryClaim,
  };
  const claim = first ?? Object.entries(claims).find(([, value]) => value !== undefined)?.[0];
  if (claim === undefined) return;
  if (first === undefined)
    throw new Error(
      `${claim} needs ${keys
        .map(([variable]) => variable)
        .join(', ')
        .replace(/, (?=[^,]*$)/, ' or ')}`,
    );
  for (const variable of ['CONFAB_JWT_ISSUER', 'CONFAB_JWT_AUDIENCE'] as const)
    if (claims[variable] === undefined) throw new Error(`${claim} is set and ${variable} is not`);
}
