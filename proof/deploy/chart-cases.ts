/** The kinds of objects that the chart has. */
export type Kind =
  | 'ConfigMap'
  | 'Deployment'
  | 'Ingress'
  | 'PersistentVolumeClaim'
  | 'PodDisruptionBudget'
  | 'Service'
  | 'ServiceAccount'
  | 'ServiceMonitor'
  | 'StatefulSet';

/** Values, and what the chart makes of them: more than what it always has, or the words of a refusal. */
export type ChartCase = {
  readonly values: object;
  readonly kinds: readonly Kind[];
  readonly postgres?: boolean;
  readonly replicas?: number;
  readonly words?: RegExp;
};

const image = { repository: 'registry.example/confab' };
const secret = (key: string) => ({ name: 'confab', key });
const database = { 'database-url': secret('url') };
const bucket = { 's3-bucket': 'uploads', 's3-region': 'eu-north-1' };
const monitor = { enabled: true, apiKey: secret('prometheus') };
const refused = (values: object, words: RegExp): ChartCase => ({
  values: { image, ...values },
  kinds: [],
  words,
});

/** Cases by what they are about. */
export const chartCases: Readonly<Record<string, ChartCase>> = {
  'SQLite with nothing but an image': { values: { image }, kinds: ['StatefulSet'] },
  'SQLite with everything': {
    values: {
      image: { ...image, tag: '1.2.3' },
      imagePullSecrets: [{ name: 'registry' }],
      settings: {
        'cors-origins': ['https://a.example', 'https://b.example'],
        'trusted-proxies': '10.0.0.0/8',
        'upload-quota-mib': 1_000_000,
        'stop-seconds': 60,
        mcp: 'yes',
        'backup-to': '/data/backups',
        'mail-from': 'Product <no-reply@example.com>',
      },
      secrets: { 'smtp-url': secret('smtp'), 'secrets-key': secret('keys') },
      persistence: { size: '20Gi', storageClass: 'fast' },
      ingress: { enabled: true, className: 'nginx', host: 'confab.example.com', tlsSecret: 'tls' },
      serviceMonitor: monitor,
      resources: { limits: { memory: '1Gi' } },
      podAnnotations: { note: 'yes' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
    },
    kinds: ['Ingress', 'ServiceMonitor', 'StatefulSet'],
  },
  'SQLite in a claim that exists': {
    values: { image, persistence: { existingClaim: 'mine' } },
    kinds: ['StatefulSet'],
  },
  'PostgreSQL and a bucket': {
    values: { image, replicas: 3, settings: bucket, secrets: { ...database, 'secrets-key': secret('keys') } },
    kinds: ['Deployment', 'PodDisruptionBudget'],
    postgres: true,
    replicas: 3,
  },
  'PostgreSQL and a shared volume': {
    values: { image, replicas: 2, secrets: database, persistence: { accessMode: 'ReadWriteMany' } },
    kinds: ['Deployment', 'PersistentVolumeClaim', 'PodDisruptionBudget'],
    postgres: true,
    replicas: 2,
  },
  'PostgreSQL with one node': {
    values: { image, secrets: database },
    kinds: ['Deployment', 'PersistentVolumeClaim'],
    postgres: true,
  },
  'no image': refused({ image: { repository: '' } }, /image\.repository is empty/),
  'several nodes on SQLite': refused({ replicas: 2 }, /replicas is 2, and SQLite has one node/),
  'nodes without a common place': refused(
    { replicas: 2, secrets: database },
    /no place in common for uploads/,
  ),
  'a key that would be lost': refused(
    { settings: bucket, secrets: database },
    /secrets\.secrets-key is missing/,
  ),
  'backups of PostgreSQL': refused(
    { secrets: database, settings: { 'backup-to': 's3://bucket/a' } },
    /backup-to is for SQLite/,
  ),
  'backups where nothing is written': refused(
    { settings: { 'backup-to': '/backups' } },
    /a pod cannot write/,
  ),
  'an ingress without a host': refused({ ingress: { enabled: true } }, /ingress\.host is empty/),
  'metrics without a key': refused(
    { serviceMonitor: { enabled: true } },
    /serviceMonitor\.apiKey is missing/,
  ),
  'metrics elsewhere': refused(
    { serviceMonitor: monitor, settings: { metrics: '9464' } },
    /settings\.metrics takes/,
  ),
};

/** Mistakes in a template that the checks must find: the file, what it says, and what it says with the mistake. */
export const chartPlants: Readonly<Record<string, readonly [file: string, from: string, to: string]>> = {
  'a mount without a volume': ['_pod.tpl', '    - name: tmp\n      emptyDir: {}\n', ''],
  'a service for other pods': [
    'service.yaml',
    '{{- include "confab.selector" . | nindent 4 }}',
    'app: other',
  ],
  'a variable that does not exist': ['_pod.tpl', 'CONFAB_%s_FILE', 'CONFAB_%s_PATH'],
  'a pod with the variables of services': [
    '_pod.tpl',
    'enableServiceLinks: false',
    'enableServiceLinks: true',
  ],
  'too little time to end': ['_pod.tpl', 'default 25) 5 }}', 'default 25) -100 }}'],
  'a wrong indentation': ['configmap.yaml', 'nindent 4 }}\ndata', 'nindent 1 }}\ndata'],
  'two nodes on SQLite': [
    '_refuse.tpl',
    '(gt $replicas 1) (not $postgres)',
    '(gt $replicas 2) (not $postgres)',
  ],
};
