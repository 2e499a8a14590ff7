import { Button, Group, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { useIsRemaining } from '../api/removals';
import { EmptyState, PageHeader, PageLoader, ProblemAlert } from './frames';
import { ListTable, type Column } from './list-table';
import { textProps } from './actions';
import { useTab } from './page-tabs';

interface SearchFieldProps {
  label: string;
  /** The current search; empty for none. */
  value: string;
  /** Called shortly after the user stops typing, with the text without spaces around it. */
  onSearch: (text: string) => void;
}

/** Delay in ms between the last key and the search. */
const DELAY_MS = 250;

/** A plain search field; Mantine's would add its code to the first page. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), DELAY_MS);
  return (
    <input
      type="search"
      className="search-field"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        search(text);
      }}
    />
  );
}

interface Filter<Value extends string> {
  /** Parameter of the address. */
  name: string;
  label: string;
  /** Label of the choice that filters nothing. */
  any: string;
  values: readonly Value[];
  /** Returns the label of a value. */
  labelOf: (value: Value) => string;
}

/** A plain list of values to filter by; Mantine's would add its code to the page. */
function FilterField<Value extends string>({ name, label, any, values, labelOf }: Filter<Value>) {
  return (
    <select className="filter-field" aria-label={label} {...textProps(...useTab('', name))}>
      <option value="">{any}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {labelOf(each)}
        </option>
      ))}
    </select>
  );
}

interface ListPageProps<Item extends { id: string }, Value extends string> {
  title: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>>;
  columns: readonly Column<Item>[];
  /** Pixels below which the table scrolls sideways. */
  minWidth: number;
  /** Title and advice for an empty list. */
  empty: { title: string; text: string };
  /** Button for a new item, always in the same place: its dialog stays open when the list changes. */
  action?: ReactNode;
  /** Links to other pages, next to the heading. */
  links?: ReactNode;
  /** Label of a search in the list, whose text is the parameter `title` of the address. */
  search?: string;
  /** Selects items by a value, which is part of the address too. */
  filter?: Filter<Value>;
}

/** Shows a paged list of a tenant's items, newest first, with a button for a new one. */
export function ListPage<Item extends { id: string }, Value extends string>(
  props: ListPageProps<Item, Value>,
) {
  const { title, query, columns, minWidth, empty, action, links, search, filter } = props;
  const { t } = useTranslation();
  const isRemaining = useIsRemaining();
  const items = query.data?.pages.flatMap((page) => page.items).filter(isRemaining);
  const some = items !== undefined && items.length > 0;
  const [sought, setSought] = useTab('', 'title');
  const [chosen] = useTab('', filter?.name);
  const isSearched = (search !== undefined && sought !== '') || (filter !== undefined && chosen !== '');
  return (
    <>
      <PageHeader title={title}>
        {links}
        {action}
      </PageHeader>
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <PageLoader />}
      {(some || isSearched) && (search ?? filter) && (
        <Group mb="sm" gap="sm">
          {search && <SearchField label={search} value={sought} onSearch={setSought} />}
          {filter && <FilterField {...filter} />}
        </Group>
      )}
      {items?.length === 0 && !isSearched && <EmptyState {...empty} />}
      {items?.length === 0 && isSearched && <Text c="dimmed">{t('list.nothingFound')}</Text>}
      {some && (
        <Stack>
          <ListTable items={items} columns={columns} minWidth={minWidth} />
          {query.hasNextPage && (
            <Group justify="center">
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t('list.more')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}
