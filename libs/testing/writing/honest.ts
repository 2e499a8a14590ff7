import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CitedPassage } from '#writing/citations.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { sentencesIn } from '#writing/sentences.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const honestLanguages = ['en', 'de', 'pl'] as const;
export type HonestLanguage = (typeof honestLanguages)[number];

/** A section of a source in the repository, and sentences that a careful author would write from it. */
interface HonestSection {
  passage: CitedPassage;
  /** Paraphrases of the passage. */
  cited: string[];
  /** Connecting prose that states no facts of the source. */
  connecting: string[];
}

/** Reads the paraphrases of a language from `test/fixtures/honest/`; each section names its source text. */
export function honestSections(language: HonestLanguage): HonestSection[] {
  const lines = readFileSync(`${ROOT}test/fixtures/honest/${language}.txt`, 'utf8').split('\n');
  const sections: HonestSection[] = [];
  for (const line of lines) {
    if (line.startsWith('# ')) {
      const [file = '', heading = ''] = line.slice(2).split(' > ');
      sections.push({
        passage: passageOf(file, heading, `s${sections.length + 1}`),
        cited: [],
        connecting: [],
      });
    } else if (line.startsWith('= ')) sections.at(-1)!.connecting.push(line.slice(2));
    else if (line !== '') sections.at(-1)!.cited.push(line);
  }
  return sections;
}

/** Returns the text below a heading of a source, to the next heading. */
function passageOf(file: string, heading: string, label: string): CitedPassage {
  const text = readFileSync(ROOT + file, 'utf8');
  const blocks = splitParagraphs(text);
  const from = blocks.findIndex(
    ({ kind, text: words }) => kind === 'heading' && words.replace(/^#+ /, '') === heading,
  );
  if (from < 0) throw new Error(`${file} has no heading "${heading}".`);
  const next = blocks.findIndex(({ kind }, at) => at > from && kind === 'heading');
  const span = { start: blocks[from]!.end + 1, end: next < 0 ? text.length : blocks[next]!.start };
  return {
    label,
    source_id: file,
    source_title: splitParagraphs(text)[0]!.text.replace(/^#+ /, ''),
    text: text.slice(span.start, span.end).trim(),
    span,
    heading_path: [heading],
  };
}

/** Number words and months in which a paraphrase may write a figure of its source. */
const SPELLED = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const OPENINGS = ['Even so, ', 'In the end, ', 'At first, ', 'By all accounts, ', ''];

/**
 * Returns the sentences of a source in other notation: figures in words, other date formats, a connecting opening. They
 * state exactly what the source states.
 */
export function rewordSentences(text: string): string[] {
  const prose = splitParagraphs(text).filter(({ kind }) => kind === 'paragraph');
  return sentencesIn(text, prose).map(({ text: sentence }, n) => {
    const flat = sentence.replace(/\s+/g, ' ');
    const figures = flat
      .replace(
        /(?<![\d.,])([2-9]|1[0-2])(?![\d.,:/%-])(?= \p{Ll})/gu,
        (digits) => SPELLED[Number(digits) - 2]!,
      )
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, n % 2 === 0 ? '' : ' ')
      .replace(
        /\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b/g,
        '$2 $1, $3',
      );
    const opening = OPENINGS[n % OPENINGS.length]!;
    const isPlain = /^(?:The|A|An|It|He|She|They|In|On|At|When|This|There|From|By|After) /.test(figures);
    return isPlain && opening !== '' ? opening + figures.charAt(0).toLowerCase() + figures.slice(1) : figures;
  });
}
