import { t } from '../messages.ts';
import { toast } from './Toasts.tsx';

/** A button that copies a text. */
export function Copy({ text, label = t('copy') }: { readonly text: string; readonly label?: string }) {
  const copy = async (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const host = event.currentTarget.parentElement ?? document.body;
    await copyText(text, host);
    toast(t('copied'));
  };
  return (
    <button type="button" onClick={copy}>
      {label}
    </button>
  );
}

/** Browsers have a clipboard over TLS and on the own machine alone. Elsewhere the text is selected and copied. */
async function copyText(text: string, host: HTMLElement): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden';
  // Inside the dialog, which has the focus to itself.
  host.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}
