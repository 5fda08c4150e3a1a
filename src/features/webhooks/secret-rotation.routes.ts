import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { SecretRotations } from './secret-rotation.ts';

/** Binds the rotation of secrets. */
export function bindSecretRotations(http: Http, rotations: SecretRotations): void {
  http.bind(operations.rotateWebhookSecret, ({ principal, params, body }) =>
    rotations.rotateWebhookSecret(principal, params.id, body),
  );
}
