import { readFileSync } from 'node:fs';
import type { Judgements } from './figures.js';

export interface BeirDocument {
  _id: string;
  title?: string;
  text: string;
}

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Reads a set in BEIR's format: JSON lines of documents and queries, and judgements `query-id corpus-id score` by tabs. */
export function readBeir(files: { corpus: string; queries: string; qrels: string }) {
  const documents = lines(files.corpus).map((line) => JSON.parse(line) as BeirDocument);
  const queries = lines(files.queries).map((line) => JSON.parse(line) as { _id: string; text: string });
  const judgements: Judgements = new Map();
  for (const line of lines(files.qrels)) {
    const [query, document, score] = line.split('\t');
    if (!(Number(score) > 0)) continue;
    const relevant = judgements.get(query!) ?? new Set();
    judgements.set(query!, relevant.add(document!));
  }
  return { documents, queries: queries.filter(({ _id }) => judgements.has(_id)), judgements };
}

/** Returns the searched text of a document. */
export const textOf = ({ title, text }: BeirDocument) => (title ? `${title}\n\n${text}` : text);
