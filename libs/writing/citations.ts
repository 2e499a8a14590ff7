import type { Evidence, Finding, Span } from '#contracts/findings.js';
import { occursIn } from '#verbatim/source/occurs.js';
import { hardTokens, type HardToken } from '#verbatim/source/tokens.js';
import { finding, sortFindings } from './findings.js';
import { splitParagraphs } from './paragraphs.js';
import { noteLabels, type SpannedSentence, sentencesIn, withoutNotes } from './sentences.js';

/** A passage that prose can cite by its label; `text` is at `span` of the source's extracted text. */
export interface CitedPassage {
  label: string;
  source_id: string;
  source_title: string;
  text: string;
  span: Span;
  heading_path: string[];
}

export interface CitationReport {
  findings: Finding[];
  /** Number of sentences that state something checkable: a figure, a date, a name, a quotation. */
  statements: number;
  /** Number of these that cite passages containing all of it. */
  supported: number;
  /** `supported / statements`; 1 if nothing checkable is stated. */
  coverage: number;
  /** Labels of the cited passages, in the order of the prose. */
  cited: string[];
}

const CHECKED = new Set<HardToken['kind']>(['number', 'date', 'quote', 'name', 'identifier', 'url', 'path']);
const NAMED: Record<string, string> = {
  number: 'the figure',
  date: 'the date',
  quote: 'the quotation',
  name: 'the name',
  identifier: 'the identifier',
  url: 'the address',
  path: 'the path',
};

/**
 * Checks that every citing sentence states only what its passages say: their texts must contain its figures,
 * dates, names and quotations. Also measures how much of the prose is covered by citations (B26). Rules only,
 * no model.
 *
 * @param passages passages that the text may cite; any other label is an error
 */
export function checkCitations(markdown: string, passages: CitedPassage[]): CitationReport {
  const byLabel = new Map(passages.map((passage) => [passage.label, passage]));
  const paragraphs = splitParagraphs(markdown);
  const report: CitationReport = { findings: [], statements: 0, supported: 0, coverage: 1, cited: [] };
  const cited = new Set<string>();
  const known = new Map<string, KnownPassage>();
  for (const sentence of sentencesIn(markdown, paragraphs)) {
    const labels = noteLabels(sentence.text);
    const tokens = checkable(sentence);
    if (tokens.length > 0) report.statements++;
    if (labels.length === 0) continue;
    const cites = labels.flatMap((label) => byLabel.get(label) ?? []);
    for (const passage of cites) cited.add(passage.label);
    const problems = [
      ...labels.filter((label) => !byLabel.has(label)).map((label) => unknownLabel(label, sentence)),
      ...unsupported(sentence, tokens, cites, known),
    ];
    if (tokens.length > 0 && problems.length === 0) report.supported++;
    report.findings.push(...problems.map((problem) => finding(markdown, paragraphs, problem)));
  }
  report.cited = [...cited];
  report.coverage = report.statements === 0 ? 1 : report.supported / report.statements;
  report.findings = sortFindings(report.findings);
  return report;
}

function checkable(sentence: SpannedSentence): HardToken[] {
  return hardTokens(withoutNotes(sentence.text)).filter((token) => CHECKED.has(token.kind));
}

interface Problem {
  rule: string;
  severity: Finding['severity'];
  message: string;
  span: Span;
  evidence: Evidence[];
  suggestion: string;
}

function unknownLabel(label: string, sentence: SpannedSentence): Problem {
  return {
    rule: 'citation-unknown',
    severity: 'error',
    message: `The sentence cites "${label}", which is none of the passages it was given.`,
    span: { start: sentence.start, end: sentence.end },
    evidence: [],
    suggestion: 'Cite one of the given passages, or take the sentence out.',
  };
}

function unsupported(
  sentence: SpannedSentence,
  tokens: HardToken[],
  cites: CitedPassage[],
  known: Map<string, KnownPassage>,
): Problem[] {
  if (cites.length === 0) return [];
  const missing = tokens.filter(
    (token) => !cites.some((passage) => stands(token, knownPassage(passage, known))),
  );
  const span = { start: sentence.start, end: sentence.end };
  return missing.map((token) => ({
    rule: `citation-unsupported-${token.kind}`,
    severity: 'error' as const,
    message: `The cited passage does not hold ${NAMED[token.kind]} "${token.text}".`,
    span,
    evidence: cites.map((passage) => ({ text: passage.text, of: passage.source_id, span: passage.span })),
    suggestion: `Say what the passage says, or cite the passage that holds "${token.text}".`,
  }));
}

interface KnownPassage {
  text: string;
  lower: string;
  keys: Set<string>;
}

function knownPassage(passage: CitedPassage, known: Map<string, KnownPassage>): KnownPassage {
  let entry = known.get(passage.label);
  if (!entry) {
    const flat = `${passage.source_title}\n${passage.heading_path.join('\n')}\n${passage.text}`.replace(
      /\s+/g,
      ' ',
    );
    entry = {
      text: flat,
      lower: flat.toLowerCase(),
      keys: new Set(hardTokens(flat).map((token) => `${token.kind} ${token.key}`)),
    };
    known.set(passage.label, entry);
  }
  return entry;
}

function stands(token: HardToken, passage: KnownPassage): boolean {
  if (passage.keys.has(`${token.kind} ${token.key}`)) return true;
  if (token.kind === 'quote') return quoted(token.key, passage.lower);
  if (token.kind === 'name') return named(token.text, passage);
  return occursIn(token.text, passage.text) || occursIn(token.key, passage.text);
}

/**
 * Returns whether the passage contains a quotation word for word; an ellipsis may replace words between two
 * quoted parts.
 */
function quoted(key: string, passage: string): boolean {
  const parts = key
    .replace(/\s+/g, ' ')
    .split(/ ?(?:\[?…\]?|\[?\.\.\.\]?) ?/)
    .filter((part) => part !== '');
  let from = 0;
  for (const part of parts) {
    const at = passage.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const INFLECTING = /[ąćęłńśźżěščřžůőű]/i;
const ENDING = /(?:a|u|em|owi|ie|iem|ą|ę|y|i|om|ami|ach)$/u;

/**
 * Returns whether the passage contains a name, possibly inflected (Polish "Jana Kowalskiego"): of a long name
 * the beginning suffices, a short one may only have an additional ending.
 */
function named(name: string, passage: KnownPassage): boolean {
  if (occursIn(name, passage.text)) return true;
  const bare = name.replace(ENDING, '');
  if (bare.length >= 3 && INFLECTING.test(passage.text) && occursIn(bare, passage.text)) return true;
  return name.split(/[-’']/).every((part) => {
    const stem = part.length > 5 ? part.slice(0, Math.max(4, part.length - 3)) : part;
    return new RegExp(`(?<![\\p{L}])${escapeRegExp(stem)}\\p{L}{0,5}(?![\\p{L}])`, 'iu').test(passage.text);
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
