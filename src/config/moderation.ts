import { between, httpAddress, oneOf, setting, text } from './values.ts';

/** The settings of the hook that judges texts before they are taken (decision 0066). */
export const moderationSettings = {
  moderationHookUrl: setting('CONFAB_MODERATION_HOOK_URL', {
    kind: httpAddress(),
    sentence:
      'The address of a program of yours that judges each text before it is taken ([docs/keeping-a-community.md](keeping-a-community.md)). It must be public, or stand in CONFAB_EGRESS_ALLOW.',
  }),
  moderationHookSecret: setting('CONFAB_MODERATION_HOOK_SECRET', {
    kind: text('`whsec_` and 24 to 64 bytes in base64', signingSecret),
    sentence: 'The secret with which requests to this program are signed, as deliveries of webhooks are.',
    isSecret: true,
  }),
  moderationHookSeconds: setting('CONFAB_MODERATION_HOOK_SECONDS', {
    kind: between(1, 10),
    default: '3',
    sentence: 'How many seconds a text waits for the answer of this program.',
  }),
  moderationHookFallback: setting('CONFAB_MODERATION_HOOK_FALLBACK', {
    kind: oneOf(['take', 'hold', 'refuse']),
    default: 'hold',
    sentence:
      'What happens to a text for which this program has no answer in time: it is taken, held for a moderator, or refused.',
  }),
};

function signingSecret(given: string): string {
  const key = given.startsWith('whsec_')
    ? Buffer.from(given.slice('whsec_'.length), 'base64')
    : Buffer.alloc(0);
  if (key.length < 24 || key.length > 64) throw new Error('must be whsec_ and the base64 of 24 to 64 bytes');
  return given;
}
