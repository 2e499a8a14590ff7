/** Blanks out inline code spans (`…`, ``…``), preserving the length. Linear; skips unclosed markers. */
export function withoutInlineCode(text: string): string {
  if (!text.includes('`')) return text;
  const runs: { at: number; length: number }[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '`') continue;
    const at = i;
    while (text[i] === '`') i++;
    runs.push({ at, length: i - at });
  }
  const nextOfLength = new Map<number, number>();
  const closer = new Array<number>(runs.length).fill(-1);
  for (let k = runs.length - 1; k >= 0; k--) {
    const length = (runs[k] as { length: number }).length;
    closer[k] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, k);
  }
  let out = '';
  let from = 0;
  for (let k = 0; k < runs.length; k++) {
    const run = runs[k] as { at: number; length: number };
    const close = closer[k] as number;
    const escaped = text[run.at - 1] === '\\' && text[run.at - 2] !== '\\';
    if (close < 0 || escaped) continue;
    const end = (runs[close] as { at: number }).at + run.length;
    out += text.slice(from, run.at) + text.slice(run.at, end).replace(/[^\n]/g, ' ');
    from = end;
    k = close;
  }
  return out + text.slice(from);
}

/**
 * Returns a function that maps offsets to 1-based line numbers; offsets must be passed in ascending order.
 */
export function lineCounter(text: string, firstLine = 1): (offset: number) => number {
  let line = firstLine;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
