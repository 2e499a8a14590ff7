import { oneLine } from '#contracts/text.js';
import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Evidence, Finding, Span } from '#contracts/findings.js';
import { stems } from '#verbatim/source/stems.js';
import { claimsIn, claimsNeedingSource, type Claim, type ClaimContext } from './claims/claims.js';
import { PassageIndex, knownWords } from './claims/passage-index.js';
import { wordUseIn } from './claims/names.js';
import { finding, sortFindings } from './findings.js';
import { languageOf } from './language.js';
import { splitParagraphs } from './paragraphs.js';
import { noteLabels, type SpannedSentence, sentencesIn, withoutNotes } from './sentences.js';

/** A source as described in a footnote. */
interface NotedSource {
  label: string;
  title: string;
  url: string;
  author?: string | null;
  /** Date of publication, `YYYY-MM-DD`. */
  date?: string | null;
}

/** Addresses that lead to the source from anywhere. */
const WEB_ADDRESS = /^https?:/i;

/**
 * Appends a footnote with author, title, date and web address of each source that the text cites. The address of a
 * source in the service is left out: it consists of random IDs, and the same sources must give the same text.
 */
export function citeSources(markdown: string, sources: NotedSource[]): string {
  const cited = new Set(noteLabels(markdown));
  const notes = sources
    .filter(({ label }) => cited.has(label))
    .map(({ label, title, url, author, date }) => {
      const by = author ? `${oneLine(author)}: ` : '';
      const at = WEB_ADDRESS.test(url) ? ` <${url}>` : '';
      return `[^${label}]: ${by}${oneLine(title)}${date ? ` (${date})` : ''}.${at}`;
    });
  return notes.length === 0 ? markdown : `${markdown.trimEnd()}\n\n${notes.join('\n')}\n`;
}

/** A passage that prose can cite by its label; `text` is at `span` of the source's extracted text. */
export interface CitedPassage {
  label: string;
  source_id: string;
  source_title: string;
  text: string;
  span: Span;
  heading_path: string[];
  /** Author and date of publication of the source; a sentence that cites it may name them. */
  author?: string | null;
  date?: string | null;
}

export interface CitationReport {
  findings: Finding[];
  /** Number of sentences that state something checkable: a figure, a date, a name, a quotation, an address. */
  statements: number;
  /** Number of these sentences whose cited passages state each item literally. */
  supported: number;
  /** `supported / statements`; 1 if nothing checkable is stated. */
  coverage: number;
  /** Labels of the cited passages, in the order of the prose. */
  cited: string[];
}

/** Further information about a text for the check of its citations. */
interface CitationOptions {
  /** The brief, the outline and other words of the author: their names alone need no citation. */
  known?: string;
  /** False for fiction, which needs no sources. */
  needsSources?: boolean;
}

/** Kinds of claims that are an error if no passage of the work has them; others may follow from a passage. */
const WORD_FOR_WORD: readonly string[] = ['quote', 'name', 'identifier', 'url', 'path'];

/**
 * Checks the citations of a text by rules (B26, X15). Each checkable item of a sentence is *literal*, if a cited passage
 * states it after normalizing number words, months, units and rounding; an *error*, if no passage of the work has the
 * quotation, name, identifier or address; and *open* otherwise, which a reviewer settles with proofs (`proofs/`). Rules do
 * not judge what a sentence means. A sentence with such items must cite a passage, or be taken from one word for word.
 * Without passages, only unknown labels are found.
 *
 * @param passages passages that the text may cite; any other label is an error
 */
export function checkCitations(
  markdown: string,
  passages: CitedPassage[],
  options: CitationOptions = {},
): CitationReport {
  const paragraphs = splitParagraphs(markdown);
  const check = new CitationCheck(markdown, passages, options);
  const report: CitationReport = { findings: [], statements: 0, supported: 0, coverage: 1, cited: [] };
  const cited = new Set<string>();
  for (const sentence of sentencesIn(markdown, paragraphs)) {
    for (const label of noteLabels(sentence.text)) if (check.knows(label)) cited.add(label);
    const { isStatement, problems } = check.sentence(sentence);
    if (isStatement) report.statements++;
    if (isStatement && problems.length === 0) report.supported++;
    report.findings.push(...problems.map((problem) => finding(markdown, paragraphs, problem)));
  }
  report.cited = [...cited];
  report.coverage = report.statements === 0 ? 1 : report.supported / report.statements;
  report.findings = sortFindings(report.findings);
  return report;
}

interface Problem {
  rule: string;
  severity: Finding['severity'];
  message: Phrase;
  span: Span;
  evidence: Evidence[];
  suggestion: Phrase;
}

class CitationCheck {
  private readonly byLabel: Map<string, CitedPassage>;
  private readonly indexed = new Map<string, PassageIndex>();
  private readonly context: ClaimContext;
  private readonly isKnown: (words: string) => boolean;

