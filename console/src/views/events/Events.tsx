import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Badge, type Tone } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List } from '../../components/List.tsx';
import { missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { TextFilter } from '../../components/TextFilter.tsx';
import { Time } from '../../components/Time.tsx';
import { TimeFilter } from '../../components/TimeFilter.tsx';
import { formatTime } from '../../i18n.ts';
import { setQuery, usePlace } from '../../router.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { abouts, subjectsOf, whats, wordsOf } from './filters.ts';
import type { Event } from './log.ts';
import { aboutName, t, whatName } from './messages.ts';
import { useLog } from './use-log.ts';
import './events.css';

/** The log as it grows: filter it, follow what something went through. */
export function Events() {
  const { query } = usePlace();
  const [isPaused, setPaused] = useState(false);
  const log = useLog(query, isPaused);
  const { list, waiting, lookedBackTo } = log;
  const show = useKeepingPlace(log.showWaiting);
  const pause = () => {
    setPaused(!isPaused);
    if (isPaused) show();
  };
  const isFixed = query.has('until') || query.has('at');
  useShortcuts([
    { keys: 'p', label: isPaused ? t('resume') : t('pause'), run: pause },
    { keys: 'n', label: t('showNew'), run: show },
  ]);
  return (
    <Page
      title={t('title')}
      actions={
        !isFixed && (
          <>
            <Badge tone={isPaused ? 'warn' : 'good'}>{isPaused ? t('paused') : t('live')}</Badge>
            <button type="button" onClick={pause}>
              {isPaused ? t('resume') : t('pause')}
            </button>
          </>
        )
      }
    >
      <EventFilters items={list.items} />
      <p class="new-events" role="status">
        {waiting.length > 0 && (
          <button type="button" class="primary" onClick={show}>
            {t('new', { count: waiting.length })}
          </button>
        )}
      </p>
      <List
        label={t('title')}
        list={list}
        columns={columns()}
        keyOf={({ position }) => position}
        empty={lookedBackTo === undefined ? t('none') : t('noneYet')}
        missing={missingWords('app', query.get('app') ?? '')}
      />
      {lookedBackTo !== undefined && !list.isLoading && (
        <div class="buttons">
          <button type="button" onClick={list.more}>
            {t('further')}
          </button>
          <span class="soft">{t('lookedBack', { time: formatTime(lookedBackTo) })}</span>
        </div>
      )}
    </Page>
  );
}

/** Calls `grow` without moving what the reader looks at: what is added at the top pushes the page down. */
function useKeepingPlace(grow: () => void): () => void {
  const before = useRef<{ readonly height: number; readonly top: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (before.current === undefined) return;
    const { height, top } = before.current;
    before.current = undefined;
    // Some browsers have done the same by themselves already.
    if (top > 0) window.scrollTo({ top: top + heightNow() - height, behavior: 'instant' });
  });
  return () => {
    before.current = { height: heightNow(), top: window.scrollY };
    grow();
  };
}

function heightNow(): number {
  return document.documentElement.scrollHeight;
}

function EventFilters({ items }: { readonly items: readonly Event[] }) {
  const { query } = usePlace();
  const people = [...new Set(items.map(({ actor }) => actor.uid ?? actor.display_name))];
  const fixed = ['entity', 'at'].filter((name) => query.has(name));
  return (
    <search class="filters">
      <Filter
        label={t('what')}
        name="what"
        options={[['', t('all')], ...keysOf(whats).map((each) => [each, whatName(each)] as const)]}
      />
      <Filter
        label={t('about')}
        name="about"
        options={[['', t('all')], ...keysOf(abouts).map((each) => [each, aboutName(each)] as const)]}
      />
      <TextFilter
        label={t('action')}
        name="action"
        placeholder="comment_trashed"
        suggestions={[...new Set(items.map(({ action }) => action))]}
      />
      <TextFilter label={t('person')} name="person" suggestions={people} />
      <TextFilter label={t('app')} name="app" />
      <TimeFilter label={t('until')} name="until" />
      {query.has('entity') && (
        <Filter
          label={t('refers')}
          name="refers"
          options={[
            ['', t('refersOwn')],
            ['all', t('refersAll')],
          ]}
        />
      )}
      {fixed.map((name) => (
        <button key={name} type="button" onClick={() => setQuery({ [name]: undefined })}>
          {t(name === 'at' ? 'onlyUpTo' : 'onlyAbout', { name: query.get(name) ?? '' })} ×
        </button>
      ))}
    </search>
  );
}

function keysOf<T extends object>(value: T): (keyof T & string)[] {
  return Object.keys(value) as (keyof T & string)[];
}

function columns(): readonly Column<Event>[] {
  return [
    {
      label: t('event'),
      cell: (event) => (
        <Link to={`/events/${event.position}`} class="event-name">
          <Action action={event.action} />
        </Link>
      ),
    },
    { label: t('who'), cell: (event) => <Who event={event} /> },
    { label: t('about'), cell: (event) => <About event={event} /> },
    { label: t('when'), cell: ({ timestamp }) => <Time at={timestamp} /> },
    { label: t('position'), cell: ({ position }) => position, isNumber: true },
  ];
}

/** An action, in a colour where it takes something away. */
function Action({ action }: { readonly action: string }) {
  const tone: Tone = whats.deleted.test(action)
    ? 'bad'
    : whats.moderated.test(action)
      ? 'warn'
      : whats.created.test(action)
        ? 'good'
        : 'plain';
  return (
    <Badge tone={tone}>
      <code>{action}</code>
    </Badge>
  );
}

/** Who made a change; the link follows them. */
export function Who({ event }: { readonly event: Event }) {
  const { uid, display_name, kind } = event.actor;
  return (
    <span>
      <Link to={`/events?person=${encodeURIComponent(uid ?? display_name)}`}>
        <bdi>{display_name}</bdi>
      </Link>{' '}
      {kind !== undefined && kind !== 'person' && <span class="soft">{t(kind)}</span>}
    </span>
  );
}

function About({ event }: { readonly event: Event }) {
  const [subject] = subjectsOf(event);
  return (
    <span>
      {subject !== undefined && (
        <Link to={`/events?entity=${subject.type}:${subject.id}`}>
          {subject.type} {subject.id}
        </Link>
      )}{' '}
      <bdi class="soft event-words">{wordsOf(event)}</bdi>
    </span>
  );
}
