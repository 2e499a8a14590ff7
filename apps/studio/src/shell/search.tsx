import '@mantine/spotlight/styles.layer.css';
import './search.css';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { collectionsQuery, searchQuery, type Hit } from '../api/knowledge';
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

/** Characters from which texts are searched. */
const MIN_LENGTH = 3;
/** Addresses of pages by the message that names them. */
const PAGES = {
  'nav.home': '/',
  'nav.decisions': '/inbox',
  'nav.work': '/work',
  'nav.knowledge': '/sources',
  'nav.schedules': '/schedules',
  'style.title': '/style',
  'plans.new': '/plans/new',
};

/** Searches works by title, collections by name, their texts, and pages. Opens whenever `opened`, a count, changes. */
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
  const all = useInfiniteQuery({ ...collectionsQuery(), enabled: enabled && typed.length >= MIN_LENGTH });
  const searched = (all.isEnabled && all.data?.pages[0]?.items) || [];
  // Words only: a model would be paid for each text that is typed.
  const texts = useQuery(searchQuery(searched, typed, 'lexical'));
  const hits = texts.data?.hits ?? [];
  const error = works.error ?? collections.error ?? texts.error;
  const foundWorks = (enabled && works.data?.pages[0]?.items.slice(0, SHOWN)) || [];
  const foundCollections = (enabled && collections.data?.pages[0]?.items.slice(0, SHOWN)) || [];
  const settings = useSettings().map((name) => [`settings.${name}`, `/settings/${name}`] as const);
  const pages = [...Object.entries(PAGES), ...settings]
    .map(([name, to]) => ({ label: t(name), to }))
    .filter(({ label }) => label.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase()));
  useEffect(() => spotlight.open(), [opened]);
  // Enter opens the first hit, also if it was found after pages were listed.
  const first = foundWorks[0] ?? foundCollections[0] ?? hits[0];
  useEffect(() => {
    const list = first && document.getElementById(store.getState().listId);
    if (!list || typed === '') return;
    list.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [first, typed]);
  const action = (id: string, label: string, note: string, to: string) => (
    <Spotlight.Action key={id} label={label} description={note} onClick={() => router.history.push(to)} />
  );
  const groups = {
    'nav.work': foundWorks.map((work) =>
      action(work.id, titleOf(work), words.kind(work.kind), addressOf(work)),
    ),
    'nav.knowledge': foundCollections.map((found) =>
      action(found.id, nameOf(found), '', `/knowledge/${found.id}`),
    ),
    'spotlight.texts': hits.slice(0, SHOWN).map((hit) => {
      const to = `/knowledge/${hit.collection_id}/sources/${hit.source_id}?from=${hit.start}&to=${hit.end}`;
      return action(hit.chunk_id, hit.source_title ?? hit.source_name, excerptOf(hit), to);
    }),
    'spotlight.search': searched
      .filter(({ id }) => hits.some(({ collection_id }) => collection_id === id))
      .map((each) => {
        const to = router.buildLocation({ to: `/knowledge/${each.id}`, search: { q: typed } } as never).href;
        return action(`search ${each.id}`, nameOf(each), '', to);
      }),
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
        {works.isSuccess && collections.isSuccess && !texts.isFetching && found.length === 0 && (
          <Spotlight.Empty>{t('spotlight.none')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Returns the words around the first found one. */
function excerptOf({ text, matched_terms: [term = ''] }: Hit): string {
  const before = text.toLocaleLowerCase().indexOf(term.toLocaleLowerCase()) - 40;
  const start = before > 0 ? text.indexOf(' ', before) : 0;
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 140)}…`;
}
