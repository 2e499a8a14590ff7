import type { InThread } from '#agent/ports.js';
import type { BookServices } from '#kinds/book/definition.js';
import type { PortDependencies } from '../kinds.js';
import { CollectionKnowledge } from './book-knowledge.js';
import { SessionBook } from './book-store.js';
import { runnerIndexWork } from './runner-index-work.js';

/** Creates the services that a book run needs from outside its graph. */
export function bookServices({ db, store, meaning }: PortDependencies, inThread: InThread): BookServices {
  return {
    store: (run) => new SessionBook(db, run),
    knowledge: (run, book, signal) => {
      const work = runnerIndexWork(inThread, signal);
      const tools = { db, store, work, ...(meaning && { embedder: meaning.embedder }) };
      return new CollectionKnowledge(tools, run, book, signal, meaning?.search);
    },
  };
}
