import type { InThread } from '#kit/graph/ports.js';
import type { BookServices } from '../graph/definition.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import { CollectionKnowledge } from './knowledge.js';
import { SessionBook } from './store.js';
import { runnerIndexWork } from '#knowledge/ports/runner-index-work.js';

/** Creates the services that a book run needs from outside its graph. */
export function bookServices({ db, store, meaning }: SearchDependencies, inThread: InThread): BookServices {
  return {
    store: (run) => new SessionBook(db, run),
    knowledge: (run, book, signal) => {
      const work = runnerIndexWork(inThread, signal);
      const tools = { db, store, work, ...(meaning && { embedder: meaning.embedder }) };
      return new CollectionKnowledge(tools, run, book, signal, meaning?.search);
    },
  };
}