  constructor(
    markdown: string,
    private readonly passages: CitedPassage[],
    private readonly options: CitationOptions,
  ) {
    this.byLabel = new Map(passages.map((passage) => [passage.label, passage]));
    const all = [markdown, ...passages.map(({ text }) => text)].join('\n\n');
    this.context = { language: languageOf(markdown) ?? languageOf(all), use: wordUseIn(all) };
    const headings = splitParagraphs(markdown).filter(({ kind }) => kind === 'heading');
    const known = knownWords([options.known ?? '', ...headings.map(({ text }) => text)].join('\n'));
    this.isKnown = (words) => known.has(words);
  }

  knows(label: string): boolean {
    return this.byLabel.has(label);
  }

  sentence(sentence: SpannedSentence): { isStatement: boolean; problems: Problem[] } {
    const labels = noteLabels(sentence.text);
    const words = withoutNotes(sentence.text);
    if (labels.length === 0) return this.uncited(sentence, words);
    const claims = distinct(claimsIn(words, this.context));
    const cites = labels.flatMap((label) => this.byLabel.get(label) ?? []);
    const missing =
      cites.length === 0 ? [] : claims.filter((claim) => !cites.some((one) => this.states(one, claim)));
    const problems = [
      ...labels.filter((label) => !this.knows(label)).map((label) => unknownLabel(label, sentence)),
      ...missing.map((claim) => this.notLiteral(sentence, claim, cites)),
    ];
    return { isStatement: claims.length > 0, problems };
  }

  private notLiteral(sentence: SpannedSentence, claim: Claim, cites: CitedPassage[]): Problem {
    const { kind, text } = claim;
    const elsewhere = this.passages.find((passage) => this.states(passage, claim));
    const isError = !elsewhere && WORD_FOR_WORD.includes(kind);
    return {
      rule: `citation-${isError ? 'unsupported' : 'open'}-${kind}`,
      severity: isError ? 'error' : 'info',
      message: phrase(isError ? 'finding.citation.unsupported' : 'finding.citation.open', {
        claim: phrase(`claim.${kind}`, { text }),
      }),
      span: { start: sentence.start, end: sentence.end },
      evidence: cites.map(evidenceOf),
      suggestion: elsewhere
        ? phrase('finding.citation.check', { label: elsewhere.label })
        : phrase('finding.citation.cite_other', { text }),
    };
  }

  private uncited(sentence: SpannedSentence, words: string): { isStatement: boolean; problems: Problem[] } {
    const claims = claimsNeedingSource(words, this.context, this.isKnown);
    if (claims.length === 0) return { isStatement: false, problems: [] };
    // A text compiled from passages cites each only after its last sentence.
    if (this.passages.some((passage) => this.index(passage).hasSentence(words)))
      return { isStatement: true, problems: [] };
    const isChecked = this.passages.length > 0 && this.options.needsSources !== false;
    return { isStatement: true, problems: isChecked ? [this.missingCitation(sentence, words, claims)] : [] };
  }

  private missingCitation(sentence: SpannedSentence, words: string, claims: Claim[]): Problem {
    const [first] = claims as [Claim];
    const source = this.likelySource(words, claims);
    const stated = distinct(claims)
      .slice(0, 3)
      .map(({ kind, text }) => phrase(`claim.${kind}`, { text }));
    return {
      rule: `citation-missing-${first.kind}`,
      severity: 'warning',
      message: phrase('finding.citation.missing', { claims: joinPhrases('list', stated) }),
      span: { start: sentence.start, end: sentence.end },
      evidence: source ? [evidenceOf(source)] : [],
      suggestion: source
        ? phrase('finding.citation.check', { label: source.label })
        : phrase('finding.citation.cite_or_remove'),
    };
  }

  /** Returns the passage that states all claims of a sentence and shares most words with it. */
  private likelySource(words: string, claims: Claim[]): CitedPassage | undefined {
    const own = stems(words);
    const candidates = this.passages
      .filter((passage) => claims.every((claim) => this.states(passage, claim)))
      .map((passage) => {
        const known = new Set(stems(passage.text));
        return { passage, shared: own.filter((stem) => known.has(stem)).length };
      });
    return candidates.sort((a, b) => b.shared - a.shared)[0]?.passage;
  }

  private states(passage: CitedPassage, claim: Claim): boolean {
    return this.index(passage).has(claim);
  }

  private index(passage: CitedPassage): PassageIndex {
    let entry = this.indexed.get(passage.label);
    if (!entry) {
      const { source_title, author, date, heading_path, text } = passage;
      const words = [source_title, author ?? '', date ?? '', ...heading_path, text].join('\n');
      entry = new PassageIndex(words, this.context.language);
      this.indexed.set(passage.label, entry);
    }
    return entry;
  }
}

const evidenceOf = ({ text, source_id: of, span }: CitedPassage): Evidence => ({ text, of, span });

/** Returns the claims with different words, of each kind once. */
function distinct(claims: Claim[]): Claim[] {
  return [...new Map(claims.map((claim) => [`${claim.kind} ${claim.text}`, claim])).values()];
}

function unknownLabel(label: string, sentence: SpannedSentence): Problem {
  return {
    rule: 'citation-unknown',
    severity: 'error',
    message: phrase('finding.citation.unknown', { label }),
    span: { start: sentence.start, end: sentence.end },
    evidence: [],
    suggestion: phrase('finding.citation.cite_given'),
  };
}
