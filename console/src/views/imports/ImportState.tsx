import type { Import } from 'confab-client';
import { Badge, type Tone } from '../../components/Badge.tsx';
import { t } from './messages.ts';

const tones: { readonly [S in Import['state']]: Tone } = {
  reading: 'warn',
  ready: 'warn',
  running: 'warn',
  finished: 'good',
  failed: 'bad',
  stopped: 'plain',
  expired: 'plain',
  undoing: 'warn',
  undone: 'plain',
};

/** Where an import is, in a word. */
export function ImportState({ state }: Pick<Import, 'state'>) {
  return <Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>;
}

/** Whether an import changes by itself. */
export function isUnderWay({ state }: Pick<Import, 'state'>): boolean {
  return state === 'reading' || state === 'running' || state === 'undoing';
}
