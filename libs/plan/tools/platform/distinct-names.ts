/**
 * Makes names unique: a repeated one gets the next free number (`fee`, `fee_2`). Linear.
 *
 * @param key what makes two names the same, such as their lower case
 */
export function distinctNames(names: readonly string[], key = (name: string) => name): string[] {
  const taken = new Set(names.map(key));
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(key(name)) ?? 0) + 1;
    if (count > 1) while (taken.has(key(`${name}_${count}`))) count += 1;
    counts.set(key(name), count);
    const distinct = count === 1 ? name : `${name}_${count}`;
    taken.add(key(distinct));
    return distinct;
  });
}
