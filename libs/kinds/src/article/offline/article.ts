import { compilePassages } from '#writing/compile-passages.js';
import type { ResearchPassage, Section } from '../state.js';

const NOTHING = '*None of the sources speaks of this.*';

/**
 * An article without a model: under each heading the passages that were found for it, quoted word for word and cited, each once; nothing
 * is added but where it comes from.
 */
export function compileArticle(title: string, sections: Section[], passages: ResearchPassage[]): string {
  const byLabel = new Map(passages.map((passage) => [passage.label, passage]));
  const used = new Set<string>();
  const parts = [`# ${title}`];
  for (const { heading, labels } of sections) {
    const free = labels.flatMap((label) => (used.has(label) ? [] : (byLabel.get(label) ?? [])));
    for (const { label } of free) used.add(label);
    const isCovered = labels.length > 0;
    const quoted = free.map((passage) => ({ ...passage, heading_path: [title, heading.title] }));
    const body = compilePassages(quoted)
      .replace(/^## .*\n\n/, '')
      .trimEnd();
    parts.push(`${'#'.repeat(heading.level)} ${heading.title}`);
    if (body !== '') parts.push(body);
    else if (!isCovered) parts.push(NOTHING);
  }
  return `${parts.join('\n\n')}\n`;
}
