import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { messageOf } from '#contracts/phrases/detail.js';
import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import {
  type Ledger,
  type LedgerAdded,
  type LedgerAltered,
  type LedgerRun,
  type LedgerUnaccounted,
  type LineClass,
  linesPerSourceLine,
} from '../schema.js';
import { countWhile } from '#contracts/count-while.js';
import { isFault } from './added.js';

/** Altered lines that follow each other in source and manuscript, for the same reason. */
interface AlteredLines extends LedgerAltered {
  last_line: number;
}

/** Missing lines that follow each other, of any kind, with the classes of the lines. */
interface MissingLines extends Omit<LedgerUnaccounted, 'kind'> {
  kinds: Set<LineClass>;
  /** Manuscript line behind which they belong; null if the manuscript carries nothing of the source. */
  after: number | null;
}

/** The faults of a ledger, one for each cause. */
interface Causes {
  altered: AlteredLines[];
  missing: MissingLines[];
  added: LedgerAdded[];
}

function causesOf(ledger: Ledger): Causes {
  const missing = missingLines(ledger);
  const isMoved = ({ manuscript_line: first, last_line: last }: LedgerAdded) =>
    missing.some(
      ({ found_at: at, line, last_line }) => at !== null && at <= first && last <= at + last_line - line,
    );
  const faults = ledger.added.filter((entry) => isFault(entry, ledger.policy) && !isMoved(entry));
  return { altered: alteredLines(ledger), missing, added: addedLines(ledger, faults) };
}

/** Joins entries with the one before where `extend` can add them to it. */
function join<T>(entries: T[], extend: (last: T, entry: T) => boolean): T[] {
  const joined: T[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last === undefined || !extend(last, entry)) joined.push(entry);
  }
  return joined;
}

function alteredLines({ altered }: Ledger): AlteredLines[] {
  const single = altered.map((entry): AlteredLines => ({ ...entry, last_line: entry.line }));
  return join(single, (last, { source, line, manuscript_line: at, reason, diff }) => {
    const follows =
      last.source === source && last.last_line + 1 === line && last.manuscript_line + line - last.line === at;
    if (!follows || last.reason !== reason) return false;
    last.last_line = line;
    last.diff = [...last.diff, { op: 'equal', text: '\n' }, ...diff];
    return true;
  });
}

/**
 * Joins lines of one source with only lines omitted by rule (blank ones) between them, so that each gap is one entry, and
 * each block that was moved.
 */
function missingLines(ledger: Ledger): MissingLines[] {
  const blankAfter = new Map(
    ledger.files.flatMap(({ name, omissions }) =>
      omissions
        .filter(({ by }) => by === 'rule')
        .map(({ first_line, last_line }) => [`${first_line} ${name}`, last_line] as const),
    ),
  );
  const single = ledger.unaccounted.map(({ kind, ...entry }): MissingLines => ({
    ...entry,
    kinds: new Set([kind]),
    after: null,
  }));
  const gaps = join(single, (last, entry) => {
    const next = last.last_line + 1;
    const follows =
      last.source === entry.source &&
      entry.line === (blankAfter.get(`${next} ${last.source}`) ?? next - 1) + 1;
    const isMovedAlike =
      last.found_at === null
        ? entry.found_at === null
        : last.found_at + entry.line - last.line === entry.found_at;
    if (!follows || last.reason !== entry.reason || !isMovedAlike) return false;
    last.last_line = entry.last_line;
    entry.kinds.forEach((kind) => last.kinds.add(kind));
    return true;
  });
  const runs = new Map(ledger.files.map(({ name }): [string, LedgerRun[]] => [name, []]));
  for (const run of ledger.runs) runs.get(ledger.files[run.source]!.name)!.push(run);
  return gaps.map((gap) => ({ ...gap, after: placeOf(gap, runs.get(gap.source) ?? []) }));
}

/** Returns the manuscript line behind which missing lines belong: the line before in the source, or before the next one. */
function placeOf({ line }: MissingLines, runs: readonly LedgerRun[]): number | null {
  const from = countWhile(runs.length, (index) => runs[index]!.line < line);
  const [before, next] = [runs[from - 1], runs[from]];
  if (before && linesPerSourceLine(before) === 1) return before.manuscript_line + before.count - 1;
  // Where a wrapped line ends is not recorded.
  if (next) return next.manuscript_line - 1;
  return before?.manuscript_line ?? null;
}

/** Joins added lines of one kind that follow each other; repeated ones also over a blank line. */
function addedLines({ runs }: Ledger, faults: LedgerAdded[]): LedgerAdded[] {
  const isCarried = (line: number) =>
    runs.some((run) => {
      const at = run.manuscript_line;
      return at <= line && line <= at + (run.count - 1) * linesPerSourceLine(run);
    });
  const copies = faults.map((entry) => ({ ...entry }));
  return join(copies, (last, { kind, text, tokens, manuscript_line: at, last_line }) => {
    const isAlike = last.kind === kind && !last.tokens === !tokens && isBlank(last) === isBlank({ text });
    const isBehindBlank = kind === 'duplicate' && at === last.last_line + 2 && !isCarried(at - 1);
    const follows = at === last.last_line + 1 || isBehindBlank;
    if (!isAlike || !follows || kind === 'empty' || kind === 'added_heading') return false;
    last.last_line = last_line;
    if (tokens) last.tokens = [...new Set([...last.tokens!, ...tokens])];
    return true;
  });
}

/** Returns whether an added line has no words. */
const isBlank = ({ text }: Pick<LedgerAdded, 'text'>): boolean => text.trim() === '';

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
