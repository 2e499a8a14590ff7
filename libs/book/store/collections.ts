import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { CollectionRepository } from '#knowledge/store/collections.js';

/** Purpose of a book's collection: its sources, or the content of its chapters (B16). */
export type BookMemory = 'knowledge' | 'memory';

/** Returns the ID of a book's collection, derived from the book's ID. */
export const bookCollectionId = (projectId: string, purpose: BookMemory): string =>
  derivedId('col', `${projectId}/${purpose}`);

/** Returns the ID of a book's collection and creates the collection if necessary. */
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
