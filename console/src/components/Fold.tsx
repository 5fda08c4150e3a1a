import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

type FoldProps = {
  /** What the controls are, such as "Filters". */
  readonly label: string;
  /** What is chosen in them, which stands in the line while they are folded. */
  readonly chosen: readonly string[];
  readonly children: ComponentChildren;
};

/** The filters of a list. On a phone they are one line that opens; elsewhere there is room for all of them. */
export function Fold({ label, chosen, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search class={isOpen ? 'fold is-open' : 'fold'}>
      <button
        type="button"
        class="fold-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <strong>{label}</strong> <span class="soft">{chosen.join(' · ')}</span>
      </button>
      <div class="filters" id={id}>
        {children}
      </div>
    </search>
  );
}
