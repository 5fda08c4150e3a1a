import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type FieldProps = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value, such as `action.errorOf('name')`. */
  readonly error?: string | undefined;
  /** The input, select or textarea, with these attributes. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
};

/** A field of a form with its label, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const isDescribed = error !== undefined || hint !== undefined;
  const attributes = {
    id,
    'aria-describedby': isDescribed ? `${id}-about` : undefined,
    'aria-invalid': error !== undefined,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(attributes)}
      {isDescribed && (
        <p id={`${id}-about`} class={error === undefined ? 'soft' : 'wrong'}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
