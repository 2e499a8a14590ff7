/** How many items are worked on at the same time. */
const AT_ONCE = 50;

/** Works on many items, some of them at the same time; rejects with the first failure. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
}
