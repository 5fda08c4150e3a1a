import { formatNumber } from '../../i18n.ts';
import './imports.css';

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
