import { singleSpaced } from '#contracts/text.js';
import type { Acceptance } from '#contracts/coverage.js';
import { ledgerPhrase } from '#contracts/ledger-phrases.js';
import { englishText, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Translate } from '#contracts/phrases/translator.js';
import { isAddedText } from './added.js';
import type { Ledger, LedgerFile } from '../schema.js';
import { describePieces } from './pieces.js';
import { carriedShare, coverageReport, formatPercent, remarksOf, worstFirst } from './coverage.js';

const MAX_OMISSIONS = 500;

/** Acceptance with the name of the person, if known. */
type NamedAcceptance = Acceptance & { name?: string | null };

/** Chapter of a document about its sources. */
export interface Appendix {
  title: string;
  /** Content without the heading. */
  markdown: string;
}

/**
 * Returns the appendix: the outcome of each source according to the ledger (X1), and acceptances below 100 % (D23).
 *
 * @param translate renders phrases in the language of the document
 */
export function coverageAppendix(
  ledger: Ledger,
  acceptances: readonly NamedAcceptance[] = [],
  translate: Translate = englishText,
): Appendix {
  const report = coverageReport(ledger);
  const { lines, bytes } = report;
  const shares = { lines: formatPercent(carriedShare(lines)), bytes: formatPercent(carriedShare(bytes)) };
  const item = (entry: Phrase) => `- ${plain(translate(entry))}`;
  const parts = [
    translate(phrase('appendix.shares', shares)),
    ...remarksOf(report).map(translate),
    ...accepted(acceptances, translate),
    filesTable(worstFirst(ledger.files), translate),
    ...listed('appendix.pieces', piecesOf(ledger)),
    ...listed('appendix.added', addedTextOf(ledger)),
    ...listed('appendix.converted', conversionsOf(ledger)),
    ...listed('appendix.omissions', omissionsOf(ledger)),
  ];
  return { title: translate(phrase('appendix.title')), markdown: `${parts.join('\n\n')}\n` };

  function listed(heading: ListHeading, entries: Phrase[]): string[] {
    if (entries.length === 0) return [];
    const more = entries.length - MAX_OMISSIONS;
    const shown = entries.slice(0, MAX_OMISSIONS).map(item);
    if (more > 0) shown.push(item(phrase('appendix.more', { number: more })));
    return [translate(phrase(heading)), shown.join('\n')];
  }
}

type ListHeading = 'appendix.pieces' | 'appendix.added' | 'appendix.converted' | 'appendix.omissions';

/** Escapes characters that are markup in markdown. */
const plain = (text: string) => singleSpaced(text.replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&'));

function filesTable(files: readonly LedgerFile[], translate: Translate): string {
  const titles = [
    phrase('appendix.source'),
    phrase('appendix.lines'),
    phrase('appendix.carried'),
    phrase('appendix.left_out'),
    phrase('appendix.missing'),
    phrase('appendix.lines_carried'),
    phrase('appendix.bytes_carried'),
  ];
  return [
    `| ${titles.map(translate).join(' | ')} |`,
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...files.map((file) => `| ${rowOf(file).map(String).map(plain).join(' | ')} |`),
  ].join('\n');
}

function rowOf(file: LedgerFile): (string | number)[] {
  const { name, lines, carried, omitted, altered, unaccounted, coverage, bytes } = file;
  const share = bytes ? formatPercent(carriedShare(bytes)) : '';
  return [name, lines, carried, omitted, altered + unaccounted, formatPercent(coverage), share];
}

function accepted(acceptances: readonly NamedAcceptance[], translate: Translate): string[] {
  return acceptances.flatMap(({ decision_id, by, name, at, issue_count, issues }) => {
    const who = name ? `${plain(name)} (${plain(by)})` : plain(by);
    const left = issue_count - issues.length;
    const more = left > 0 ? [translate(phrase('appendix.more', { number: left }))] : [];
    return [
      translate(phrase('appendix.accepted', { who, at, decision: plain(decision_id) })),
      [...issues.map(plain), ...more].map((item) => `- ${item}`).join('\n'),
    ];
  });
}

/** Lists the pieces of the files, such as notes and headers, that their texts do not carry. */
const piecesOf = ({ files }: Ledger): Phrase[] =>
  files.flatMap(({ name, inventory }) =>
    describePieces(inventory).map((text) => phrase('appendix.of_file', { name, text })),
  );

/** Lists the document's prose that makes statements without support in a source. */
const addedTextOf = ({ added }: Ledger): Phrase[] =>
  added
    .filter(isAddedText)
    .map(({ manuscript_line: line, text }) => phrase('appendix.added_line', { line, text }));

const conversionsOf = ({ files }: Ledger): Phrase[] =>
  files.flatMap(({ name, converted }) =>
    converted ? [phrase('appendix.converted_file', { name, ...converted })] : [],
  );

const omissionsOf = ({ files }: Ledger): Phrase[] =>
  files.flatMap(({ name, omissions }) =>
    omissions.map(({ first_line: first, last_line: last, reason, by }) =>
      by === 'rule'
        ? phrase('appendix.omission_by_rule', { name, first, last, reason: ledgerPhrase(reason) ?? reason })
        : phrase('appendix.omission_by_person', { name, first, last, reason }),
    ),
  );
