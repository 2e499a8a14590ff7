import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Export } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { rolledBackRuns } from './runs.js';

export type { Export };

interface NewExport {
  sessionId: string;
  runId: string;
  effectKey: string;
  name: string;
  format: string;
  objectKey: string;
  size: number;
  sha256: string;
  /** Object with the texts that a Word file of a book or an article shows. */
  textKey?: string;
  /** SHA-256 of the manuscript that a Word file shows. */
  manuscript?: string;
}

/** What a task made of a manuscript. */
export interface MadeOfText {
  /** Object key of the version. */
  manuscript: string;
  exportId: string | null;
  /** Object key of the ledger. */
  ledger: string | null;
  coverage: number | null;
  /** Whether the task is of a run that wrote nothing. */
  exportOnly: boolean;
}

/** Results that a tenant can download; results of rolled-back runs are excluded. */
export class ExportRepository {
  constructor(private readonly db: Database) {}

  /** Adds an export once per effect key; returns the ID of the new or existing one. */
  async add(tenantId: string, file: NewExport): Promise<string> {
    await this.db.export.createMany({
      data: [{ id: newId('exp'), tenantId, ...file }],
      skipDuplicates: true,
    });
    const stored = await this.db.export.findFirstOrThrow({ where: { effectKey: file.effectKey } });
    return stored.id;
  }

  /** Returns a page of a session's exports, newest first. */
  async page(tenantId: string, sessionId: string, request: PageRequest): Promise<Export[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.export.findMany({ where: { tenantId, sessionId, runId: { notIn }, ...where }, ...page });
  }

  /** Returns the newest Word file that a task made of a text, or null. @param text object key */
  async newestWord(tenantId: string, sessionId: string, text: string): Promise<Export | null> {
    const madeOf = [
      { output: { path: ['fixed_manuscript'], equals: text } },
      { input: { path: ['manuscript'], equals: text } },
      { input: { path: ['text_key'], equals: text } },
    ];
    const tasks = await this.db.task.findMany({
      where: { tenantId, status: 'completed', run: { sessionId, rolledBackAt: null }, OR: madeOf },
      select: { id: true },
    });
    return this.db.export.findFirst({
      where: { tenantId, sessionId, format: 'docx', effectKey: { in: tasks.map(({ id }) => id) } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** Returns all exports of a session, newest first. */
  async list(tenantId: string, sessionId: string): Promise<Export[]> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.export.findMany({
      where: { tenantId, sessionId, runId: { notIn } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** Returns the exports of runs of a session, newest first. */
  async ofRuns(tenantId: string, sessionId: string, runIds: readonly string[]): Promise<Export[]> {
    return (await this.list(tenantId, sessionId)).filter(({ runId }) => runIds.includes(runId));
  }

  /**
   * Returns what the finished tasks of a session made of which manuscript, oldest first: exports, ledgers and coverage.
   * Results that a fork has copied are not included.
   */
  madeOf(tenantId: string, sessionId: string): Promise<MadeOfText[]> {
    return this.db.$queryRaw<MadeOfText[]>`
      /* results of manuscripts */ SELECT coalesce(t.output->>'fixed_manuscript', t.input->>'manuscript') AS manuscript,
        t.output->>'export_id' AS "exportId", t.output->>'ledger_path' AS ledger,
        (t.output->>'coverage')::float8 AS coverage, coalesce(r.inputs->>'export_only' = 'true', false) AS "exportOnly"
      FROM tasks t JOIN runs r ON r.id = t.run_id AND r.tenant_id = t.tenant_id AND r.rolled_back_at IS NULL
      WHERE r.tenant_id = ${tenantId} AND r.session_id = ${sessionId} AND t.status = 'completed'
        AND r.kind IN ('document', 'change') AND t.input->>'manuscript' IS NOT NULL
      ORDER BY t.completed_at, t.id`;
  }

  /** Returns the Word files that show the texts of an object, newest first. */
  async ofTexts(tenantId: string, sessionId: string, textKey: string): Promise<Export[]> {
    return (await this.list(tenantId, sessionId)).filter((file) => file.textKey === textKey);
  }

  async find(tenantId: string, sessionId: string, id: string): Promise<Export | null> {
    const notIn = await rolledBackRuns(this.db, tenantId, sessionId);
    return this.db.export.findFirst({ where: { tenantId, sessionId, id, runId: { notIn } } });
  }
}
