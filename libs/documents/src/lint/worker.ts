import { lintMarkdown } from './lint.js';
import type { ValidationIssue } from './issue.js';

/** Worker entry for a thread pool: lints one manuscript off the caller's event loop. The caller keeps the time (D26). */
export default async function run(input: {
  markdown: string;
  knownReferences: string[];
}): Promise<ValidationIssue[]> {
  return lintMarkdown(input.markdown, { knownReferences: input.knownReferences });
}
