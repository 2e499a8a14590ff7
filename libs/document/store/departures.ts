import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import type { LedgerOmission } from '#verbatim/schema.js';
import { isConversion, runsOfManuscript } from './written-run.js';

/**
 * Returns the lines of sources from which people departed: they accepted changes of a returned Word file that change these
 * lines (X9). The changes belong to the manuscript that the last writing run made; that run itself has none.
 *
 * @param runId the run that validates
 */
export async function findDepartures(
  db: Database,
  { tenantId, sessionId, runId }: { tenantId: string; sessionId: string; runId: string },
): Promise<LedgerOmission[]> {
  const applied = await db.proposal.findMany({
    where: { tenantId, sessionId, appliedAt: { not: null }, sourceName: { not: null }, lead: null },
    orderBy: [{ appliedAt: 'asc' }, { number: 'asc' }],
  });
  if (applied.length === 0) return [];
  const validating = await db.run.findFirst({ where: { id: runId, tenantId }, select: { inputs: true } });
  if (!validating || !isConversion(validating)) return [];
  const writtenAt = await findWritingTime(db, tenantId, sessionId);
  if (writtenAt === null) return [];
  const keys = new ApiKeyRepository(db);
  const names = new Map<string, string>();
  for (const { decidedBy } of applied)
    if (decidedBy !== null && !names.has(decidedBy))
      names.set(decidedBy, (await keys.nameOf(tenantId, decidedBy)) ?? decidedBy);
  return applied.flatMap(({ appliedAt, sourceName, sourceLine, sourceLastLine, decidedBy }) => {
    if (appliedAt! < writtenAt) return [];
    const who = names.get(decidedBy ?? '') ?? '';
    return [
      {
        ...{ source: sourceName!, first_line: sourceLine!, last_line: sourceLastLine ?? sourceLine! },
        reason: englishText(phrase('omission.departure', { who })),
      },
    ];
  });
}

/** Returns when the run that wrote the current manuscript was created, or null. */
async function findWritingTime(db: Database, tenantId: string, sessionId: string): Promise<Date | null> {
  for await (const { run } of runsOfManuscript(db, tenantId, sessionId))
    if (!isConversion(run)) return run.createdAt;
  return null;
}
