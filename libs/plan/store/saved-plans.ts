import type { Database } from '#db/client.js';
import type { SavedPlan, SavedPlanVersion } from '#db/generated/client.js';
import { toJsonb } from '#db/jsonb.js';
import { lockTenant } from '#db/lock-tenant.js';
import { pageByTime, type PageRequest, containsText } from '#db/page.js';
import { MAX_PLAN_VERSIONS, MAX_SAVED_PLANS, type PlanDefinition } from '../contract/saved-plan-schemas.js';

export type { SavedPlan };

type NewSavedPlanRow = Pick<SavedPlan, 'id' | 'name' | 'description'> & { definition: PlanDefinition };

/** Returns a definition as PostgreSQL stores it. */
const stored = (definition: PlanDefinition): object => JSON.parse(toJsonb(definition)) as object;

/** Plans that tenants saved to run again. */
export class SavedPlanRepository {
  constructor(private readonly db: Database) {}

  /** @returns the new row, or the one with the same ID; or the reason why the plan cannot be saved */
  add(
    tenantId: string,
    { definition, ...plan }: NewSavedPlanRow,
  ): Promise<SavedPlan | 'too_many' | 'exists'> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const there = await tx.savedPlan.findFirst({ where: { tenantId, id: plan.id } });
      if (there) return there;
      if ((await tx.savedPlan.count({ where: { tenantId, name: plan.name } })) > 0) return 'exists';
      if ((await tx.savedPlan.count({ where: { tenantId } })) >= MAX_SAVED_PLANS) return 'too_many';
      const made = await tx.savedPlan.create({ data: { tenantId, ...plan } });
      await tx.savedPlanVersion.create({
        data: { savedPlanId: plan.id, tenantId, version: 1, definition: stored(definition) },
      });
      return made;
    });
  }

  /**
   * Adds a version, unless the newest has the same content.
   *
   * @returns false if the plan has too many versions or does not exist
   */
  addVersion(tenantId: string, id: string, definition: PlanDefinition): Promise<boolean> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const plan = await tx.savedPlan.findFirst({ where: { tenantId, id } });
      if (!plan || plan.version >= MAX_PLAN_VERSIONS) return false;
      const newest = await tx.savedPlanVersion.findFirst({
        where: {
          tenantId,
          savedPlanId: id,
          version: plan.version,
          definition: { equals: stored(definition) },
        },
      });
      if (newest) return true;
      const version = plan.version + 1;
      await tx.savedPlanVersion.create({
        data: { savedPlanId: id, tenantId, version, definition: stored(definition) },
      });
      await tx.savedPlan.updateMany({ where: { tenantId, id }, data: { version, updatedAt: new Date() } });
      return true;
    });
  }

  find(tenantId: string, id: string): Promise<SavedPlan | null> {
    return this.db.savedPlan.findFirst({ where: { tenantId, id } });
  }

  /** Returns one version of a plan. */
  version(tenantId: string, savedPlanId: string, version: number): Promise<SavedPlanVersion | null> {
    return this.db.savedPlanVersion.findFirst({ where: { tenantId, savedPlanId, version } });
  }

  /** Returns the versions without their content, newest first. */
  versions(
    tenantId: string,
    savedPlanId: string,
  ): Promise<Pick<SavedPlanVersion, 'version' | 'createdAt'>[]> {
    return this.db.savedPlanVersion.findMany({
      where: { tenantId, savedPlanId },
      select: { version: true, createdAt: true },
      orderBy: { version: 'desc' },
    });
  }

  /** Returns a page with the newest versions, newest plan first. @param title part of the name */
  async page(
    tenantId: string,
    title: string | undefined,
    request: PageRequest,
  ): Promise<(SavedPlan & { definition: unknown })[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    const named = title === undefined ? {} : { name: containsText(title) };
    const plans = await this.db.savedPlan.findMany({ where: { tenantId, ...named, AND: where }, ...page });
    const newest = await this.db.savedPlanVersion.findMany({
      where: { tenantId, OR: plans.map(({ id, version }) => ({ savedPlanId: id, version })) },
    });
    return plans.map((plan) => ({
      ...plan,
      definition: newest.find(({ savedPlanId }) => savedPlanId === plan.id)?.definition,
    }));
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.db.savedPlan.deleteMany({ where: { tenantId, id } })).count === 1;
  }
}
