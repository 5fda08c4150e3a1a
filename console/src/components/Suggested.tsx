import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { client } from '../api.ts';

/** What can be chosen: the value that is sent, and the name that people know. */
type Suggestion = { readonly value: string; readonly name: string };

/** How long typing pauses before suggestions are read, in milliseconds. */
const typingMs = 200;
const suggestionsMax = 10;

async function apps(q: string): Promise<readonly Suggestion[]> {
  const { data = [] } = await client.listApps({ q, top: suggestionsMax, count: false });
  return data.map(({ uid, display_name }) => ({ value: uid, name: display_name }));
}

async function users(q: string): Promise<readonly Suggestion[]> {
  const { data = [] } = await client.autocompleteUsers({ q, top: suggestionsMax });
  return data.map(({ uid, display_name }) => ({ value: uid, name: display_name }));
}

const sources = { apps, users } as const;

type SuggestedProps = {
  readonly from: keyof typeof sources;
  readonly id: string;
  readonly name?: string;
  readonly placeholder?: string;
  readonly defaultValue?: string;
  readonly required?: boolean;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean;
  readonly onType?: (value: string) => void;
};

/** An input for the id or uid of an app or a user, which suggests those whose names fit what is typed. */
export function Suggested({ from, onType, ...attributes }: SuggestedProps) {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [typed, setTyped] = useState('');
  const latest = useRef('');
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const { defaultValue = '' } = attributes;
  useEffect(() => {
    // It may stand in the address, which changes by itself as well.
    if (field.current !== null && document.activeElement !== field.current)
      field.current.value = defaultValue;
  }, [defaultValue]);
  latest.current = typed;
  useEffect(() => {
    if (typed.trim() === '') return undefined;
    const timer = setTimeout(async () => {
      // Suggestions are a help only: without them, an id or uid can be typed.
      const next = await sources[from](typed).catch(() => []);
      if (latest.current === typed) setFound(next);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed, from]);
  return (
    <>
      <input
        {...attributes}
        ref={field}
        list={listId}
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          onType?.(value);
        }}
      />
      <datalist id={listId}>
        {found.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
