import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Export } from '../generated/client.js';

export type { Export };

export interface NewExport {
  sessionId: string;
  runId: string;
  effectKey: string;
  name: string;
  format: string;
  objectKey: string;
  size: number;
  sha256: string;
}

/** Results that a tenant can download. */
export class ExportRepository {
  constructor(private readonly db: Database) {}

  /** Adds an export once per effect key; returns its id, whoever added it. */
  async add(tenantId: string, file: NewExport): Promise<string> {
    await this.db.export.createMany({
      data: [{ id: newId('exp'), tenantId, ...file }],
      skipDuplicates: true,
    });
    const stored = await this.db.export.findFirstOrThrow({ where: { effectKey: file.effectKey } });
    return stored.id;
  }

  list(tenantId: string, sessionId: string): Promise<Export[]> {
    return this.db.export.findMany({
      where: { tenantId, sessionId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  find(tenantId: string, sessionId: string, id: string): Promise<Export | null> {
    return this.db.export.findFirst({ where: { tenantId, sessionId, id } });
  }
}
