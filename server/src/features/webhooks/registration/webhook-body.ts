import type { Clearable } from 'confab-contract/operation.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { WebhookPatch } from 'confab-contract/webhooks.ts';
import { isTrigger } from '../../../events/events.ts';
import { Faults } from '../../../kernel/faults.ts';
import type { EgressRules } from '../../../net/rules.ts';
import { checkTarget } from '../../../net/target.ts';
import { readSecret } from '../secrets/signature.ts';

/** The rules for the body of a webhook: which addresses webhooks may have. */
export type WebhookRules = { readonly webhookRules: EgressRules };

/** The fields of a webhook that a request sets. An undefined field stays as it is; a null secret clears the secret. */
export type WebhookChange = {
  readonly payloadUrl: string | undefined;
  readonly secret: string | null | undefined;
  readonly triggers: readonly string[] | undefined;
  readonly isEnabled: boolean | undefined;
  readonly isOrdered: boolean | undefined;
};

type Body = Pick<Clearable<WebhookPatch>, 'payload_url' | 'secret' | 'triggers' | 'ordered'>;

/** The readers of the fields that have rules of their own; each throws `validation_failed`. */
export function webhookReaders({ webhookRules }: WebhookRules) {
  return {
    payload_url(input: string): string {
      const verdict = checkTarget(input, webhookRules);
      if (!verdict.ok) throw invalidField('/payload_url', verdict.code, verdict.message);
      return input;
    },
    secret: readSecret,
    triggers: readTriggers,
  } as const;
}

function readTriggers(input: readonly string[]): string[] {
  const faults = new Faults();
  for (const [index, name] of input.entries())
    if (!isTrigger(name))
      faults.add(() => ({
        pointer: `/triggers/${index}`,
        code: 'unknown',
        message: 'names no group of events and no action',
      }));
  if (faults.count > 0) throw faults.problem('validation_failed');
  return [...new Set(input)];
}

/** The change that a body requests, once its fields have been read. */
export function webhookChange(body: Body, isEnabled: boolean | undefined): WebhookChange {
  return {
    payloadUrl: body.payload_url ?? undefined,
    secret: body.secret,
    triggers: body.triggers ?? undefined,
    isEnabled,
    isOrdered: body.ordered ?? undefined,
  };
}
