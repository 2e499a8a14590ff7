import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Evidence, Finding, Span } from '#contracts/findings.js';
import { claimsNeedingSource, hardClaims, type Claim, type ClaimContext } from './claims/claims.js';
import { wordUseOf } from './claims/names.js';
import { knownWords } from './claims/known-words.js';
import { hasRoles, type People, peopleIn, swapIn } from './claims/roles.js';
import { indexText, lettersOf, states, type IndexedText } from './claims/passage-index.js';
import { stems } from '#verbatim/source/stems.js';
import { finding, sortFindings } from './findings.js';
import { languageOf } from './language.js';
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
  /** Author and date of publication of the source; a sentence that cites it may name them. */
  author?: string | null;
  date?: string | null;
}

export interface CitationReport {
  findings: Finding[];
  /** Number of sentences that state something checkable: a figure, a date, a name, a quotation, a rank, a cause. */
  statements: number;
  /** Number of these sentences for which the cited passages contain every statement. */
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
  /** Year from which ages are counted, as in `200 years old`; by default the present one. */
  thisYear?: number;
}

/**
 * Checks the citations of a text by rules (B26): the passages that a sentence cites must contain its figures, dates,
 * names and quotations, and a sentence that states something checkable must cite a passage, or be taken from one
 * word for word. Without passages, only unknown labels are found.
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
  private readonly indexed = new Map<string, IndexedText>();
  private readonly peopleOf = new Map<string, People>();
  private readonly context: ClaimContext;
  private readonly isKnown: (name: string) => boolean;

  constructor(
    markdown: string,
    private readonly passages: CitedPassage[],
    private readonly options: CitationOptions,
  ) {
    this.byLabel = new Map(passages.map((passage) => [passage.label, passage]));
    const all = [markdown, ...passages.map(({ text }) => text)].join('\n\n');
    this.context = { language: languageOf(markdown) ?? languageOf(all), use: wordUseOf(all) };
    const headings = splitParagraphs(markdown).filter(({ kind }) => kind === 'heading');
    const known = knownWords([options.known ?? '', ...headings.map(({ text }) => text)].join('\n'));
    this.isKnown = (name) => known.has(name);
  }

  knows(label: string): boolean {
    return this.byLabel.has(label);
  }

  sentence(sentence: SpannedSentence): { isStatement: boolean; problems: Problem[] } {
    const labels = noteLabels(sentence.text);
    const words = withoutNotes(sentence.text);
    if (labels.length === 0) return this.uncited(sentence, words);
    const claims = hardClaims(words, this.context);
    const cites = labels.flatMap((label) => this.byLabel.get(label) ?? []);
    const problems = [
      ...labels.filter((label) => !this.knows(label)).map((label) => unknownLabel(label, sentence)),
      ...this.unsupported(sentence, claims, cites),
      ...this.swapped(sentence, words, cites),
    ];
    return { isStatement: claims.length > 0, problems };
  }

  private unsupported(sentence: SpannedSentence, claims: Claim[], cites: CitedPassage[]): Problem[] {
    if (cites.length === 0) return [];
    const missing = claims.filter((claim) => !cites.some((passage) => this.states(passage, claim)));
    return distinct(missing).map(({ kind, text }) => ({
      rule: `citation-unsupported-${kind}`,
      severity: 'error' as const,
      message: phrase('finding.citation.unsupported', { claim: phrase(`claim.${kind}`, { text }) }),
      span: { start: sentence.start, end: sentence.end },
      evidence: cites.map((passage) => ({ text: passage.text, of: passage.source_id, span: passage.span })),
      suggestion: phrase('finding.citation.cite_other', { text }),
    }));
  }

  /** Finds a person of whom a sentence says what the passages say of another one. */
  private swapped(sentence: SpannedSentence, words: string, cites: CitedPassage[]): Problem[] {
    const { language } = this.context;
    const isRead = cites.every((passage) => [language, null].includes(this.index(passage).language));
    if (cites.length === 0 || !hasRoles(language) || !isRead) return [];
    const swap = swapIn(words, this.people(cites, language), language);
    if (!swap) return [];
    return [
      {
        rule: 'citation-unsupported-name',
        severity: 'error',
        message: phrase('finding.citation.swapped', { ...swap }),
        span: { start: sentence.start, end: sentence.end },
        evidence: cites.map((passage) => ({ text: passage.text, of: passage.source_id, span: passage.span })),
        suggestion: phrase('finding.citation.cite_other', { text: swap.name }),
      },
    ];
  }

  private people(cites: CitedPassage[], language: string): People {
    const key = cites.map(({ label }) => label).join(' ');
    let people = this.peopleOf.get(key);
    if (!people) {
      const sentences = cites.flatMap((passage) => this.index(passage).figures(language).sentences);
      people = peopleIn(sentences, language, this.context.use);
      this.peopleOf.set(key, people);
    }
    return people;
  }

  private uncited(sentence: SpannedSentence, words: string): { isStatement: boolean; problems: Problem[] } {
    const claims = claimsNeedingSource(words, this.context, this.isKnown);
    if (claims.length === 0) return { isStatement: false, problems: [] };
    if (this.isQuotedFromPassage(words)) return { isStatement: true, problems: [] };
    const isChecked = this.passages.length > 0 && this.options.needsSources !== false;
    return { isStatement: true, problems: isChecked ? [this.missingCitation(sentence, words, claims)] : [] };
  }

  /** Returns whether a passage contains the words. A text compiled from passages cites each only after its last sentence. */
  private isQuotedFromPassage(words: string): boolean {
    const letters = lettersOf(words);
    return this.passages.some((passage) => this.index(passage).letters.includes(letters));
  }

  private missingCitation(sentence: SpannedSentence, words: string, claims: Claim[]): Problem {
    const [first] = claims as [Claim];
    const hard = claims.filter(({ keys }) => keys.length > 0);
    const source = hard.length === 0 ? undefined : this.likelySource(words, hard);
    const stated = distinct(claims)
      .slice(0, 3)
      .map(({ kind, text }) => phrase(`claim.${kind}`, { text }));
    return {
      rule: `citation-missing-${first.kind}`,
      severity: 'warning',
      message: phrase('finding.citation.missing', { claims: joinPhrases('list', stated) }),
      span: { start: sentence.start, end: sentence.end },
      evidence: source ? [{ text: source.text, of: source.source_id, span: source.span }] : [],
      suggestion: source
        ? phrase('finding.citation.check', { label: source.label })
        : phrase('finding.citation.cite_or_remove'),
    };
  }

  /** Returns the passage that states all claims of a sentence and shares most words with it. */
  private likelySource(words: string, claims: Claim[]): CitedPassage | undefined {
    const claimStems = stems(words);
    // A figure that only follows from others does not point to the source.
    const stated = claims.map(({ kind, text, keys }): Claim => ({ kind, text, keys }));
    return this.passages
      .filter((passage) => stated.every((claim) => this.states(passage, claim)))
      .map((passage) => {
        const known = new Set(stems(passage.text));
        return { passage, shared: claimStems.filter((stem) => known.has(stem)).length };
      })
      .reduce<{ passage?: CitedPassage; shared: number }>(
        (best, one) => (one.shared > best.shared ? one : best),
        {
          shared: -1,
        },
      ).passage;
  }

  private states(passage: CitedPassage, claim: Claim): boolean {
    return states(this.index(passage), claim, this.context.language);
  }

  private index(passage: CitedPassage): IndexedText {
    let entry = this.indexed.get(passage.label);
    if (!entry) {
      const { source_title, author, date, heading_path, text } = passage;
      const words = [source_title, author ?? '', date ?? '', ...heading_path, text].join('\n');
      entry = indexText(words, this.options.thisYear);
      this.indexed.set(passage.label, entry);
    }
    return entry;
  }
}

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
