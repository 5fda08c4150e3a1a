import { useId } from 'preact/hooks';
import { setQuery, usePlace } from '../router.ts';
import { useShownValue } from './shown-value.ts';

type TextFilterProps = {
  readonly label: string;
  /** The parameter of the address. */
  readonly name: string;
  readonly placeholder?: string;
  /** Texts that are offered. */
  readonly suggestions?: readonly string[];
};

/** A text that filters a list once it is entered. It stands in the address. */
export function TextFilter({ label, name, placeholder, suggestions = [] }: TextFilterProps) {
  const { query } = usePlace();
  const id = useId();
  const shown = useShownValue(query.get(name) ?? '');
  return (
    <>
      <label class="filter">
        <span>{label}</span>
        <input
          list={id}
          dir="auto"
          placeholder={placeholder}
          {...shown}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value.trim() })}
        />
      </label>
      <datalist id={id}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}
