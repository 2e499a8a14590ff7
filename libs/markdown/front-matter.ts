const KEY = /^(?:["'\w][\w ./"'-]*:(?:\s|$)|#)/;
const YAML_LINE = /^(?:["'\w][\w ./"'-]*:(?:\s|$)|\s+\S|-\s|#|$)/;
const MAX_LINES = 1_000;
const MAX_KEY_LINE_LENGTH = 2_000;

const TOML_LINE = /^\s*(?:["'\w][\w ."'-]*=|\[|#|$)/;

/**
 * Returns the number of lines of TOML front matter at the start of a document, with its `+++` lines; 0 without
 * front matter.
 */
export function tomlFrontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '+++' || !TOML_LINE.test((lines[1] ?? '').slice(0, MAX_KEY_LINE_LENGTH)))
    return 0;
  const end = lines
    .slice(1, MAX_LINES)
    .findIndex((line) => /^\+{3}\s*$/.test(line.slice(0, MAX_KEY_LINE_LENGTH)));
  return end < 0 ? 0 : end + 2;
}

/**
 * Returns the number of lines of YAML front matter at the start of a document, with its delimiters: `---`, a
 * key on the next line, lines that look like YAML, then `---` or `...`. Returns 0 for anything else: `---` is
 * then a thematic break, followed by text.
 */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || !KEY.test((lines[1] ?? '').slice(0, MAX_KEY_LINE_LENGTH))) return 0;
  for (let index = 1; index < Math.min(lines.length, MAX_LINES); index++) {
    const line = (lines[index] as string).slice(0, MAX_KEY_LINE_LENGTH);
    if (/^(?:---|\.\.\.)\s*$/.test(line)) return index + 1;
    if (!YAML_LINE.test(line)) return 0;
  }
  return 0;
}
