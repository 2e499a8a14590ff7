/** The longest page that a list answers with. */
const PAGE = 100;

/** The whole of a list. @param read reads the page that the query names */
export async function listAll<Item>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const first = await read({ limit: PAGE });
  const items = [...first.items];
  for (let cursor = first.next_cursor; cursor !== null;) {
    const page = await read({ limit: PAGE, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
