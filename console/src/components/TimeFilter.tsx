import { setQuery, usePlace } from '../router.ts';
import { useShownValue } from './shown-value.ts';

/** A time that filters a list. It stands in the address in UTC, and in the field in the zone of the reader. */
export function TimeFilter({ label, name }: { readonly label: string; readonly name: string }) {
  const { query } = usePlace();
  const shown = useShownValue(localOf(query.get(name)));
  const choose = (value: string) =>
    setQuery({ [name]: value === '' ? undefined : new Date(value).toISOString() });
  return (
    <label class="filter">
      <span>{label}</span>
      <input type="datetime-local" {...shown} onChange={(event) => choose(event.currentTarget.value)} />
    </label>
  );
}

/** A time as a field has it; empty for none. */
function localOf(time: string | null): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
