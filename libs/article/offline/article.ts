import { compilePassages } from '#writing/compile-passages.js';
import type { ResearchPassage, Section } from '../graph/state.js';

const NOTHING = '*None of the sources speaks of this.*';

/**
 * Compiles an article without a model: quotes under each heading the passages found for it, with citations,
 * each passage once. Adds only the sources.
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
