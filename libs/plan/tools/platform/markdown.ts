import { fixMarkdown, lintMarkdown } from '#markdown/lint/lint.js';
import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import { z } from 'zod';
import { defineTool } from '../tool.js';

const issue = z.object({ line: z.number().int(), rule: z.string(), message: z.string() });
const markdown = z.string().max(32_000_000).describe('Markdown text');
const MAX_ISSUES = 500;

interface FoundIssue {
  line_number: number;
  rule: string;
  message: string;
}
const toIssue = ({ line_number, rule, message }: FoundIssue) => ({ line: line_number, rule, message });

export const lintMarkdownTool = defineTool({
  name: 'lint_markdown',
  replacedBy: '',
  description:
    'Check the formatting of a markdown text, fix what can be fixed without changing a word, and list the remaining issues.',
  input: z.object({ markdown }),
  output: z.object({
    markdown: z.string().describe('the text after the fixes'),
    fixed: z.number().int().describe('number of fixes'),
    issues: z.array(issue).describe('remaining issues, by line'),
  }),
  async run(input) {
    const { markdown: text, fixed, found } = await fixMarkdown(input.markdown);
    const issues = await lintMarkdown(text, { knownReferences: [], found });
    return { markdown: text, fixed, issues: issues.slice(0, MAX_ISSUES).map(toIssue) };
  },
});

export const traceMarkdown = defineTool({
  name: 'trace_markdown',
  replacedBy: '',
  description:
    'Prove line by line that a markdown text carries its sources: coverage and what is missing, added or changed.',
  input: z.object({
    markdown,
    sources: z
      .array(z.object({ name: z.string(), text: z.string() }))
      .min(1)
      .describe('texts that must be carried'),
    policy: z
      .enum(['verbatim', 'narrative'])
      .optional()
      .describe('how prose must be carried (default: verbatim)'),
  }),
  output: z.object({
    coverage: z.number().describe('share of the source lines that the text carries, 0…1'),
    issues: z.array(issue).describe('missing or changed text, by line'),
  }),
  timeoutMs: 60_000,
  run({ markdown: text, sources, policy = 'verbatim' }) {
    const ledger = buildLedger(text, sources, { policy });
    return { coverage: ledger.coverage, issues: ledgerIssues(ledger).slice(0, MAX_ISSUES).map(toIssue) };
  },
});
