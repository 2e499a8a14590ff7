import type { RunnerFeature } from '#kit/runner/feature.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import type { InThread } from '#kit/graph/ports.js';
import { PageReader } from '#knowledge/ingest/page-reader.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';
import { SourceCopies } from '#knowledge/ports/source-copies.js';
import { bookFacts } from './facts.js';
import { BookDefinition, type BookServices } from './graph/definition.js';
import { CollectionKnowledge } from './ports/knowledge.js';
import { SessionBook } from './ports/store.js';

/** Runs that write a book. */
export const bookRunner: RunnerFeature<SearchDependencies> = {
  facts: bookFacts,
  define: (services, dependencies) =>
    new BookDefinition(services, bookServices(dependencies, services.inThread)),
};

/** Creates the services that a book run needs from outside its graph. */
function bookServices(
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
