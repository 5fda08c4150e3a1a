import { Filter } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { usePlace } from '../../router.ts';
import { Items } from './Items.tsx';
import { type Kind, kinds, operations } from './kinds.ts';
import { t } from './messages.ts';

/** What was written in all apps of the caller. */
export function Content() {
  const { query } = usePlace();
  const kind = kinds.find((each) => each === query.get('kind')) ?? 'comments';
  return (
    <Page title={t('title')}>
      <div class="filters">
        <Filter label={t('kind')} name="kind" options={kinds.map(optionOf)} />
      </div>
      <Items key={kind} kind={kind} name={`all ${kind}`} open={operations[kind].all} />
    </Page>
  );
}

function optionOf(kind: Kind): readonly [string, string] {
  return [kind === 'comments' ? '' : kind, t(kind)];
}
