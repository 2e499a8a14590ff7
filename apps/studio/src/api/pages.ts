import type { Page, ReadPage } from '#contracts/api/responses.js';
import { infiniteQueryOptions } from '@tanstack/react-query';

/** Query for a list that is read page by page, as far as the user asks. */
export const pagesOf = <Item>(queryKey: readonly string[], read: ReadPage<Item>, refetchInterval?: number) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read({ limit: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page: Page<Item>) => page.next_cursor,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
