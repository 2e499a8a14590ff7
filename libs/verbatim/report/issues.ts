import type { ValidationIssue } from '#contracts/manuscript.js';
import { isFault } from './added.js';
import type { Ledger, LedgerAdded, LedgerAltered, LedgerUnaccounted, LineClass } from '../schema.js';

const MAX_QUOTE = 160;

/**
 * Converts the faults in the ledger to validation issues for the agent (D27). Each names the source line, the
 * manuscript line if there is one, and the fix. Empty if and only if every source line is accounted for and
 * nothing was invented or duplicated.
 */
export function ledgerIssues(ledger: Ledger): ValidationIssue[] {
  const issues = [
    ...ledger.altered.map(altered),
    ...joined(ledger).map(unaccounted),
    ...ledger.added.filter((entry) => isFault(entry, ledger.policy)).map(added),
    ...ledger.headings.filter(({ misplaced }) => misplaced).map(misplaced),
  ].sort((a, b) => a.line_number - b.line_number);
  const left = ledger.left_out.altered + ledger.left_out.unaccounted + ledger.left_out.added;
  if (left > 0)
    issues.push(issue(0, 'SCR-verbatim', `${left} more differences are not listed; fix these first.`, null));
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
  message: string,
  detail: string | null,
): ValidationIssue {
  return { line_number: line, rule, rule_description: DESCRIPTIONS[rule], message, error_detail: detail };
}

function altered(entry: LedgerAltered): ValidationIssue {
  const diff = entry.diff
    .map(({ op, text }) => (op === 'equal' ? text : op === 'delete' ? `[-${text}-]` : `{+${text}+}`))
    .join('');
  const message =
    `Line ${entry.manuscript_line} of the manuscript differs from ${entry.source} line ${entry.line}: ${entry.reason}. ` +
    'Write it exactly as the source has it.';
  return {
    ...issue(entry.manuscript_line, 'SCR-verbatim', message, diff === '' ? null : diff),
    source_file: entry.source,
    source_line: entry.line,
  };
}

/** Missing lines that follow each other, of any kind, with the classes of the lines. */
interface MissingLines extends Omit<LedgerUnaccounted, 'kind'> {
  kinds: Set<LineClass>;
}

/** Joins lines of one source with only lines omitted by rule (blank ones) between them, so that each gap is one issue. */
function joined({ unaccounted: entries, files }: Ledger): MissingLines[] {
  const blankAfter = new Map(
    files.flatMap(({ name, omissions }) =>
      omissions
        .filter(({ by }) => by === 'rule')
        .map(({ first_line, last_line }) => [`${first_line} ${name}`, last_line] as const),
    ),
  );
  const gaps: MissingLines[] = [];
  for (const { kind, ...entry } of entries) {
    const last = gaps.at(-1);
    const next = last === undefined ? 0 : last.last_line + 1;
    const follows =
      last?.source === entry.source &&
      entry.line === (blankAfter.get(`${next} ${last.source}`) ?? next - 1) + 1;
    if (follows && last.reason === entry.reason && last.found_at === null && entry.found_at === null) {
      last.last_line = entry.last_line;
      last.kinds.add(kind);
    } else gaps.push({ ...entry, kinds: new Set([kind]) });
  }
  return gaps;
}

function unaccounted(entry: MissingLines): ValidationIssue {
  const lines =
    entry.last_line > entry.line ? `lines ${entry.line} to ${entry.last_line}` : `line ${entry.line}`;
  const kinds = [...entry.kinds].join(', ');
  const why = entry.reason === null ? '' : ` (${entry.reason})`;
  const message =
    entry.found_at === null
      ? `${entry.source} ${lines} (${kinds}) missing from the manuscript${why}. Add the text where it belongs, unchanged.`
      : `${entry.source} ${lines} (${kinds}) out of order: the text is at line ${entry.found_at} of the manuscript. Move it to its place.`;
  return {
    ...issue(entry.found_at ?? 0, 'SCR-missing', message, quote(entry.text)),
    source_file: entry.source,
    source_line: entry.line,
  };
}

function added(entry: LedgerAdded): ValidationIssue {
  const isOne = entry.last_line === entry.manuscript_line;
  const lines = isOne
    ? `Line ${entry.manuscript_line}`
    : `Lines ${entry.manuscript_line} to ${entry.last_line}`;
  const message = `${lines} of the manuscript ${whatIsAdded(entry, isOne ? 's' : '')}`;
  return issue(entry.manuscript_line, 'SCR-added', message, quote(entry.text));
}

/** @param s ending of the verb */
function whatIsAdded({ kind, tokens }: LedgerAdded, s: string): string {
  const words = tokens?.join(', ') ?? '';
  if (kind === 'duplicate')
    return `repeat${s} source text once more than the source has it. Remove the repetition.`;
  if (kind === 'added_text')
    return `state${s} something that no source supports (${words}). Remove the text, or leave only an introduction that states nothing.`;
  if (tokens) return `state${s} what no source contains: ${words}. Remove or correct that.`;
  return `appear${s} in no source. Remove what was invented.`;
}

function misplaced(entry: Ledger['headings'][number]): ValidationIssue {
  const message =
    `The heading at line ${entry.manuscript_line} (level ${entry.to}; ${entry.source} line ${entry.line}, level ${entry.from}) ` +
    'is under another heading than in its source. Shift its level together with its neighbours.';
  return {
    ...issue(entry.manuscript_line, 'SCR-heading-place', message, null),
    source_file: entry.source,
    source_line: entry.line,
  };
}

function quote(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}
