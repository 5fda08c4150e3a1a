import { formatNumber } from '../../i18n.ts';
import './imports.css';
import { t } from './messages.ts';

/** The counts of posts, messages and files, which only an import of a whole server has. */
export function ofServer(counts: {
  readonly posts?: number;
  readonly messages?: number;
  readonly files?: number;
}): readonly (readonly [name: string, number: number])[] {
  return (['posts', 'messages', 'files'] as const).flatMap((name) => {
    const count = counts[name];
    return count === undefined ? [] : [[t(name), count] as const];
  });
}

/** A table of numbers with their names. */
export function Numbers({
  title,
  numbers,
}: {
  readonly title: string;
  readonly numbers: readonly (readonly [name: string, number: number])[];
}) {
  return (
    <section class="table numbers" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <tbody>
          {numbers.map(([name, number]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{formatNumber(number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
