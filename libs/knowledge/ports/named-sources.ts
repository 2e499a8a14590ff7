import { joinPhrases, phrase } from '#contracts/phrases/phrase.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { isAddress } from '../contract/named-sources.js';
import type { Database } from '#db/client.js';
import { problemOf, type KnowledgeSource } from '../store/sources.js';
import type { SourceCopies } from './source-copies.js';

/** Maximum number of unreadable sources that the error names. */
const MAX_NAMED = 10;

/** Dependencies of `NamedSources`. */
export interface NamedSourceTools {
  db: Database;
  copies: SourceCopies;
  /** Whether the operator lets authors name pages (FETCH_URL). */
  mayFetch: boolean;
  /** Collection whose sources can also be named, such as a book's. */
  collectionId: string;
}

/**
 * Stores the pages and files that an author names in the inputs of a run, and indexes them. Files are sources of the
 * collection, by their name or title, or uploads of the session.
 *
 * @returns their sources, in the order of the names
 * @throws RunFailure `fetch_off`, `source_unknown`, `source_unreadable`, with all that are concerned
 */
export async function openNamedSources(
  { db, copies, mayFetch, collectionId }: NamedSourceTools,
  { tenantId, sessionId }: Pick<HeldRun, 'tenantId' | 'sessionId'>,
  named: string[],
): Promise<KnowledgeSource[]> {
  const pages = named.filter(isAddress);
  const names = named.filter((name) => !isAddress(name));
  if (pages.length > 0 && !mayFetch) throw new RunFailure('fetch_off', phrase('run_error.fetch_off'));
  const isNamed = { OR: [{ name: { in: names } }, { title: { in: names } }] };
  const there = await db.knowledgeSource.findMany({ where: { tenantId, collectionId, ...isNamed } });
  const others = names.filter((name) => !there.some((source) => isCalled(source, name)));
  const files = await db.sessionFile.findMany({
    where: { tenantId, sessionId, folder: 'inputs', name: { in: others } },
  });
  const unknown = others.filter((name) => files.every((file) => file.name !== name));
  if (unknown.length > 0)
    throw new RunFailure('source_unknown', phrase('run_error.source_unknown', { names: unknown.join(', ') }));
  const { kept, failed } = await copies.storeFiles(files);
  const read = await copies.keepPages(pages.map((url) => ({ url })));
  const unread = [
    ...read.unread.map(({ url, problem }) => phrase('source_problem.of', { name: url, problem })),
    ...[...there.filter(({ state }) => state === 'failed'), ...failed].map((source) =>
      phrase('source_problem.of', {
        name: source.name,
        problem: problemOf(source) ?? phrase('source_problem.unreadable'),
      }),
    ),
  ];
  if (unread.length > 0)
    throw new RunFailure(
      'source_unreadable',
      phrase('run_error.source_unreadable', {
        problems: joinPhrases('sentences', unread.slice(0, MAX_NAMED)),
      }),
    );
  const all = [...there, ...kept, ...read.kept];
  return named.flatMap((name) => all.find((source) => source.url === name || isCalled(source, name)) ?? []);
}

const isCalled = (source: KnowledgeSource, name: string): boolean =>
  source.name === name || source.title === name;
