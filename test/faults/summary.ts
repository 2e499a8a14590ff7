import type { FindingKind } from './findings.js';
import type { FaultReport } from './harness.js';

const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');

/** Returns the summary of a harness run for people. */
export function summaryOf(report: FaultReport): string {
  const { runs, seconds, counts, faults, commitPoints, notReached, repeatedModelCalls, findings } = report;
  const of = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  return [
    `faults: ${list(faults)}`,
    `signals at commit points: ${list(commitPoints)}`,
    `commit points not reached: ${notReached.length === 0 ? 'none' : notReached.join(', ')}`,
    ...findings.map(
      ({ kind, runId, what }) => `FINDING ${kind}: ${runId === null ? '' : `${runId} `}${what}`,
    ),
    `${runs} runs in ${Math.round(seconds)} s (${(runs / seconds).toFixed(2)}/s); ${counts.kills} kills, ${counts.stops} sleeps past the lease, ${counts.flushes} losses of every job, ` +
      `${counts.postgresRestarts} restarts of PostgreSQL, ${counts.redisRestarts} of Redis`,
    `${of('lost')} lost, ${of('doubled')} doubled, ${of('answered by accident')} answered by accident, ` +
      `${of('altered')} altered; ${(repeatedModelCalls * 100).toFixed(1)} % of the model calls repeated`,
    `${findings.length} findings`,
  ].join('\n');
}
