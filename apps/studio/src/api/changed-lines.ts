/** Returns the lines of a text that an edit changed, one with words among them, and what stands there instead. */
export function changedLines(content: string, edited: string) {
  const [before, after] = [content.split('\n'), edited.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first++;
  let tail = 0;
  while (tail < shorter - first && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const hasWords = () => before.slice(first, before.length - tail).some((line) => line.trim() !== '');
  while (!hasWords() && first > 0) first--;
  while (!hasWords() && tail > 0) tail--;
  return {
    selection: { first_line: first + 1, last_line: before.length - tail },
    replacement: after.slice(first, after.length - tail).join('\n'),
  };
}
