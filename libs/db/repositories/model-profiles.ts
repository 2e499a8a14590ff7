import { Prisma, type Database } from '../client.js';
import { toJsonb } from '../jsonb.js';
import { asService, asTenant } from '../tenant-scope.js';

/** A stored profile; its content belongs to the model layer. */
export interface ProfileRow {
  profile: unknown;
  checkedAt: Date | null;
  updatedAt: Date;
}

export interface ProfileKey {
  /** Hash of the endpoint's address and owner. */
  endpoint: string;
  model: string;
  /** Tenant whose endpoint it is; undefined for the installation's. */
  owner: string | undefined;
}

/** Profiles of models. Those of a tenant's endpoint are rows of the tenant. */
export class ModelProfileRepository {
  constructor(private readonly db: Database) {}

  async find({ endpoint, model, owner }: ProfileKey): Promise<ProfileRow | null> {
    const [row] = await this.within(owner, () =>
      this.db.$statement<ProfileRow>(Prisma.sql`
        /* model profile */ SELECT profile, checked_at AS "checkedAt", updated_at AS "updatedAt"
        FROM model_profiles WHERE endpoint = ${endpoint} AND model = ${model}`),
    );
    return row ?? null;
  }

  /**
   * Stores a profile.
   *
   * @param wasChecked whether everything was asked for just now
   * @returns when it was stored
   */
  async save({ endpoint, model, owner }: ProfileKey, profile: object, wasChecked: boolean): Promise<Date> {
    const [row] = await this.within(owner, () =>
      this.db.$statement<Pick<ProfileRow, 'updatedAt'>>(Prisma.sql`
        /* save model profile */ INSERT INTO model_profiles AS p (endpoint, model, tenant_id, profile, checked_at, updated_at)
        VALUES (${endpoint}, ${model}, ${owner ?? null}, ${toJsonb(profile)}::jsonb,
          CASE WHEN ${wasChecked} THEN clock_timestamp() END, clock_timestamp())
        ON CONFLICT (endpoint, model) DO UPDATE SET profile = EXCLUDED.profile,
          checked_at = coalesce(EXCLUDED.checked_at, p.checked_at), updated_at = EXCLUDED.updated_at
        RETURNING updated_at AS "updatedAt"`),
    );
    return row!.updatedAt;
  }

  private within<T>(owner: string | undefined, work: () => Promise<T>): Promise<T> {
    return owner === undefined ? asService(work) : asTenant(owner, work);
  }
}
