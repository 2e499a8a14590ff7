import type { Configuration } from 'markdownlint';

/**
 * The markdownlint configuration for manuscripts (D26). Rules about taste are off, because a manuscript carries its sources word for
 * word and neither the agent nor a fixer may touch them: a bare URL, a list style, a tab or a second `#` is legal. What stays on is
 * what changes how the document is read. Heading levels, fences, tables and images have rules of their own in `rules.ts`.
 */
export const LINT_CONFIG: Configuration = {
  default: false,
  // A heading indented by a blank renders the same; the fixer moves it left.
  MD023: true,
  // Blank lines around headings and fences: some readers need them, and they are no words.
  MD022: true,
  MD031: true,
  // Ragged table: a row with more or fewer cells than its header.
  MD056: true,
  // Blank lines around a table: the line below it would be read as its last row.
  MD058: true,
};

/** Rules whose own fixes insert or remove blank lines or indentation only, never words (fidelity). */
export const FIXABLE_RULES = ['MD022', 'MD023', 'MD031', 'MD058'] as const;

export const FIX_CONFIG: Configuration = {
  default: false,
  ...Object.fromEntries(FIXABLE_RULES.map((rule) => [rule, true])),
};
