import { settings } from '../src/config/config.ts';
import { configSchema } from '../src/config/schema.ts';
import { fileVariableOf, flagOf } from '../src/config/sources.ts';
import type { JsonSchema } from '../src/config/values.ts';

/** Keys of the configuration file that the chart sets itself. */
const ownKeys: ReadonlySet<string> = new Set(['host', 'port', 'data-dir']);
/** The secret whose variable with a file, CONFAB_SECRETS_KEY_FILE, is a setting of its own. */
const secretWithFile = 'secrets-key';

/** The settings that the chart takes from Secrets: the keys of those whose value can be in a file of its own. */
function secretKeys(): readonly string[] {
  const keys = Object.values(settings)
    .filter((one) => fileVariableOf(one) !== undefined)
    .map(({ variable }) => flagOf(variable));
  return [...keys, secretWithFile].toSorted();
}

/** The configuration file without what the chart sets, and without secrets, which do not belong in a ConfigMap. */
function settingsSchema(): JsonSchema {
  const { title, type, additionalProperties, properties } = configSchema(settings);
  const left = new Set([...ownKeys, ...secretKeys().flatMap((key) => [key, `${key}-file`])]);
  const kept = Object.entries(properties as object).filter(([key]) => !left.has(key));
  return { title, type, additionalProperties, properties: Object.fromEntries(kept) };
}

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const anything = { type: 'object' };
const seconds = (maximum: number) => ({ type: 'integer', minimum: 0, maximum });
const keyOfSecret = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'key'],
  properties: { name: text, key: text },
};

function closed(properties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, properties };
}

/** The JSON Schema (draft 7, which Helm knows) of the values of the chart. Its settings are those of the server. */
export function chartSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The values of the chart of Confab',
    ...closed({
      global: { description: 'Helm gives it to every chart.', ...anything },
      image: closed({
        repository: text,
        tag: text,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: {
        type: 'array',
        items: { ...closed({ name: text }), required: ['name'] },
      },
      replicas: { type: 'integer', minimum: 1, maximum: 100 },
      settings: settingsSchema(),
      secrets: closed(Object.fromEntries(secretKeys().map((key) => [key, keyOfSecret]))),
      persistence: closed({
        size: { type: 'string', pattern: '^[1-9][0-9]*(Mi|Gi|Ti)$' },
        storageClass: text,
        accessMode: { enum: ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany'] },
        existingClaim: text,
      }),
      serviceAccount: closed({ create: { type: 'boolean' }, name: text, annotations: texts }),
      service: closed({
        type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        annotations: texts,
      }),
      ingress: closed({
        enabled: { type: 'boolean' },
        className: text,
        host: text,
        tlsSecret: text,
        annotations: texts,
      }),
      serviceMonitor: closed({
        enabled: { type: 'boolean' },
        interval: { type: 'string', pattern: '^[1-9][0-9]*(s|m)$' },
        labels: texts,
        apiKey: closed({ name: text, key: text }),
      }),
      startSeconds: { ...seconds(86_400), minimum: 5 },
      stopDelaySeconds: seconds(300),
      resources: anything,
      podAnnotations: texts,
      nodeSelector: texts,
      tolerations: { type: 'array', items: anything },
      affinity: anything,
    }),
  };
}
