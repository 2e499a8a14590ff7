import type { InThread } from '#agent/ports.js';
import type { Database } from '#db/client.js';
import type { BookServices } from '#kinds/book/definition.js';
import type { ObjectStore } from '#storage/object-store.js';
import { CollectionKnowledge } from './book-knowledge.js';
import { SessionBook } from './book-store.js';

/** What a book's run needs of the outside. */
export function bookServices(db: Database, store: ObjectStore, inThread: InThread): BookServices {
  return {
    store: (run) => new SessionBook(db, run),
    knowledge: (run, book, signal) => new CollectionKnowledge(db, store, run, book, signal, inThread),
  };
}
