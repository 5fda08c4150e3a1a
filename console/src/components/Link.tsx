import type { ComponentChildren } from 'preact';
import { hrefOf, navigate } from '../router.ts';

type LinkProps = {
  /** A path of the console, such as `/apps/7`. */
  readonly to: string;
  readonly class?: string;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
};

/** A link to a view. With a key or another button of the mouse, the browser opens it as any other link. */
export function Link({ to, isCurrent, children, class: name }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={hrefOf(to)} class={name} aria-current={isCurrent === true ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
