import type { InThread } from '#kit/graph/ports.js';
import type { BookServices } from '../graph/definition.js';
import { PageReader } from '#knowledge/ports/page-reader.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';
import { SourceCopies } from '#knowledge/ports/source-copies.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import { CollectionKnowledge } from './knowledge.js';
import { SessionBook } from './store.js';

/** Creates the services that a book run needs from outside its graph. */
export function bookServices(
  { db, store, settings, meaning }: SearchDependencies,
  inThread: InThread,
): BookServices {
  const reader = new PageReader(settings);
  return {
    store: (run) => new SessionBook(db, run),
    knowledge: (run, book, signal) => {
      const work = runnerIndexWork(inThread, signal);
      const tools = { db, store, work, ...(meaning && { embedder: meaning.embedder }) };
      const copiesIn = (collectionId: string) => ({
        mayFetch: settings.FETCH_URL,
        copies: new SourceCopies(tools, run.tenantId, collectionId, reader, inThread, signal),
      });
      return new CollectionKnowledge(tools, run, book, signal, copiesIn, meaning?.search);
    },
  };
}
