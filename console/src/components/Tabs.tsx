import { usePlace } from '../router.ts';
import { Link } from './Link.tsx';

type TabsProps = {
  readonly label: string;
  /** The views with their paths, in order. */
  readonly views: readonly (readonly [path: string, label: string])[];
};

/** The way between the views of one thing. */
export function Tabs({ label, views }: TabsProps) {
  const { path } = usePlace();
  return (
    <nav class="tabs" aria-label={label}>
      {views.map(([to, words]) => (
        <Link key={to} to={to} isCurrent={path === to}>
          {words}
        </Link>
      ))}
    </nav>
  );
}
