/** Returns a markdown table. Cells must be one line; `|` is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Replaces the text between `<!-- generated:name -->` and `<!-- /generated -->`.
 *
 * @throws Error when the page lacks these marks
 */
export function fill(page, name, text) {
  const open = `<!-- generated:${name} -->`;
  const from = page.indexOf(open);
  const to = page.indexOf('<!-- /generated -->', from);
  if (from < 0 || to < 0) throw new Error(`the page has no place for "${name}"`);
  return `${page.slice(0, from + open.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}
