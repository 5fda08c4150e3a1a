import { useEffect, useRef } from 'preact/hooks';

type ShownValue = {
  readonly ref: { readonly current: HTMLInputElement | null };
  readonly defaultValue: string;
};

/**
 * The attributes of a field that shows a value of the address. The address also changes by itself: a link, or going back.
 * What is typed meanwhile stays, however often the view is drawn again.
 */
export function useShownValue(value: string): ShownValue {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (ref.current !== null && document.activeElement !== ref.current) ref.current.value = value;
  }, [value]);
  return { ref, defaultValue: value };
}
