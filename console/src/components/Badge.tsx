import type { ComponentChildren } from 'preact';

/** What a state means: in order, to be looked at, wrong, or neither. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A state in a word. The word says it; the colour only repeats it. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
