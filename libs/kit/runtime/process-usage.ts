import { readFileSync } from 'node:fs';

/** Linux reports CPU times of processes in units of 10 ms on every machine. */
const TICK_MS = 10;

/** Resources that a process uses. */
export interface ProcessUsage {
  /** CPU time since its start. */
  cpuMs: number;
  residentBytes: number;
}

/** Reads the usage of a process on this machine; null if it has ended, and on systems without /proc. */
export function usageOf(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field of proc_pid_stat(5) is the name in parentheses, which may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [fields[11], fields[12]].map(Number);
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return { cpuMs: (user! + system!) * TICK_MS, residentBytes: Number(resident?.[1] ?? 0) * 1_024 };
  } catch {
    return null;
  }
}
