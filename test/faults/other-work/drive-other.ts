import type { Database } from '#db/client.js';
import { Findings, type Finding } from '../findings.js';
import { persist } from '../persist.js';
import type { Chance } from '../random.js';
import { articleWork } from './article.js';
import { bookWork } from './book.js';
import { knowledgeWork } from './knowledge.js';
import type { OtherWork, WorkPlace } from './other-work.js';
import { mcpPlanWork } from './mcp-plan.js';
import { planWork } from './plan.js';

export const OTHER_WORK: readonly OtherWork[] = [knowledgeWork, bookWork, planWork, mcpPlanWork, articleWork];

/** Finds errors in completed work. */
export type Look = () => Promise<Finding[]>;

/** Drives and checks randomly chosen work. */
export async function driveOther(
  place: WorkPlace,
  chance: Chance,
): Promise<{ name: string; findings: Finding[]; again: Look }> {
  const work = chance.pick(OTHER_WORK);
  const { id, check } = await work.drive(place).catch((error: Error) => {
    throw new Error(`${work.name}: ${error.message}`);
  });
  const again: Look = async () => {
    const findings = new Findings(id);
    await check(findings);
    return findings.all;
  };
  return {
    name: work.name,
    findings: await persist(`the check of ${work.name} ${id}`, again, place.deadline),
    again,
  };
}

/** Records every attempt at a task that starts after its result was stored. */
export async function noteLateAttempts(db: Database): Promise<void> {
  await db.$executeRaw`CREATE TABLE fault_late_attempts (task_id TEXT NOT NULL, run_id TEXT NOT NULL)`;
  await db.$executeRaw`
    CREATE FUNCTION fault_late_attempt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO fault_late_attempts VALUES (NEW.id, NEW.run_id);
      RETURN NEW;
    END $$`;
  await db.$executeRaw`
    CREATE TRIGGER fault_late_attempt BEFORE UPDATE ON tasks FOR EACH ROW
    WHEN (OLD.status <> 'pending' AND NEW.attempts > OLD.attempts) EXECUTE FUNCTION fault_late_attempt()`;
}
