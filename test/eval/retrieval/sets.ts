/**
 * Converts two public sets to BEIR's form (corpus.jsonl, queries.jsonl, test.tsv) for `npm run eval:retrieval`. They are not part of this
 * repository; clone them first:
 * - Cranfield (English, 1,398 abstracts of aerodynamics, 225 queries): `cran.all.1400`, `cran.qry` and `cranqrel` in src/cran of
 *   https://github.com/ruthbrennankk/CS7IS3-Lucene-Cranfield at 9d6057b4c0016e10fc79251cc04ac5d2682636ab
 * - PoQuAD (Polish, 962 passages of Wikipedia, 1,911 questions that have an answer): `data.json` of https://github.com/ipipan/poquad at
 *   1cf5a6e9e4be76735b33cb5c2047972a4a0efb0f
 * Usage: node dist/test/eval/retrieval/sets.js --out FOLDER [--cranfield FOLDER] [--poquad FILE]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { BeirDocument } from './beir.js';

interface BeirSet {
  documents: BeirDocument[];
  queries: { _id: string; text: string }[];
  /** The relevant document of a query, by their ids. */
  judgements: [query: string, document: string][];
}

const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ');

/** Reads SMART's format: `.I 1` starts an entry, and a dot with a letter starts each of its fields. */
function readSmart(file: string): Map<string, string>[] {
  const entries: Map<string, string>[] = [];
  let field = '';
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const [, letter, rest] = /^\.([ITABW])(?: (.*))?\s*$/.exec(line) ?? [];
    const entry = entries.at(-1);
    if (letter === 'I') entries.push(new Map([['I', rest!.trim()]]));
    else if (letter !== undefined) field = letter;
    else entry?.set(field, `${entry.get(field) ?? ''}${line}\n`);
  }
  return entries;
}

export function readCranfield(folder: string): BeirSet {
  const documents = readSmart(join(folder, 'cran.all.1400')).flatMap((entry): BeirDocument[] => {
    const title = oneLine(entry.get('T') ?? '');
    const abstract = oneLine(entry.get('W') ?? '');
    // Most abstracts begin with their title.
    const text = abstract.startsWith(title) ? abstract.slice(title.length).trim() : abstract;
    return title === '' && text === '' ? [] : [{ _id: entry.get('I')!, title, text }];
  });
  // Judgements name a query by its place, not by its number.
  const queries = readSmart(join(folder, 'cran.qry')).map((entry, at) => ({
    _id: String(at + 1),
    text: oneLine(entry.get('W') ?? ''),
  }));
  const judgements = readFileSync(join(folder, 'cranqrel'), 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , degree]) => Number(degree) >= 1 && Number(degree) <= 4)
    .map(([query, document]): [string, string] => [query!, document!]);
  return { documents, queries, judgements };
}

const poquadSchema = z.object({
  data: z.array(
    z.object({
      id: z.coerce.string(),
      summary: z.string(),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(z.object({ question: z.string(), is_impossible: z.boolean().optional() })),
        }),
      ),
    }),
  ),
});

/** The paragraph for which a question was written answers it; the summaries of the articles are distractors. */
export function readPoquad(file: string): BeirSet {
  const set: BeirSet = { documents: [], queries: [], judgements: [] };
  for (const { id, summary, paragraphs } of poquadSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).data) {
    for (const [at, { context, qas }] of paragraphs.entries()) {
      set.documents.push({ _id: `${id}-${at}`, text: context });
      for (const { question, is_impossible } of qas) {
        if (is_impossible) continue;
        const _id = String(set.queries.length + 1);
        set.queries.push({ _id, text: question });
        set.judgements.push([_id, `${id}-${at}`]);
      }
    }
    set.documents.push({ _id: `${id}-s`, text: summary });
  }
  return set;
}

function write(folder: string, { documents, queries, judgements }: BeirSet): void {
  mkdirSync(folder, { recursive: true });
  const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(folder, 'corpus.jsonl'), lines(documents));
  writeFileSync(join(folder, 'queries.jsonl'), lines(queries));
  const rows = judgements.map(([query, document]) => `${query}\t${document}\t1\n`);
  writeFileSync(join(folder, 'test.tsv'), `query-id\tcorpus-id\tscore\n${rows.join('')}`);
  console.log(`${folder}: ${documents.length} documents, ${queries.length} queries`);
}

const { values: options } = parseArgs({
  options: { out: { type: 'string' }, cranfield: { type: 'string' }, poquad: { type: 'string' } },
});
if (!options.out) throw new Error('name --out, and --cranfield or --poquad');
if (options.cranfield) write(join(options.out, 'cranfield'), readCranfield(options.cranfield));
if (options.poquad) write(join(options.out, 'poquad'), readPoquad(options.poquad));
