import { between, oneOf, publicUrl, setting } from './config-values.ts';

/** The settings of the hook that judges texts before they are taken (decision 0066). */
export const moderationSettings = {
  moderationHookUrl: setting(
    'CONFAB_MODERATION_HOOK_URL',
    {
      sentence:
        'The address of a program of yours that judges each text before it is taken ([docs/keeping-a-community.md](keeping-a-community.md)). It must be public, or stand in CONFAB_EGRESS_ALLOW.',
      values: 'an http or https address',
    },
    publicUrl,
  ),
  moderationHookSecret: setting(
    'CONFAB_MODERATION_HOOK_SECRET',
    {
      sentence:
        'The secret with which requests to this program are signed, as deliveries of webhooks are. As a flag it can be seen in the list of processes: prefer the variable.',
      values: '`whsec_` and 24 to 64 bytes in base64',
      isSecret: true,
    },
    signingSecret,
  ),
  moderationHookSeconds: setting(
    'CONFAB_MODERATION_HOOK_SECONDS',
    {
      sentence: 'How many seconds a text waits for the answer of this program.',
      values: '1 to 10',
    },
    between(1, 10, 3),
  ),
  moderationHookFallback: setting(
    'CONFAB_MODERATION_HOOK_FALLBACK',
    {
      sentence:
        'What happens to a text for which this program has no answer in time: it is taken, held for a moderator, or refused.',
      values: 'take, hold, refuse',
    },
    oneOf(['take', 'hold', 'refuse'] as const, 'hold'),
  ),
};

function signingSecret(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const key = text.startsWith('whsec_')
    ? Buffer.from(text.slice('whsec_'.length), 'base64')
    : Buffer.alloc(0);
  if (key.length < 24 || key.length > 64) throw new Error('must be whsec_ and the base64 of 24 to 64 bytes');
  return text;
}
