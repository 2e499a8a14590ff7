import type { Configuration } from 'markdownlint';

/**
 * The markdownlint configuration for manuscripts (D26). Style rules are off, because a manuscript carries its
 * sources verbatim and neither the agent nor a fixer may change them: a bare URL, a list style, a tab or a
 * second `#` is legal. The rules that remain affect how the document is parsed. Heading levels, fences,
 * tables and images have custom rules in `rules.ts`.
 */
export const LINT_CONFIG: Configuration = {
  default: false,
  // A heading indented by a blank renders the same; the fixer removes the indentation.
  MD023: true,
  // Blank lines around headings and fences: some parsers need them, and they add no words.
  MD022: true,
  MD031: true,
  // A table row with more or fewer cells than its header.
  MD056: true,
  // Without a blank line, the line below a table would be parsed as its last row.
  MD058: true,
};

/** Rules with fixes that only insert or remove blank lines or indentation, never words (fidelity). */
const FIXABLE_RULES = ['MD022', 'MD023', 'MD031', 'MD058'] as const;

export const FIX_CONFIG: Configuration = {
  default: false,
  ...Object.fromEntries(FIXABLE_RULES.map((rule) => [rule, true])),
};
