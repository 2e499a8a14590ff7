import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { CollectionRepository } from './store/collections.js';

/** What a book knows, and what its chapters have told (B16). */
export type BookMemory = 'knowledge' | 'memory';

/** The id of a collection of a book; it follows from the book's. */
export const bookCollectionId = (projectId: string, purpose: BookMemory): string =>
  derivedId('col', `${projectId}/${purpose}`);

/** The id of a collection of a book, which is made when it is not there yet. */
export async function bookCollection(
  db: Database,
  tenantId: string,
  projectId: string,
  purpose: BookMemory,
): Promise<string> {
  const id = bookCollectionId(projectId, purpose);
  const name = purpose === 'knowledge' ? 'Sources of a book' : 'Chapters of a book';
  await new CollectionRepository(db).create(tenantId, { id, name, purpose, projectId });
  return id;
}
