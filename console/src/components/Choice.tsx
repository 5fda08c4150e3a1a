import type { ComponentChildren } from 'preact';
import { Field } from './Field.tsx';

type ChoiceProps = {
  readonly label: string;
  /** The name of the field in the form. */
  readonly name: string;
  /** The values with their words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  /** What is chosen at first; the first option if it is absent. */
  readonly value?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onChange?: (value: string) => void;
};

/** A field of a form in which one of several values is chosen. */
export function Choice({
  label,
  name,
  options,
  value,
  hint,
  error,
  isDisabled = false,
  onChange,
}: ChoiceProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select
          {...attributes}
          name={name}
          disabled={isDisabled}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each} selected={each === (value ?? '')}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
