import { between, httpAddress, oneOf, setting, text } from './values.ts';

/** The settings of the hook that judges texts before they are taken (decision 0066). */
export const moderationSettings = {
  moderationHookUrl: setting('CONFAB_MODERATION_HOOK_URL', {
    kind: httpAddress(),
    sentence:
      'The address of your moderation hook, a program that decides on each text before it is stored ([docs/keeping-a-community.md](keeping-a-community.md)). It must be public, or CONFAB_EGRESS_ALLOW must list its host.',
  }),
  moderationHookSecret: setting('CONFAB_MODERATION_HOOK_SECRET', {
    kind: text('`whsec_` and 24 to 64 bytes in base64', signingSecret),
    sentence: 'The secret that signs requests to the moderation hook, as webhook deliveries are signed.',
    isSecret: true,
  }),
  moderationHookSeconds: setting('CONFAB_MODERATION_HOOK_SECONDS', {
    kind: between(1, 10),
    default: '3',
    sentence: 'How many seconds a text waits for the response of the moderation hook.',
  }),
  moderationHookFallback: setting('CONFAB_MODERATION_HOOK_FALLBACK', {
    kind: oneOf(['take', 'hold', 'refuse']),
    default: 'hold',
    sentence:
      'The fallback for a text when the moderation hook does not respond in time: the text is taken, held for a moderator, or refused.',
  }),
};

function signingSecret(text: string): string {
  const key = text.startsWith('whsec_')
    ? Buffer.from(text.slice('whsec_'.length), 'base64')
    : Buffer.alloc(0);
  if (key.length < 24 || key.length > 64) throw new Error('must be whsec_ and the base64 of 24 to 64 bytes');
  return text;
}
