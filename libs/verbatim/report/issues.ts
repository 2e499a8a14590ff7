import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { messageOf } from '#contracts/phrases/detail.js';
import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { type AlteredLines, causesOf, isBlank, type MissingLines } from './causes.js';
import type { Ledger, LedgerAdded } from '../schema.js';

const MAX_QUOTE = 160;

/**
 * Converts the faults in the ledger to validation issues for the agent (D27), one for each cause. Each names the source
 * lines, the manuscript lines if there are some, the place of missing text, and the fix. Empty if and only if every source line is accounted for and
 * nothing was invented or duplicated.
 */
export function ledgerIssues(ledger: Ledger): ValidationIssue[] {
  const causes = causesOf(ledger);
  const issues = [
    ...causes.altered.map(altered),
    ...causes.missing.map(unaccounted),
    ...causes.added.map(added),
    ...ledger.headings.filter(({ misplaced }) => misplaced).map(misplaced),
  ].sort((a, b) => a.line_number - b.line_number);
  const left = ledger.left_out.altered + ledger.left_out.unaccounted + ledger.left_out.added;
  if (left > 0) issues.push(issue(0, 'SCR-verbatim', phrase('issue.more', { number: left }), null));
  return issues;
}

const DESCRIPTIONS = {
  'SCR-verbatim': 'Every source line is in the manuscript, unchanged',
  'SCR-missing': 'No source line is left out',
  'SCR-added': 'The manuscript states nothing that no source does',
  'SCR-heading-place': 'A heading is under the same heading as in its source',
} as const;

function issue(
  line: number,
  rule: keyof typeof DESCRIPTIONS,
  message: Phrase,
  detail: string | null,
): ValidationIssue {
  return {
    ...{ line_number: line, rule, rule_description: DESCRIPTIONS[rule] },
    ...messageOf(message),
    error_detail: detail,
  };
}

function altered(entry: AlteredLines): ValidationIssue {
  const diff = entry.diff
    .map(({ op, text }) => (op === 'equal' ? text : op === 'delete' ? `[-${text}-]` : `{+${text}+}`))
    .join('');
  const { manuscript_line: at, source, line, last_line: last, reason: why } = entry;
  const reason = ledgerPhrase(why) ?? why;
  const lastAt = at + last - line;
  const message =
    last > line
      ? phrase('issue.altered.lines', { at, lastAt, source, line, last, reason })
      : phrase('issue.altered', { at, source, line, reason });
  return {
    ...issue(at, 'SCR-verbatim', message, diff.trim() === '' ? null : diff),
    last_line_number: lastAt,
    source_file: source,
    source_line: line,
    last_source_line: last,
  };
}

function unaccounted(entry: MissingLines): ValidationIssue {
  const { source, line, last_line: last, found_at: at, after } = entry;
  return {
    ...issue(at ?? 0, 'SCR-missing', describeMissing(entry), quote(entry.text)),
    ...(at === null ? {} : { last_line_number: at + last - line }),
    source_file: source,
    source_line: line,
    last_source_line: last,
    ...(after === null ? {} : { after_line: after }),
  };
}

function describeMissing({
  source,
  line,
  last_line: last,
  reason,
  found_at: at,
  kinds,
  after,
}: MissingLines): Phrase {
  const linesOf = (first: number, end: number) =>
    end > first ? phrase('issue.lines', { first, last: end }) : phrase('issue.line', { first });
  const classes = [...kinds].map((kind) => phrase(`line_class.${kind}`));
  const place = { source, lines: linesOf(line, last), kinds: joinPhrases('list', classes) };
  if (at !== null)
    return after === null
      ? phrase('issue.out_of_order', { ...place, at })
      : phrase('issue.out_of_order.place', { ...place, found: linesOf(at, at + last - line), after });
  if (reason !== null)
    return phrase('issue.missing_why', { ...place, reason: ledgerPhrase(reason) ?? reason });
  return after === null ? phrase('issue.missing', place) : phrase('issue.missing.place', { ...place, after });
}

function added(entry: LedgerAdded): ValidationIssue {
  const found = issue(entry.manuscript_line, 'SCR-added', describeAdded(entry), quote(entry.text));
  return { ...found, last_line_number: entry.last_line };
}

function describeAdded(entry: LedgerAdded): Phrase {
  const { kind, tokens, manuscript_line: first, last_line: last } = entry;
  const isOne = last === first;
  const words = tokens?.join(', ') || '–';
  if (kind === 'empty') return phrase('issue.empty', { first });
  if (kind === 'added_heading') return phrase('issue.added_heading', { first, words });
  if (kind === 'duplicate' && isBlank(entry)) return phrase('issue.duplicate.blank', { first, last });
  if (kind === 'duplicate')
    return isOne
      ? phrase('issue.duplicate.line', { first })
      : phrase('issue.duplicate.lines', { first, last });
  if (kind === 'added_text')
    return isOne
      ? phrase('issue.added_text.line', { first, words })
      : phrase('issue.added_text.lines', { first, last, words });
  if (tokens)
    return isOne
      ? phrase('issue.unknown.line', { first, words })
      : phrase('issue.unknown.lines', { first, last, words });
  return isOne ? phrase('issue.invented.line', { first }) : phrase('issue.invented.lines', { first, last });
}

function misplaced(entry: Ledger['headings'][number]): ValidationIssue {
  const { manuscript_line: at, source, line, from, to } = entry;
  return {
    ...issue(at, 'SCR-heading-place', phrase('issue.misplaced', { at, source, line, from, to }), null),
    source_file: source,
    source_line: line,
  };
}

function quote(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}
