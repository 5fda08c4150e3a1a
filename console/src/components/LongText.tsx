import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { beginningOf } from '../beginning.ts';
import { t } from '../messages.ts';

/** How much of a text is shown at first. */
const charactersMax = 3000;
const linesMax = 40;
/** A longer text is shown without colours, which would make an element of each word. */
const colouredMax = 200_000;

/** A text of a program, such as a body of a request: as it is, or set readable where it is JSON. Long ones are cut. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const [readable, isJson] = readableOf(text);
  const lines = readable.split('\n');
  const isLong = readable.length > charactersMax || lines.length > linesMax;
  const shown =
    isWhole || !isLong ? readable : beginningOf(lines.slice(0, linesMax).join('\n'), charactersMax);
  return (
    <>
      <pre class="long-text" dir="ltr">
        {isJson && shown.length <= colouredMax ? coloured(shown) : shown}
        {shown !== readable && '…'}
      </pre>
      {isLong && (
        <button
          type="button"
          class="link"
          aria-expanded={isWhole}
          aria-label={`${label}: ${isWhole ? t('showLess') : t('showAll')}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('showLess') : t('showAll')}
        </button>
      )}
    </>
  );
}

function readableOf(text: string): readonly [text: string, isJson: boolean] {
  if (!/^\s*[[{]/.test(text)) return [text, false];
  try {
    return [JSON.stringify(JSON.parse(text), null, 2), true];
  } catch {
    return [text, false];
  }
}

const words = /("(?:[^"\\\n]|\\.)*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

function coloured(json: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const found of json.matchAll(words)) {
    const [word, text, colon] = found;
    const kind = text === undefined ? 'value' : colon === undefined ? 'text' : 'name';
    parts.push(json.slice(end, found.index), <span class={`json-${kind}`}>{word}</span>);
    end = found.index + word.length;
  }
  return [...parts, json.slice(end)];
}
