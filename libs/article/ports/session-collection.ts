import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { CollectionRepository } from '#knowledge/store/collections.js';

/**
 * Returns the ID of the collection with the pages and files that the research of a session read, and creates it if
 * necessary. It is deleted with the session.
 */
export async function sessionCollection(db: Database, tenantId: string, sessionId: string): Promise<string> {
  const id = derivedId('col', `${sessionId}/research`);
  const session = await db.session.findFirst({ where: { id: sessionId, tenantId }, select: { title: true } });
  const name = `Research: ${session?.title ?? 'article'}`.slice(0, 200);
  await new CollectionRepository(db).create(tenantId, { id, name, purpose: 'research', sessionId });
  return id;
}
