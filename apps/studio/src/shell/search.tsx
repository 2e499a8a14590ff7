import '@mantine/spotlight/styles.layer.css';
import './search.css';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { collectionsQuery } from '../api/knowledge';
import { worksOf } from '../api/work';
import { useTranslation } from '../i18n/i18n';
import { useSettings } from '../pages/settings/settings';
import { useCollectionName } from '../ui/collection-name';
import { ProblemAlert } from '../ui/frames';
import { useRunWords } from '../ui/run-words';
import { addressOf, useWorkTitle } from '../ui/work-name';

const [store, spotlight] = createSpotlight();
const DELAY_MS = 200;
/** Number of works and of collections that are shown. */
const SHOWN = 7;

/** Searches works by title, collections by name, and pages. Opens whenever `opened`, a count, changes. */
export default function Search({ opened }: { opened: number }) {
  const { t } = useTranslation();
  const router = useRouter();
  const words = useRunWords();
  const titleOf = useWorkTitle();
  const nameOf = useCollectionName();
  const [query, setQuery] = useState('');
  const [typed] = useDebouncedValue(query.trim(), DELAY_MS);
  const title = typed === '' ? undefined : typed;
  // What was found for another text is not shown, and nothing is fetched while the search is closed.
  const enabled = useSpotlight(store).opened && typed === query.trim();
  const works = useInfiniteQuery({ ...worksOf({ title }), enabled });
  const collections = useInfiniteQuery({ ...collectionsQuery(title), enabled });
  const error = works.error ?? collections.error;
  const foundWorks = (enabled && works.data?.pages[0]?.items.slice(0, SHOWN)) || [];
  const foundCollections = (enabled && collections.data?.pages[0]?.items.slice(0, SHOWN)) || [];
  const settings = useSettings().map((name) => ({ label: t(`settings.${name}`), to: `/settings/${name}` }));
  const pages = [
    { label: t('nav.home'), to: '/' },
    ...(['decisions', 'work', 'knowledge', 'schedules'] as const).map((name) => ({
      label: t(`nav.${name}`),
      to: PATHS[name],
    })),
    { label: t('style.title'), to: '/style' },
    { label: t('plans.new'), to: '/plans/new' },
    ...settings,
  ].filter(({ label }) => label.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase()));
  useEffect(() => spotlight.open(), [opened]);
  // Enter opens the first hit, also if it was found after pages were listed.
  const first = foundWorks[0] ?? foundCollections[0];
  useEffect(() => {
    const list = first && document.getElementById(store.getState().listId);
    if (!list || typed === '') return;
    list.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [first, typed]);
  const action = (id: string, label: string, note: string, to: string) => (
    <Spotlight.Action
      key={id}
      label={label}
      description={note}
      onClick={() => void router.navigate({ to })}
    />
  );
  const groups = {
    'nav.work': foundWorks.map((work) =>
      action(work.id, titleOf(work), words.kind(work.kind), addressOf(work)),
    ),
    'nav.knowledge': foundCollections.map((found) =>
      action(found.id, nameOf(found), '', `/knowledge/${found.id}`),
    ),
    'spotlight.pages': pages.map(({ label, to }) => action(to, label, '', to)),
  };
  const found = Object.entries(groups).filter(([, actions]) => actions.length > 0);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('nav.search') } }}
      scrollable
      maxHeight={480}
    >
      <Spotlight.Search placeholder={t('spotlight.placeholder')} aria-label={t('nav.search')} />
      <Spotlight.ActionsList>
        {found.map(([name, actions]) => (
          <Spotlight.ActionsGroup key={name} label={t(name)} children={actions} />
        ))}
        {error && <ProblemAlert error={error} />}
        {works.isSuccess && collections.isSuccess && found.length === 0 && (
          <Spotlight.Empty>{t('spotlight.none')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const PATHS = { decisions: '/inbox', work: '/work', knowledge: '/sources', schedules: '/schedules' } as const;
