import type { Database } from '../client.js';
import type { Prisma, WordTemplate } from '../generated/client.js';
import { lockTenant } from '../lock-tenant.js';
import { unnamedObjects } from '../unnamed-objects.js';

export type { WordTemplate };

type NewWordTemplate = Omit<Prisma.WordTemplateUncheckedCreateInput, 'tenantId' | 'createdAt'>;

/** Word templates of tenants. */
export class WordTemplateRepository {
  constructor(private readonly db: Database) {}

  list(tenantId: string): Promise<WordTemplate[]> {
    return this.db.wordTemplate.findMany({ where: { tenantId }, orderBy: { name: 'asc' } });
  }

  findByName(tenantId: string, name: string): Promise<WordTemplate | null> {
    return this.db.wordTemplate.findFirst({ where: { tenantId, name } });
  }

  /**
   * Stores a template in place of the one with its name.
   *
   * @param limit maximum templates of a tenant
   * @returns the row and the object key of the replaced template; null at the limit
   */
  put(
    tenantId: string,
    template: NewWordTemplate,
    limit: number,
  ): Promise<{ row: WordTemplate; replaced: string | null } | null> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const old = await tx.wordTemplate.findFirst({ where: { tenantId, name: template.name } });
      if (!old && (await tx.wordTemplate.count({ where: { tenantId } })) >= limit) return null;
      await tx.wordTemplate.deleteMany({ where: { tenantId, name: template.name } });
      const row = await tx.wordTemplate.create({ data: { tenantId, ...template } });
      return { row, replaced: old?.objectKey ?? null };
    });
  }

  /** Returns the objects that no template refers to, after an error while storing one; see `unnamedObjects`. */
  unnamed<T extends { objectKey: string }>(tenantId: string, objects: T[]): Promise<T[]> {
    return unnamedObjects(this.db, tenantId, objects, (tx, keys) =>
      tx.wordTemplate.findMany({ where: { tenantId, objectKey: { in: keys } }, select: { objectKey: true } }),
    );
  }

  /** Deletes a template; returns the key of its object, null if the tenant has no such template. */
  async remove(tenantId: string, id: string): Promise<string | null> {
    const row = await this.db.wordTemplate.findFirst({ where: { tenantId, id } });
    if (!row) return null;
    const { count } = await this.db.wordTemplate.deleteMany({ where: { tenantId, id } });
    return count === 1 ? row.objectKey : null;
  }
}
