import { readFileSync } from 'node:fs';

/** Linux tells times of processes in hundredths of a second, whatever its clock. */
const TICK_MS = 10;

/** What a process has used since it began, and holds. */
export interface ProcessUsage {
  cpuMs: number;
  residentBytes: number;
}

/** What a process of this machine uses; null when it has ended, and on systems without /proc. */
export function usageOf(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // See proc_pid_stat(5). The name, the second field, may hold blanks: what follows it begins with the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [fields[11], fields[12]].map(Number);
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return { cpuMs: (user! + system!) * TICK_MS, residentBytes: Number(resident?.[1] ?? 0) * 1_024 };
  } catch {
    return null;
  }
}
