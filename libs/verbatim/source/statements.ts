import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { stems } from './stems.js';
import { hardTokens, type HardToken } from './tokens.js';

/** A sentence with the stems of its content words and its hard tokens. */
export interface Statement extends Sentence {
  stems: string[];
  tokens: HardToken[];
}

/** Returns the sentences of a manuscript as statements. */
export function statements(scanned: ScannedLine[]): Statement[] {
  return sentencesOf(scanned).map(statement);
}

/** Returns the sentences of a source as statements; a capitalized first word may be a name. */
export function sourceStatements(scanned: ScannedLine[]): Statement[] {
  const smallWords = smallWordsOf(scanned);
  return statements(scanned).map((sentence) => named(sentence, smallWords));
}

function statement(sentence: Sentence): Statement {
  return { ...sentence, stems: stems(sentence.text), tokens: hardTokens(sentence.text) };
}

function smallWordsOf(scanned: ScannedLine[]): Set<string> {
  const found = new Set<string>();
  for (const line of scanned) {
    if (isText(line)) for (const word of line.text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []) found.add(word);
  }
  return found;
}

/** Adds the first word as a name if the next word suggests one and the text never has it in lower case. */
function named(sentence: Statement, smallWords: Set<string>): Statement {
  const match =
    /^[*_"“]*(\p{Lu}[\p{Ll}-]+)\s+(?:\p{Lu}\p{Ll}+|is|was|has|had|will|can|must|should|may|does|did|and|\p{Ll}+(?:ed|s))(?=[\s.,])/u.exec(
      sentence.text,
    );
  const word = match?.[1];
  if (word === undefined || STARTERS.test(word)) return sentence;
  if (sentence.tokens.some((token) => token.key === word || token.text === word)) return sentence;
  if (smallWords.has(word.toLowerCase())) return sentence;
  return {
    ...sentence,
    tokens: [...sentence.tokens, { kind: 'name', text: word, key: word, uncertain: true }],
  };
}

const STARTERS =
  /^(?:the|this|that|these|those|it|he|she|they|we|you|there|here|each|every|all|any|some|many|most|both|no|none|nobody|nothing|one|when|while|if|what|who|which|where|how|then|also|after|before|only|never|always|once|please|\p{L}+(?:ing|ly|tions?|ments?|ness|ity|ers|ors|s))$/iu;
