import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { messageOf } from '#contracts/phrases/detail.js';
import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
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

function altered(entry: LedgerAltered): ValidationIssue {
  const diff = entry.diff
    .map(({ op, text }) => (op === 'equal' ? text : op === 'delete' ? `[-${text}-]` : `{+${text}+}`))
    .join('');
  const { manuscript_line: at, source, line, reason } = entry;
  const message = phrase('issue.altered', { at, source, line, reason: ledgerPhrase(reason) ?? reason });
  return {
    ...issue(at, 'SCR-verbatim', message, diff === '' ? null : diff),
    source_file: source,
    source_line: line,
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
  const { source, line, last_line: last, reason, found_at: at } = entry;
  const lines =
    last > line ? phrase('issue.lines', { first: line, last }) : phrase('issue.line', { first: line });
  const kinds = joinPhrases(
    'list',
    [...entry.kinds].map((kind) => phrase(`line_class.${kind}`)),
  );
  const place = { source, lines, kinds };
  const message =
    at !== null
      ? phrase('issue.out_of_order', { ...place, at })
      : reason !== null
        ? phrase('issue.missing_why', { ...place, reason: ledgerPhrase(reason) ?? reason })
        : phrase('issue.missing', place);
  return {
    ...issue(at ?? 0, 'SCR-missing', message, quote(entry.text)),
    source_file: source,
    source_line: line,
  };
}

function added(entry: LedgerAdded): ValidationIssue {
  return issue(entry.manuscript_line, 'SCR-added', describeAdded(entry), quote(entry.text));
}

function describeAdded({ kind, tokens, manuscript_line: first, last_line: last }: LedgerAdded): Phrase {
  const isOne = last === first;
  const words = tokens?.join(', ') || '–';
  if (kind === 'empty') return phrase('issue.empty', { first });
  if (kind === 'added_heading') return phrase('issue.added_heading', { first, words });
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
