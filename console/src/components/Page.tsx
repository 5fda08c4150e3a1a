import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type PageProps = {
  readonly title: string;
  /** What stands beside the title, such as buttons. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

let isFirst = true;

/** A view: its title, which gets the focus when the view opens, and its content. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Confab`;
  }, [title]);
  useEffect(() => {
    // The first view of the page is where the reader already is.
    if (!isFirst && document.querySelector('dialog[open]') === null) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
