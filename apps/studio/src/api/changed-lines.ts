/**
 * Names a part of a text by its words and their number among all identical ones, counted from 1: in a text that was changed
 * meanwhile, lines or offsets would name other words.
 */
export function selectionOf(content: string, { start, end }: { start: number; end: number }) {
  const quote = content.slice(start, end);
  let occurrence = 1;
  for (let from = content.indexOf(quote); from >= 0 && from < start; from = content.indexOf(quote, from + 1))
    occurrence++;
  return { quote, occurrence };
}

/** Returns the part of a text that an edit changed, as whole lines with words among them, and what replaces it. */
export function changedLines(content: string, edited: string) {
  const [before, after] = [content.split('\n'), edited.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first++;
  let tail = 0;
  while (tail < shorter - first && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const changed = () => before.slice(first, before.length - tail).join('\n');
  while (changed().trim() === '' && first > 0) first--;
  while (changed().trim() === '' && tail > 0) tail--;
  const start = before.slice(0, first).reduce((at, line) => at + line.length + 1, 0);
  return {
    selection: selectionOf(content, { start, end: start + changed().length }),
    replacement: after.slice(first, after.length - tail).join('\n'),
  };
}
