import { infiniteQueryOptions } from '@tanstack/react-query';

/** Start and length of a page of a list. */
interface PageQuery {
  limit: number;
  cursor?: string;
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

type ReadPage<Item> = (query: PageQuery) => Promise<Page<Item>>;

/** Query for a list that is read page by page, as far as the user asks. */
export const pagesOf = <Item>(queryKey: readonly string[], read: ReadPage<Item>, refetchInterval?: number) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageAt(pageParam, 50)),
    initialPageParam: '',
    getNextPageParam: (page: Page<Item>) => page.next_cursor,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });

/** Returns every item of a short list. */
export async function everyItem<Item>(read: ReadPage<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<Item> = await read(pageAt(cursor, 100));
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

const pageAt = (cursor: string, limit: number): PageQuery => ({
  limit,
  ...(cursor === '' ? {} : { cursor }),
});
